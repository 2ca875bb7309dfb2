// browser.mjs: reports opened as people do, from disk in a real browser: no error, no request, and everything works.
//
// usage: browser.mjs; TRUNDLE is the program, TRUNDLE_SOURCE_DIR the source tree; TRUNDLE_SHOTS a folder for pictures.
// Exit 77: no browser, or its driver is not installed (tools/viewer install).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

const source = process.env.TRUNDLE_SOURCE_DIR;
const trundle = process.env.TRUNDLE;
const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const driver = join(source, 'viewer/node_modules/playwright-core');
if (!chromiumPath || !existsSync(driver)) {
  console.log(`skipped: ${chromiumPath ? 'playwright-core is not installed (tools/viewer install)' : 'Chromium is not installed'}`);
  process.exit(77);
}
const { chromium } = createRequire(join(source, 'viewer/package.json'))('playwright-core');
const folder = mkdtempSync(join(tmpdir(), 'trundle-browser-'));
const run = (...words) => execFileSync(trundle, words, { cwd: folder, encoding: 'utf8' });

const MANY = `trundle: 1
title: Ten thousand balls fall
laws: {any: {coulomb: {slide: 0.3}}}
pairs: [{default: any}]
bodies:
  table: {kind: fixed, shape: plane}
fill:
  balls:
    place: {lattice: {first: [0, 0, 1], spacing: [3, 3, 3, cm], count: [25, 20, 20], jitter: 2 mm}}
    body: {shape: {sphere: {radius: 1 cm}}, density: 2500}
    seed: 1
steppers: {moreau: {step: 10 ms}}
record: {until: 0.1 s, frames: 50 ms}
`;

const SHAPES = `trundle: 1
title: One of every shape
laws: {any: {coulomb: {slide: 0.3}}}
pairs: [{default: any}]
bodies:
  table: {kind: fixed, shape: plane}
  toy:
    position: [0, 0, 1 m]
    angular_velocity: [5, 3, 1, rad/s]
    shapes:
      - {shape: {sphere: {radius: 5 cm}}, density: 1000}
      - {shape: {ellipsoid: {semi_axes: [8, 5, 4, cm]}}, density: 1000, position: [0.2 m, 0, 0]}
      - {shape: {box: {size: [10, 8, 6, cm]}}, density: 1000, position: [-0.2 m, 0, 0]}
      - {shape: {disk: {radius: 6 cm, thickness: 1 cm}}, density: 1000, position: [0, 0.2 m, 0]}
      - {shape: {capsule: {radius: 3 cm, length: 9 cm}}, density: 1000, position: [0, -0.2 m, 0]}
      - {shape: {hull: {points: [[4, 0, 0, cm], [-4, 0, 0, cm], [0, 5, 0, cm], [0, -5, 0, cm], [0, 0, 6, cm], [0, 0, -6, cm]]}}, density: 1000, position: [0, 0, 0.2 m]}
      - {shape: {hull: {radius: 5 cm, seed: 4}}, density: 1000, position: [0, 0, -0.2 m]}
steppers: {moreau: {step: 1 ms}}
record: {until: 0.15 s, frames: 10 ms}
`;

const walls = (gravity, motion) => `trundle: 1
title: A ball behind a wall
gravity: [0, 0, ${gravity} m/s^2]
laws: {any: {coulomb: {slide: 0.3}}}
pairs: [{default: any}]
bodies:
  table: {kind: driven, shape: plane}
  wall: {kind: fixed, shape: plane, position: [0, -0.3 m, 0], orientation: {axis: x, angle: -90 deg}}
  ball: {shape: {sphere: {radius: 10 cm}}, density: 1000, position: [0, 0, 0.5 m]}
motions: [{body: table, angular_velocity: [0, ${motion} rad/s, 0]}]
steppers: {cone: {step: 10 ms}}
record: {until: 0.3 s, frames: 50 ms}
`;

// Pictures of the 3-D canvas as numbers: how many colours, and which.
const canvasOf = (page) =>
  page.evaluate(() => {
    return new Promise((resolve) =>
      requestAnimationFrame(() => {
        const copy = document.createElement('canvas');
        copy.width = 160;
        copy.height = 120;
        const image = new Image();
        image.onload = () => {
          const context = copy.getContext('2d');
          context.drawImage(image, 0, 0, 160, 120);
          resolve([...context.getImageData(0, 0, 160, 120).data]);
        };
        dispatchEvent(new Event('beforeprint')); // draws, and takes the picture while it is there
        image.src = document.querySelector('img.print').src;
      }),
    );
  });

