// page.mjs: the playground opened as people do, from disk in a real browser, with no error and no request.
//
// usage: page.mjs [WORD...]; TRUNDLE is the program, TRUNDLE_SOURCE_DIR the source tree; TRUNDLE_SHOTS a folder for pictures.
// Exit 77: no browser, or its driver is not installed (tools/viewer install).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const source = process.env.TRUNDLE_SOURCE_DIR;
const trundle = process.env.TRUNDLE;
const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const driver = join(source, 'viewer/node_modules/playwright-core');
if (!chromiumPath || !existsSync(driver)) {
  console.log(`skipped: ${chromiumPath ? 'playwright-core is not installed (tools/viewer install)' : 'Chromium is not installed'}`);
  process.exit(77);
}
const { chromium } = createRequire(join(source, 'viewer/package.json'))('playwright-core');
const folder = mkdtempSync(join(tmpdir(), 'trundle-page-'));
const file = join(folder, 'playground.html');
execFileSync('node', [join(source, 'tools/playground.mjs'), source, join(source, 'build/wasm/trundle.wasm'), file]);

const shot = (page, name) => (process.env.TRUNDLE_SHOTS ? page.screenshot({ path: join(process.env.TRUNDLE_SHOTS, `${name}.png`), fullPage: true }) : null);
const native = (...words) => JSON.parse(execFileSync(trundle, ['run', ...words, '--out', 'none', '--json'], { cwd: folder, encoding: 'utf8' }));
const hashOf = (page) => page.innerText('#hash');
const done = (page) => page.waitForFunction(() => document.documentElement.dataset.done && document.querySelector('#hash').textContent === document.documentElement.dataset.done && /steps in/.test(document.querySelector('#status').textContent), null, { timeout: 120000 });
const pixels = (page) => page.locator('canvas#replay').screenshot();

async function open(browser, options = {}, path = file) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 }, ...options });
  const wrong = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !/GPU stall|swiftshader/i.test(m.text()) && wrong.push(`console: ${m.text()}`));
  page.on('pageerror', (e) => wrong.push(`error: ${e.message}`));
  page.on('request', (r) => !/^(data|blob):/.test(r.url()) && r.url() !== `file://${path}` && wrong.push(`request: ${r.url()}`));
  await page.goto(`file://${path}`);
  return { page, wrong };
}

async function choose(page, title) {
  await page.evaluate(() => delete document.documentElement.dataset.done);
  await page.selectOption('#scenes', { label: title });
  await done(page);
}

