// clock.ts: the one time of a page: played, scrubbed, or set by a plot; everybody who shows it listens.

export class Clock {
  time: number;
  playing = false;
  speed = 1;
  loop = false;
  private readonly listeners: ((clock: Clock) => void)[] = [];
  private last = 0;

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.time = start;
  }

  listen(listener: (clock: Clock) => void): void {
    this.listeners.push(listener);
  }

  tell(): void {
    for (const listener of this.listeners) listener(this);
  }

  set(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.last = performance.now();
    this.tell();
    requestAnimationFrame(this.tick);
  }

  pause(): void {
    this.playing = false;
    this.tell();
  }

  private readonly tick = (now: number): void => {
    if (!this.playing) return;
    // A slow picture slows the replay rather than skipping what happens.
    const passed = Math.min(Math.max(now - this.last, 0), 250) / 1000;
    this.last = now;
    this.time += passed * this.speed;
    if (this.time >= this.end) {
      this.time = this.loop ? this.start : this.end;
      this.playing = this.loop;
    }
    this.tell();
    requestAnimationFrame(this.tick);
  };
}