const differing = (a, b) => a.reduce((count, x, i) => count + (Math.abs(x - b[i]) > 12 ? 1 : 0), 0);
const colours = (a) => new Set(Array.from({ length: a.length / 4 }, (_, i) => a.slice(4 * i, 4 * i + 3).join())).size;
const timeOf = (page) => page.evaluate(() => parseFloat(document.querySelector('.time').textContent));

async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 }, ...options });
  const wrong = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/GPU stall|swiftshader/i.test(m.text()) && wrong.push(`console: ${m.text()}`));
  page.on('pageerror', (e) => wrong.push(`error: ${e.message}`));
  page.on('request', (r) => !r.url().startsWith('file:') && !r.url().startsWith('data:') && !r.url().startsWith('blob:') && wrong.push(`request: ${r.url()}`));
  let files = 0;
  page.on('request', (r) => r.url().startsWith('file:') && ++files > 1 && wrong.push(`file: ${r.url()}`));
  await page.goto(`file://${join(folder, file)}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 120000 });
  return { page, wrong };
}

// A report of one page, packed as io/common/pack.c does.
function reportOf(meta) {
  const text = Buffer.from(JSON.stringify(meta));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const block = deflateSync(Buffer.concat([length, text])).toString('base64');
  const template = readFileSync(join(source, 'viewer/report.html'), 'utf8');
  const [before, after] = template.split('<!--trundle-data-->');
  return before + `<script type="application/octet-stream" class="trundle">${block}</script>` + after;
}

const shot = (page, name) => (process.env.TRUNDLE_SHOTS ? page.screenshot({ path: join(process.env.TRUNDLE_SHOTS, `${name}.png`) }) : null);

const tests = {
  async 'opens from disk with words, picture and plots'(browser) {
    const { page, wrong } = await open(browser, 'disk/report.html');
    assert.match(await page.innerText('#summary'), /1 free body and 1 fixed or driven, simulated for 1 s in 10000 steps/);
    assert.match(await page.innerText('#summary'), /coin: .*first slips at 0\.1754 s/);
    assert.equal(await page.title(), 'A coin rolls, slips, whirrs and lies flat – Trundle');
    const titles = await page.$$eval('figure.plot figcaption b', (all) => all.map((b) => b.textContent));
    for (const title of ['Energy ledger [J]', 'Numerical part of the energy [J]', 'Slip speed of coin [m/s]', 'Contour rate of coin [m/s]', 'Tilt [rad]', 'Solver residual [-]', 'position [m]'])
      assert.ok(titles.includes(title), `${title} is not among ${titles.join(', ')}`);
    assert.ok(titles.every((t) => /\[.+\]$/.test(t)), 'a plot without a unit');
    assert.ok(colours(await canvasOf(page)) > 10, 'the canvas is blank');
    assert.match(await page.innerText('.friction'), /contensou: slide and spin. Now 0, 0/); // at the start it touches and carries nothing yet
    await page.keyboard.press('End');
    assert.equal(await page.locator('svg.set').count(), 2);
    assert.match(await page.innerText('.friction'), /contensou: slide and spin.*contour: roll/s);
    const [set] = await Promise.all([page.waitForEvent('download'), page.locator('.friction button[title$="(CSV)"]').first().click()]);
    const numbers = readFileSync(await set.path(), 'utf8').trim().split('\n');
    assert.equal(numbers[0], 'what,slide 1 [-],slide 2 [-],spin [m],roll 1 [m],roll 2 [m]');
    assert.ok(numbers.length > 20 && numbers.at(-1).startsWith('reaction,'));
    const [drawn] = await Promise.all([page.waitForEvent('download'), page.locator('.friction button[title$="(SVG)"]').first().click()]);
    assert.match(readFileSync(await drawn.path(), 'utf8'), /^<svg .*<style.*boundary.*<\/svg>\n$/s);
    assert.match(await page.innerText('#provenance'), /moreau/);
    assert.match(await page.textContent('#scene pre'), /contensou/);
    assert.ok((await page.locator('#events tbody tr').count()) > 2);
    console.log(`  first picture after ${await page.evaluate(() => document.documentElement.dataset.picture)} ms`);
    await shot(page, 'disk');
    assert.deepEqual(wrong, []);
  },

  async 'plays, scrubs, and keeps plots and replay together'(browser) {
    const { page, wrong } = await open(browser, 'disk/report.html');
    const before = await canvasOf(page);
    await page.click('button[title^="Play"]');
    await page.waitForFunction(() => parseFloat(document.querySelector('.time').textContent) > 0.2, null, { timeout: 60000 });
    await page.click('button[title^="Play"]');
    assert.ok(differing(before, await canvasOf(page)) > 200, 'the picture did not change while playing');
    await page.$eval('input[type=range]', (s) => {
      s.value = 0.75;
      s.dispatchEvent(new Event('input'));
    });
    assert.equal(await timeOf(page), 0.75);
    assert.equal(await page.getAttribute('#plot-energy', 'data-now'), '0.75');
    const over = page.locator('#plot-energy .u-over');
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 40);
    await page.waitForFunction(() => Math.abs(parseFloat(document.querySelector('.time').textContent) - 0.25) < 0.02);
    assert.equal(await page.getAttribute('#plot-tilt', 'data-now'), await page.getAttribute('#plot-energy', 'data-now'));
    await page.mouse.move(5, 5);
    await page.locator('#events tbody tr[data-kind=slip] button', { hasText: '0.1754' }).first().click();
    assert.equal(await timeOf(page), 0.175, 'an event takes the replay to its time');
    assert.deepEqual(wrong, []);
  },

  async 'zooms all plots, shows logarithms, saves pictures and data'(browser) {
    const { page, wrong } = await open(browser, 'disk/report.html');
    const over = page.locator('#plot-energy .u-over');
    const box = await over.boundingBox();
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 50, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(5, 5);
    await page.click('#plot-energy button[title^="Log"]');
    assert.equal(await page.getAttribute('#plot-energy button[title^="Log"]', 'aria-pressed'), 'true');
    const [data] = await Promise.all([page.waitForEvent('download'), page.click('#plot-energy button[title$="(CSV)"]')]);
    const csv = readFileSync(await data.path(), 'utf8').trim().split('\n');
    assert.match(csv[0], /^time \[s\],kinetic \[J\],/);
    assert.equal(csv.length, 202);
    assert.ok(csv.slice(1).every((line) => line.split(',').every((x) => Number.isFinite(Number(x)))));
    const [picture] = await Promise.all([page.waitForEvent('download'), page.click('#plot-energy button[title$="(SVG)"]')]);
    const svg = readFileSync(await picture.path(), 'utf8');
    assert.match(svg, /^<svg .*Energy ledger \[J\].*time \[s\].*<\/svg>\n$/s);
    const ticks = [...svg.matchAll(/text-anchor="middle">([\d.]+)</g)].map((m) => Number(m[1]));
    assert.ok(Math.min(...ticks) > 0.35 && Math.max(...ticks) < 0.65, `zoomed to ${ticks}`);
    assert.equal(await page.evaluate((text) => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement.tagName, svg), 'svg');
    assert.deepEqual(wrong, []);
  },

  async 'works by keys alone'(browser) {
    const { page, wrong } = await open(browser, 'disk/report.html');
    await page.keyboard.press('ArrowRight');
    assert.equal(await timeOf(page), 0.02);
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await timeOf(page), 0.22);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await timeOf(page), 0.2);
    await page.keyboard.press('End');
    assert.equal(await timeOf(page), 1);
    await page.keyboard.press('Home');
    assert.equal(await timeOf(page), 0);
    const before = await canvasOf(page);
    for (const key of 'ddddwwzz') await page.keyboard.press(key);
    assert.ok(differing(before, await canvasOf(page)) > 500, 'the view did not turn');
    await page.keyboard.press('f');
    assert.equal(await page.$eval('select[aria-label^=Follow]', (s) => s.selectedOptions[0].textContent), 'coin');
    await page.keyboard.press('c');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => parseFloat(document.querySelector('.time').textContent) > 0, null, { timeout: 60000 });
    await page.keyboard.press('Space');
    const seen = new Set();
    for (let k = 0; k < 40; k++) {
      await page.keyboard.press('Tab');
      seen.add(await page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName));
    }
    for (const name of ['Time', 'Speed', 'Follow a body', 'Colour']) assert.ok(seen.has(name), `${name} is not reached by tab: ${[...seen]}`);
    assert.deepEqual(wrong, []);
  },

  async 'is usable on a phone, in the dark, and on paper'(browser) {
    const { page, wrong } = await open(browser, 'disk/report.html', { viewport: { width: 380, height: 800 }, colorScheme: 'dark' });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the screen');
    const size = await page.locator('#replay').boundingBox();
    assert.ok(size.width > 300 && size.height > 200, `the replay is ${size.width} x ${size.height}`);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(16, 20, 24)');
    await page.locator('#replay').scrollIntoViewIfNeeded();
    await shot(page, 'phone-dark');
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)', 'paper is white');
    await page.emulateMedia({ media: 'screen' });
    const paper = await page.pdf(process.env.TRUNDLE_SHOTS ? { path: join(process.env.TRUNDLE_SHOTS, 'print.pdf') } : {});
    assert.ok(paper.length > 20000);
    assert.deepEqual(wrong, []);
  },

  async 'draws every shape'(browser) {
    const { page, wrong } = await open(browser, 'shapes/report.html');
    assert.match(await page.innerText('#summary'), /Contacts were not recorded/);
    assert.ok(!(await page.innerText('.scale')).includes('drawn as balls'));
    const before = await canvasOf(page);
    await page.keyboard.press('End');
    assert.ok(differing(before, await canvasOf(page)) > 200);
    await shot(page, 'shapes');
    assert.deepEqual(wrong, []);
  },

  async 'looks through walls from behind, and turns floors that are driven'(browser) {
    for (const name of ['falls', 'turns']) {
      const { page, wrong } = await open(browser, `${name}/report.html`); // the camera is behind the wall
      const before = await canvasOf(page);
      await page.keyboard.press('End');
      assert.ok(differing(before, await canvasOf(page)) > 200, `${name}: nothing is seen of it`);
      await shot(page, name);
      assert.deepEqual(wrong, []);
    }
  },

  async 'shows ten thousand balls'(browser) {
    const { page, wrong } = await open(browser, 'many/report.html');
    assert.match(await page.innerText('#summary'), /10000 free bodies/);
    const before = await canvasOf(page);
    assert.ok(colours(before) > 50);
    await page.keyboard.press('End');
    assert.ok(differing(before, await canvasOf(page)) > 500);
    await shot(page, 'many');
    assert.deepEqual(wrong, []);
  },

  async 'shows comparisons and sweeps'(browser) {
    const compare = await open(browser, 'compare.html');
    assert.match(await compare.page.innerText('.page'), /Orders of convergence.*converges/s);
    assert.ok((await compare.page.locator('.page .uplot').count()) > 3);
    assert.ok((await compare.page.locator('td.good').count()) > 3);
    assert.ok(colours(await canvasOf(compare.page)) > 10);
    assert.deepEqual(compare.wrong, []);
    const sweep = await open(browser, 'sweep.html', { colorScheme: 'dark' });
    assert.equal(await sweep.page.locator('.map').first().locator('rect').count(), 20);
    assert.ok((await sweep.page.locator('.map').first().locator('path').count()) >= 1, 'no border');
    const [data] = await Promise.all([sweep.page.waitForEvent('download'), sweep.page.locator('.card button[title$="(CSV)"]').first().click()]);
    const csv = readFileSync(await data.path(), 'utf8').trim().split('\n');
    assert.equal(csv[0], 'parameters.roll [mm],parameters.tilt [deg],How it ended [-]');
    assert.equal(csv.length, 21);
    await shot(sweep.page, 'sweep');
    assert.deepEqual(sweep.wrong, []);
  },

  async 'draws published numbers into our curves'(browser) {
    const { page, wrong } = await open(browser, 'papers.html');
    const titles = await page.$$eval('.page figure.plot figcaption b', (all) => all.map((b) => b.textContent));
    assert.ok(titles.includes('elementary slope: ball.velocity.x [m/s]'), titles.join(', '));
    const names = await page.$$eval('.page figure.plot .legend li', (all) => all.map((b) => b.textContent.trim()));
    assert.ok(names.some((n) => n.startsWith('ours, ')) && names.some((n) => n.startsWith('published')), names.join(', '));
    const [picture] = await Promise.all([page.waitForEvent('download'), page.locator('.page figure.plot button[title$="(SVG)"]').first().click()]);
    const svg = readFileSync(await picture.path(), 'utf8');
    assert.match(svg, /<circle|stroke-dasharray/, 'nothing published in the picture');
    await shot(page, 'papers');
    await page.locator('.page td button').last().click(); // opens its replay
    assert.equal(await page.$eval('#runs', (s) => s.selectedIndex), (await page.locator('#runs option').count()) - 1);
    assert.ok(colours(await canvasOf(page)) > 10);
    assert.deepEqual(wrong, []);
  },

  async 'draws every curve, whatever its numbers'(browser) {
    const ulp = (x) => Math.abs(x) * 2 ** -52;
    const list = [['nothing', [null, null]], ['one', [3, null]]];
    for (const size of [0, 1e-300, 1e-40, 1e-20, 1e-4, 9.81, 1e5, 1e16, 1e31, 1e40, 1e300, 1.7e308])
      for (const part of [0, 1, 2, 100, 2 ** 20, 2 ** 40, 2 ** 52]) list.push([`${size} and ${part} last places`, [size, size - part * ulp(size)]], [`-${size}`, [-size, size * (part / 2 ** 52)]]);
    const curves = list.map(([title, value]) => ({ title, unit: 'm', x: 'time [s]', series: [{ name: title, at: [1, 2], value }] }));
    for (const part of [1, 3, 2 ** 30]) curves.push({ title: `times ${part} last places apart`, unit: 'm', x: 'time [s]', series: [{ name: 'x', at: [8, 8 + part * ulp(8)], value: [1, 2] }] });
    const axis = (count) => ({ name: 'a', unit: '-', values: Array.from({ length: count }, (_, i) => i) });
    const maps = [{ title: 'many cells', unit: 'm', words: null, x: axis(450), y: axis(450), values: Array.from({ length: 450 }, (_, j) => Array.from({ length: 450 }, (_, i) => i * j)), borders: [] }];
    writeFileSync(join(folder, 'numbers.html'), reportOf({ kind: 'page', title: 'Numbers', text: [], tables: [], curves, maps }));
    const { page, wrong } = await open(browser, 'numbers.html');
    await page.waitForFunction((count) => document.querySelectorAll('.uplot').length === count, curves.length, { timeout: 60000 });
    const blank = await page.$$eval('figure.plot', (all) =>
      all
        .filter((figure) => {
          const canvas = figure.querySelector('canvas');
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          return !data.some((x, i) => i % 4 === 3 && x > 0);
        })
        .map((figure) => figure.innerText),
    );
    assert.deepEqual(blank, []);
    assert.deepEqual(wrong, []);
  },

  async 'tells what the program told'(browser) {
    const { page } = await open(browser, 'disk/report.html');
    const text = await page.innerText('#summary');
    const { story } = JSON.parse(readFileSync(join(folder, 'disk/summary.json'), 'utf8'));
    for (const line of story.slice(1)) assert.ok(text.includes(line.text), `${line.text} is not in ${text}`);
  },

  async 'says what is missing'(browser) {
    const { page, wrong } = await open(browser, 'bare/report.html');
    assert.match(await page.innerText('#summary'), /There is no replay: no frames were recorded/);
    assert.equal(await page.locator('canvas#replay').count(), 0);
    assert.ok((await page.locator('.uplot').count()) > 3);
    assert.deepEqual(wrong, []);
  },
};

writeFileSync(join(folder, 'many.yaml'), MANY);
writeFileSync(join(folder, 'shapes.yaml'), SHAPES);
writeFileSync(join(folder, 'falls.yaml'), walls(-9.81, 0));
writeFileSync(join(folder, 'turns.yaml'), walls(0, 0.5));
run('run', 'examples/euler-disk', '--until', '1 s', '--set', 'record.contacts=true', '--out', 'disk');
run('run', 'examples/euler-disk', '--until', '0.1 s', '--set', 'record.frames=0 s', '--set', 'record.contacts=false', '--out', 'bare');
run('run', 'many.yaml', '--out', 'many');
for (const name of ['shapes', 'falls', 'turns']) run('run', `${name}.yaml`, '--out', name);
run('papers', 'elementary', '--report', 'papers.html');
run('compare', 'sliding-ball', '--report', 'compare.html');
run('sweep', 'ball-up-slope', '--set', 'parameters.v0=0 m/s', '--until', '0.3 s', '--vary', 'parameters.roll=0:100 mm:5', '--vary', 'parameters.tilt=5:40 deg:4', '--report', 'sweep.html');
for (const name of ['disk', 'bare', 'many', 'shapes', 'falls', 'turns']) run('report', name);
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const chosen = Object.entries(tests).filter(([name]) => process.argv.length < 3 || process.argv.slice(2).some((w) => name.includes(w)));
let failed = 0;
for (const [name, test] of chosen) {
  try {
    await test(browser);
    console.log(`good: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
  await Promise.all(browser.contexts().map((c) => c.close()));
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