// Runs the command that the page names, word by word as a shell would.
function commandSays(text) {
  const words = [...text.matchAll(/(?:[^\s']|'[^']*')+/g)].map((m) => m[0].replaceAll("'", ''));
  assert.deepEqual(words.slice(0, 2), ['trundle', 'run']);
  return native(...words.slice(2).filter((w) => !['--out', 'none', '--json'].includes(w)));
}

const tests = {
  async 'opens from disk, plays at once, and ends with the bits of the program'(browser) {
    const { page, wrong } = await open(browser);
    await page.waitForSelector('canvas#replay');
    console.log(`  first picture after ${await page.evaluate(() => Math.round(performance.now()))} ms`);
    await done(page);
    assert.equal(await hashOf(page), native('examples/euler-disk').state_hash);
    assert.equal(commandSays(await page.innerText('#command')).state_hash, await hashOf(page));
    const time = () => page.evaluate(() => parseFloat(document.querySelector('.time').textContent));
    const before = await time();
    await page.waitForFunction((t) => parseFloat(document.querySelector('.time').textContent) > t, before, { timeout: 60000 });
    await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 60000 });
    assert.ok((await page.locator('.uplot').count()) > 3, 'no plots');
    await shot(page, 'playground');
    assert.deepEqual(wrong, []);
  },

  async 'changes the picture and the hash with a slider'(browser) {
    const { page, wrong } = await open(browser);
    await choose(page, 'A sliding ball begins to roll');
    await page.keyboard.press('End');
    const [before, hash] = [await pixels(page), await hashOf(page)];
    assert.equal(hash, native('examples/sliding-ball').state_hash);
    const slider = page.locator('#sliders input').first();
    await page.evaluate(() => delete document.documentElement.dataset.done);
    await slider.evaluate((s) => {
      s.value = String(0.5 * (Number(s.min) + Number(s.max)));
      s.dispatchEvent(new Event('input'));
    });
    await done(page);
    await page.keyboard.press('End');
    assert.notEqual(await hashOf(page), hash);
    assert.ok(!before.equals(await pixels(page)), 'the picture is the same');
    const command = await page.innerText('#command');
    assert.match(command, /trundle run examples\/sliding-ball --set parameters\./);
    assert.equal(commandSays(command).state_hash, await hashOf(page));
    assert.deepEqual(wrong, []);
  },

  async 'marks a mistake at its line, and runs the corrected text'(browser) {
    const { page, wrong } = await open(browser);
    await choose(page, 'A sliding ball begins to roll');
    await page.locator('#editor summary').click();
    const text = await page.inputValue('#text');
    const line = text.split('\n').findIndex((l) => /sphere/.test(l)) + 1;
    await page.fill('#text', text.replace('sphere', 'spere'));
    await page.waitForSelector('html[data-ready=refused]', { state: 'attached' });
    assert.match(await page.innerText('#mistake'), new RegExp(`^scene\\.yaml:${line}:\\d+: .*spere.*did you mean 'sphere'`));
    assert.equal(await page.evaluate(() => [...document.querySelectorAll('.numbers li')].findIndex((li) => li.className === 'bad') + 1), line);
    await shot(page, 'playground-mistake');
    await page.evaluate(() => delete document.documentElement.dataset.done);
    await page.fill('#text', text);
    await done(page);
    assert.ok(await page.locator('#mistake').isHidden());
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#editor button')]);
    assert.equal(readFileSync(await saved.path(), 'utf8'), text);
    assert.deepEqual(wrong, []);
  },

  async 'shows first the scene that trundle play puts inside'(browser) {
    const own = join(folder, 'own.yaml');
    const text = readFileSync(join(source, 'scenes/examples/sliding-ball.yaml'), 'utf8').replace(/^title:.*$/m, 'title: Mine </script> "and" so on');
    writeFileSync(own, text);
    execFileSync(trundle, ['play', own, '--out', join(folder, 'own.html')], { env: { ...process.env, TRUNDLE_DATA: folder, DISPLAY: '', WAYLAND_DISPLAY: '' } });
    const { page, wrong } = await open(browser, {}, join(folder, 'own.html'));
    await done(page);
    assert.equal(await page.inputValue('#text'), text);
    assert.equal(await page.$eval('#scenes', (s) => s.selectedOptions[0].textContent), 'Mine </script> "and" so on');
    assert.equal(commandSays(await page.innerText('#command')).state_hash, await hashOf(page));
    assert.deepEqual(wrong, []);
  },

  async 'stops a long run, and goes on with another'(browser) {
    const { page, wrong } = await open(browser);
    await choose(page, 'A sliding ball begins to roll');
    await page.locator('#editor summary').click();
    const text = await page.inputValue('#text');
    await page.fill('#text', text.replace(/until: [^,}\n]*/, 'until: 1e9 s'));
    await page.waitForFunction(() => /runs: .* of 1e9 s/.test(document.querySelector('#status').textContent), null, { timeout: 60000 });
    await page.click('button[title="Stop the run"]');
    assert.match(await page.innerText('#status'), /^Stopped/);
    await page.waitForTimeout(300);
    assert.match(await page.innerText('#status'), /^Stopped/);
    await choose(page, 'A sliding ball begins to roll');
    assert.equal(await hashOf(page), native('examples/sliding-ball').state_hash);
    assert.deepEqual(wrong, []);
  },

  async 'keeps its memory and its picture over many moves of a slider'(browser) {
    const { page, wrong } = await open(browser);
    await choose(page, 'A sliding ball begins to roll');
    for (let k = 0; k < 40; k++) {
      await page.evaluate(() => delete document.documentElement.dataset.done);
      await page.locator('#sliders input').first().evaluate((s, part) => {
        s.value = String(Number(s.min) + part * (Number(s.max) - Number(s.min)));
        s.dispatchEvent(new Event('input'));
      }, (k + 1) / 41);
      await done(page);
    }
    assert.equal(await page.evaluate(() => document.querySelector('canvas#replay').getContext('webgl2').isContextLost()), false);
    assert.equal(await page.locator('canvas#replay').count(), 1);
    assert.deepEqual(wrong, []);
  },

  async 'is usable on a phone, in the dark'(browser) {
    const { page, wrong } = await open(browser, { viewport: { width: 400, height: 850 }, colorScheme: 'dark' });
    await done(page);
    await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 60000 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the screen');
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(16, 20, 24)');
    await page.locator('#editor summary').click();
    await shot(page, 'playground-phone-dark');
    assert.deepEqual(wrong, []);
  },
};

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
process.exit(failed || !chosen.length ? 1 : 0);
