// runner.ts: one worker with one run at a time. A newer job replaces the one that runs.
import type { Answer, Job } from './messages';
import Engine from './worker?worker&inline';

export class Runner {
  busy = false;
  private worker: Worker | null = null;
  private waiting: Job | null = null;
  private begun = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly heard: (answer: Answer) => void,
  ) {}

  // A run that took less than PATIENCE so far may end; a longer one is ended, so that the new one begins.
  start(job: Job): void {
    const PATIENCE = 150; // [ms]
    if (this.busy && performance.now() - this.begun < PATIENCE) {
      this.waiting = job;
      setTimeout(() => this.waiting === job && this.start(job), PATIENCE);
      return;
    }
    if (this.busy) this.stop();
    this.waiting = null;
    this.busy = true;
    this.begun = performance.now();
    if (this.worker) this.worker.postMessage(job);
    else this.create().postMessage({ ...job, bytes: this.bytes });
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.waiting = null;
    this.busy = false;
  }

  private create(): Worker {
    this.worker = new Engine();
    this.worker.addEventListener('message', (event: MessageEvent<Answer>) => this.answer(event.data));
    this.worker.addEventListener('error', (event) => {
      this.stop();
      this.heard({ kind: 'refused', sentence: `The simulation broke off: ${event.message}` });
    });
    return this.worker;
  }

  private answer(answer: Answer): void {
    const last = answer.kind === 'refused' || (answer.kind === 'shown' && answer.done);
    if (last) this.busy = false;
    this.heard(answer);
    if (last && this.waiting) this.start(this.waiting);
  }
}
