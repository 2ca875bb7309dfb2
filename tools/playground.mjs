// playground.mjs: puts the simulator and the scenes into the shell of the playground: one file that needs nothing else.
//
// usage: playground.mjs ROOT MODULE OUT; MODULE is trundle.wasm
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';

const [root, module, out] = process.argv.slice(2);
// Folders in the order of the list. Scenes of bench/ are long and heaps of 10^4 stones take minutes, so they stay out.
const FOLDERS = ['examples', 'rolling-disk', 'mechanisms', 'slip-roll', 'variational', 'contact-tracking', 'cone'];
const MOST_MINUTES = new Set(['contact-tracking/track-pile']);

function scenesOf(folder) {
  const names = readdirSync(join(root, 'scenes', folder)).filter((name) => name.endsWith('.yaml')).sort();
  return names.map((file) => {
    const name = `${folder}/${file.replace('.yaml', '')}`;
    const text = readFileSync(join(root, 'scenes', folder, file), 'utf8');
    return { name, title: /^title:\s*["']?(.*?)["']?\s*$/m.exec(text)?.[1] ?? name, text };
  });
}

const scenes = FOLDERS.flatMap(scenesOf).filter((s) => !MOST_MINUTES.has(s.name));
const bytes = readFileSync(module);
const data =
  `<script type="application/octet-stream" id="trundle-module">${deflateSync(bytes, { level: 9 }).toString('base64')}</script>\n` +
  `<script type="application/json" id="trundle-scenes">${JSON.stringify(scenes).replaceAll('<', '\\u003c')}</script>`;
const shell = readFileSync(join(root, 'viewer/playground.html'), 'utf8');
const [before, after] = shell.split('<!--trundle-data-->');
if (after === undefined) throw new Error('viewer/playground.html has no place for the data');
const page = before + data + after;
writeFileSync(out, page);
const mb = (x) => (x / 1e6).toFixed(2);
console.log(`module: ${mb(bytes.length)} MB, ${mb(gzipSync(bytes, { level: 9 }).length)} MB gzip`);
console.log(`${out}: ${scenes.length} scenes, ${mb(page.length)} MB, ${mb(gzipSync(page, { level: 9 }).length)} MB gzip`);
