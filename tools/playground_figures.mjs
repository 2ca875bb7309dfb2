// playground_figures.mjs: what the playground costs: sizes, time of the module over the program, first moving picture.
//
// usage: playground_figures.mjs ROOT PROGRAM
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const [root, program] = process.argv.slice(2).map((path) => resolve(path));
const { Play } = await import(join(root, 'wasm/module.mjs'));
const bytes = readFileSync(join(root, 'build/wasm/trundle.wasm'));
const page = join(root, 'build/playground.html');
const module = await WebAssembly.compile(bytes);
const TIMES = 5;
const SCENES = [
  ['examples/euler-disk', 200000],
  ['mechanisms/slider-crank', 2000],
  ['cone/sphere-pile', 500],
];

const mb = (b) => `${(b.length / 1e6).toFixed(2)} MB, ${(gzipSync(b, { level: 9 }).length / 1e6).toFixed(2)} MB gzip`;
console.log(`module             ${mb(bytes)}`);
console.log(`page               ${mb(readFileSync(page))}`);

// Seconds of CPU that the stepping takes, the best of several: other programs may use the machine.
async function ours(file, steps) {
  const play = await Play.open(module);
  play.scene(readFileSync(file, 'utf8'));
  play.start();
  if (play.lastStep > steps) play.until((play.end * steps) / play.lastStep);
  const before = process.cpuUsage();
  while (!play.done) play.run(1e6);
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, steps: play.steps, until: play.end, hash: play.stateHash };
}

// CPU seconds of the program, as the shell counts them.
function cpuOf(file, until) {
  const line = 'TIMEFORMAT="%3U %3S"; time "$0" run "$1" --until "$2 s" --out none --json';
  const { stdout, stderr } = spawnSync('bash', ['-c', line, program, file, String(until)], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { seconds: user + system, hash: JSON.parse(stdout).state_hash };
}

// Without what it takes to start the program and to read the scene.
function theirs(file, until) {
  const whole = cpuOf(file, until);
  return { ...whole, seconds: whole.seconds - cpuOf(file, 1e-9 * until).seconds };
}

console.log('scene                       steps   program ms   module ms   ratio   (CPU, best of 5)');
for (const [name, steps] of SCENES) {
  const file = join(root, 'scenes', `${name}.yaml`);
  let best = [Infinity, Infinity];
  let last;
  for (let k = 0; k < TIMES; k++) {
    const mine = await ours(file, steps);
    last = [mine, theirs(file, mine.until)];
    best = best.map((b, i) => Math.min(b, last[i].seconds));
  }
  if (last[0].hash !== last[1].hash) throw new Error(`${name}: the hashes differ`);
  const ms = (s) => (1000 * s).toFixed(1).padStart(10);
  console.log(`${name.padEnd(24)} ${String(last[0].steps).padStart(8)}   ${ms(best[1])}  ${ms(best[0])}   ${(best[0] / best[1]).toFixed(2).padStart(5)}`);
}

const { chromium } = createRequire(join(root, 'viewer/package.json'))('playwright-core');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
let first = Infinity;
for (let k = 0; k < TIMES; k++) {
  const tab = await browser.newPage();
  await tab.goto(`file://${page}`);
  await tab.waitForFunction(() => Number(document.querySelector('canvas#replay')?.dataset.drawn) >= 2, null, { timeout: 120000 });
  first = Math.min(first, await tab.evaluate(() => performance.now()));
  await tab.close();
}
await browser.close();
console.log(`first moving picture ${(first / 1000).toFixed(2)} s after opening (Chromium without a graphics card, best of ${TIMES})`);
