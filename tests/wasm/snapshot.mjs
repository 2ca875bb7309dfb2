// snapshot.mjs: a run that goes from the program to trundle.wasm and back by snapshots ends with the bits of one that never left.
//
// usage: snapshot.mjs; TRUNDLE is the program, TRUNDLE_SOURCE_DIR the source tree.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const source = process.env.TRUNDLE_SOURCE_DIR;
const { Play, Refused } = await import(join(source, 'wasm/module.mjs'));
const module = await WebAssembly.compile(readFileSync(join(source, 'build/wasm/trundle.wasm')));
const folder = mkdtempSync(join(tmpdir(), 'trundle-wasm-'));

// A coin that slips and rolls, an emitter with an outlet, springs with a history, joints, and a scheme with levels.
const SCENES = ['examples/euler-disk', 'cone/drum', 'contact-tracking/track-stack', 'mechanisms/slider-crank', 'variational/two-rims'];

function native(name, until, ...words) {
  const said = execFileSync(process.env.TRUNDLE, ['run', join(source, 'scenes', `${name}.yaml`), '--until', `${until} s`, '--json', ...words], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return JSON.parse(said);
}

async function started(name) {
  const play = await Play.open(module);
  play.scene(readFileSync(join(source, 'scenes', `${name}.yaml`), 'utf8'));
  play.start();
  return play;
}

for (const name of SCENES) {
  const first = await started(name);
  const at = (steps) => (first.end * steps) / first.lastStep;
  const [there, back, end] = [at(100), at(200), at(300)];
  const dir = join(folder, name.replace('/', '-'));
  const left = native(name, there, '--out', dir);

  const play = await started(name);
  play.load(readFileSync(join(dir, 'snapshot.tru')));
  assert.equal(play.stateHash, left.state_hash, `${name}: the hash on arrival`);
  play.until(back);
  while (!play.done) play.run(1e6);
  writeFileSync(join(dir, 'snapshot.tru'), play.save());

  const whole = native(name, end, '--out', 'none');
  const pieces = native(name, end, '--out', dir, '--resume');
  assert.equal(pieces.state_hash, whole.state_hash, `${name}: the hash after a stay in the module`);
  assert.equal(pieces.steps, whole.steps);
  console.log(`same: ${name}: ${whole.steps} steps, ${whole.state_hash}`);
}

// Bytes of another scene, and bytes with a flipped bit, are refused and change nothing.
const play = await started(SCENES[0]);
const before = play.stateHash;
const foreign = await started(SCENES[3]);
assert.throws(() => play.load(foreign.save()), (e) => e instanceof Refused && /another scene/.test(e.message));
const damaged = play.save();
damaged[damaged.length >> 1] ^= 1;
assert.throws(() => play.load(damaged), Refused);
assert.equal(play.stateHash, before);
console.log('foreign and damaged snapshots are refused');
rmSync(folder, { recursive: true });
