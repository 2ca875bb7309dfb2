// hashes.mjs: every scene of scenes/, with each of its steppers, in trundle.wasm and by the program: same steps, same state hash.
//
// usage: hashes.mjs [--full] [WORD...]; TRUNDLE is the program, TRUNDLE_SOURCE_DIR the source tree. Words choose scenes by path.
// Each scene runs to its end, or 2000 steps, or fewer if it has more than 200 bodies; --full: always to its end.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const source = process.env.TRUNDLE_SOURCE_DIR;
const trundle = process.env.TRUNDLE;
const STEPS = 2000;
const BODY_STEPS = 400000; // steps times bodies
const { Play, Refused } = await import(join(source, 'wasm/module.mjs'));
const module = await WebAssembly.compile(readFileSync(join(source, 'build/wasm/trundle.wasm')));

const full = process.argv.includes('--full');
const words = process.argv.slice(2).filter((w) => w !== '--full');
const scenes = readdirSync(join(source, 'scenes'), { recursive: true })
  .filter((name) => name.endsWith('.yaml') && words.every((w) => name.includes(w)))
  .sort();

// The end that both get.
function shorten(play) {
  const most = Math.min(STEPS, Math.ceil(BODY_STEPS / play.bodies));
  if (!full && play.lastStep > most) play.until((play.end * most) / play.lastStep);
}

function native(file, stepper, until) {
  try {
    const said = execFileSync(trundle, ['run', file, '--stepper', stepper, '--until', `${until} s`, '--out', 'none', '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 });
    const summary = JSON.parse(said);
    return `${summary.steps} steps, ${summary.state_hash}`;
  } catch (error) {
    if (!error.stderr) throw error;
    return error.stderr.trim().split('\n').at(-1);
  }
}

async function compare(name) {
  const file = join(source, 'scenes', name);
  const text = readFileSync(file, 'utf8');
  const first = await Play.open(module);
  first.scene(text);
  let wrong = 0;
  for (const stepper of first.steppers()) {
    const play = await Play.open(module);
    play.scene(text);
    let ours;
    let until = 1;
    try {
      play.start(stepper);
      shorten(play);
      until = play.end;
      while (!play.done) play.run(1e6);
      ours = `${play.steps} steps, ${play.stateHash}`;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      ours = error.message;
    }
    const theirs = native(file, stepper, until);
    const same = ours === theirs || theirs.endsWith(ours.replace(/^scene\.yaml/, ''));
    if (!same) wrong++;
    console.log(`${same ? 'same' : 'DIFFERENT'}: ${relative(source, file)} ${stepper}: ${ours}${same ? '' : `, natively ${theirs}`}`);
  }
  return wrong;
}

let wrong = 0;
for (const name of scenes) wrong += await compare(name);
console.log(`${scenes.length} scenes, ${wrong} differences`);
process.exit(wrong || scenes.length === 0 ? 1 : 0);
