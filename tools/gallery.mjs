// gallery.mjs: pictures of the reports in build/gallery, into docs/guide/gallery, and the page that shows them.
//
// usage: gallery.mjs ROOT
import { mkdirSync, readdirSync, existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = process.argv[2];
const { chromium } = createRequire(join(root, 'viewer/package.json'))('playwright-core');
const reports = join(root, 'build/gallery');
const pictures = join(root, 'docs/guide/gallery');
mkdirSync(pictures, { recursive: true });
const names = readdirSync(reports).filter((name) => existsSync(join(reports, name, 'report.html'))).sort();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const lines = ['# Gallery', '', 'Made by `make gallery`: every example scene, run and shown by `trundle report`.', ''];

// The moment at a part of the run, when something is on its way.
async function show(page, name, part) {
  await page.goto(`file://${join(reports, name, 'report.html')}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 120000 });
  await page.$eval(
    'input[type=range]',
    (slider, at) => {
      slider.value = at * slider.max;
      slider.dispatchEvent(new Event('input'));
    },
    part,
  );
  await page.waitForTimeout(500);
}

const page = await browser.newPage({ viewport: { width: 1240, height: 860 } });
for (const name of names) {
  await show(page, name, 0.35);
  await page.locator('.picture').screenshot({ path: join(pictures, `${name}.jpg`), type: 'jpeg', quality: 80 });
  const title = await page.locator('h1').innerText();
  const words = await page.locator('#summary li').first().innerText();
  lines.push(`## ${title}`, '', `![${title}](gallery/${name}.jpg)`, '', `\`trundle run examples/${name}\`: ${words}.`, '');
}
await show(page, 'euler-disk', 0.045);
await page.screenshot({ path: join(pictures, 'report.jpg'), type: 'jpeg', quality: 82 });
await browser.close();
writeFileSync(join(root, 'docs/guide/gallery.md'), lines.join('\n'));
console.log(`gallery: docs/guide/gallery.md, ${names.length + 1} pictures`);
