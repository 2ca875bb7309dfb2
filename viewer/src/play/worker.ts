// worker.ts: runs scenes in trundle.wasm apart from the page, which ends this worker to stop a run.
import { Play, Refused } from '../../../wasm/module.mjs';
import type { Answer, Job } from './messages';

const BATCH = 0.05; // [s] between looks at the clock
const FIRST = 0.5; // [s] after which an unfinished run is shown; then after three times as long, and so on

let module: WebAssembly.Module | null = null;
const tell = (answer: Answer) => postMessage(answer);
const now = () => performance.now() / 1000;

function show(play: Play, begun: number): void {
  tell({ kind: 'shown', block: play.block('playground'), hash: play.stateHash, steps: play.steps, time: play.time, done: play.done, wall: now() - begun });
}

function run(play: Play): void {
  const begun = now();
  let next = FIRST;
  for (let batch = 1; !play.done; ) {
    const before = now();
    play.run(batch);
    const took = now() - before;
    batch = Math.min(Math.max(Math.round(took < BATCH ? 2 * batch : batch / 2), 1), 1e6);
    tell({ kind: 'progress', time: play.time, end: play.end, steps: play.steps });
    if (play.done || now() - begun < next) continue;
    show(play, begun);
    next = 3 * (now() - begun);
  }
  play.finish(now() - begun);
  show(play, begun);
}

async function work(job: Job): Promise<void> {
  if (job.bytes) module = await WebAssembly.compile(job.bytes as BufferSource);
  const play = await Play.open(module!);
  play.scene(job.text);
  for (const [path, value] of job.changes) play.change(path, value);
  play.show();
  play.start('', true);
  run(play);
}

addEventListener('message', (event: MessageEvent<Job>) => {
  work(event.data).catch((error) => {
    const trap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    const sentence = error instanceof Refused ? error.message : trap ? `The simulation ran out of memory or stack (${error.message}). A smaller scene may fit.` : String(error);
    tell({ kind: 'refused', sentence });
  });
});
