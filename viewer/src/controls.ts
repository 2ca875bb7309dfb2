// controls.ts: the bar below the replay and the keys that do the same.
import type { Clock } from './clock';
import { MODES, type Paint } from './crowd';
import { button, el, short } from './dom';
import type { Replay } from './replay';
import type { Run } from './run';

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50];
const FOLLOWED = 300; // bodies in the list

export const KEYS: [string, string][] = [
  ['space', 'play or pause'],
  ['← →', 'one frame back or on (with shift: ten)'],
  ['home, end', 'first or last frame'],
  ['− +', 'slower or faster'],
  ['a d w s', 'turn the view'],
  ['z x', 'nearer or farther'],
  ['f', 'follow the next body'],
  ['c', 'next way of colouring'],
  ['r', 'the whole scene again'],
  ['tab', 'from button to button'],
];

export class Controls {
  readonly node = el('div', { class: 'bar' });
  private readonly playButton = button('▶', 'Play or pause (space)', () => this.clock.toggle());
  private readonly scrub: HTMLInputElement;
  private readonly label = el('output', { class: 'time' });
  private readonly speed = el('select', { 'aria-label': 'Speed' });
  private readonly follow = el('select', { 'aria-label': 'Follow a body' });
  private readonly paint = el('select', { 'aria-label': 'Colour' });
  private readonly key = el('div', { class: 'key' });

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    private readonly replay: Replay,
    private readonly followed: (body: number) => void,
  ) {
    this.scrub = el('input', { type: 'range', min: 0, max: 1000, step: 'any', value: 0, 'aria-label': 'Time' });
    this.scrub.max = String(clock.end - clock.start || 1);
    this.scrub.addEventListener('input', () => {
      const wanted = clock.start + Number(this.scrub.value); // pausing shows the old time there again
      clock.pause();
      clock.set(wanted);
    });
    this.fill();
    const toggles = [this.toggle('contacts', 'Contact points and arrows', run.hasContacts, (on) => replay.showArrows(on)), this.toggle('path', 'Path of the contact point', true, (on) => replay.showPaths(on))];
    this.node.append(
      el('div', { class: 'row' }, this.playButton, this.scrub, this.label),
      el('div', { class: 'row' }, el('label', {}, 'speed ', this.speed), el('label', {}, 'follow ', this.follow), el('label', {}, 'colour ', this.paint), ...toggles, button('⌂', 'The whole scene again (r)', () => this.home())),
      this.key,
    );
    clock.listen(() => this.tick());
    this.tick();
  }

  private fill(): void {
    const length = this.clock.end - this.clock.start;
    this.speed.append(...SPEEDS.map((s) => el('option', { value: s }, `${s}×`)));
    // long runs and very short ones begin at a speed that can be watched
    const wish = length > 0 && length < 0.5 ? length / 5 : 1;
    this.clock.speed = SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / wish)) < Math.abs(Math.log(best / wish)) ? s : best), 1);
    this.speed.value = String(this.clock.speed);
    this.speed.addEventListener('change', () => (this.clock.speed = Number(this.speed.value)));
    this.follow.append(el('option', { value: -1 }, 'none'), ...this.movers().map((i) => el('option', { value: i }, this.run.meta.bodies[i].name)));
    this.follow.addEventListener('change', () => this.setFollow(Number(this.follow.value)));
    const ways: [Paint, string][] = [['body', 'by body']];
    if (this.run.hasContacts) ways.push(['mode', 'slip / stick / roll / spin']);
    ways.push(['height', 'by height at the start']);
    this.paint.append(...ways.map(([value, text]) => el('option', { value }, text)));
    const start: Paint = this.run.hasContacts && this.run.bodies <= 1000 ? 'mode' : this.run.bodies > 100 ? 'height' : 'body';
    this.paint.value = this.replay.paint = start;
    this.paint.addEventListener('change', () => this.setPaint());
    this.setPaint();
  }

  private movers(): number[] {
    return this.run.meta.bodies.map((_, i) => i).filter((i) => this.run.meta.bodies[i].kind !== 'fixed').slice(0, FOLLOWED);
  }

  private toggle(name: string, title: string, able: boolean, act: (on: boolean) => void): HTMLElement {
    const box = el('input', { type: 'checkbox', checked: able, disabled: !able });
    box.addEventListener('change', () => act(box.checked));
    return el('label', { title: able ? title : `${title}: not recorded` }, box, ` ${name}`);
  }

  private setPaint(): void {
    this.replay.paint = this.paint.value as Paint;
    const arrows = this.run.hasContacts ? ['normal', 'friction'] : [];
    const words: Record<string, string> = { free: 'no contact', stick: 'sticks', roll: 'rolls', spin: 'spins', slip: 'slips; slip speed →', normal: 'normal force →', friction: 'friction force →' };
    const names = [...(this.replay.paint === 'mode' ? MODES : []), ...arrows];
    this.key.replaceChildren(...names.map((n) => el('span', {}, el('i', { style: `background: var(--${n})` }), words[n])));
    this.replay.restyle();
  }

  private setFollow(body: number): void {
    this.follow.value = String(body);
    this.replay.setFollow(body);
    this.followed(body);
  }

  private home(): void {
    this.follow.value = '-1';
    this.replay.setFollow(-1);
  }

  private tick(): void {
    this.playButton.textContent = this.clock.playing ? '❚❚' : '▶';
    this.scrub.value = String(this.clock.time - this.clock.start);
    this.scrub.setAttribute('aria-valuetext', `${short(this.clock.time)} s`);
    this.label.textContent = `${this.clock.time.toFixed(3)} s of ${short(this.clock.end)} s`;
  }

  private step(frames: number): void {
    this.clock.pause();
    const { time } = this.run;
    const at = this.run.frameAt(this.clock.time + 1e-9 * (this.clock.end - this.clock.start));
    this.clock.set(time[Math.min(Math.max(at + frames, 0), time.length - 1)] ?? this.clock.time);
  }

  private faster(by: number): void {
    const k = Math.min(Math.max(SPEEDS.indexOf(this.clock.speed) + by, 0), SPEEDS.length - 1);
    this.clock.speed = SPEEDS[k];
    this.speed.value = String(SPEEDS[k]);
  }

  private next(select: HTMLSelectElement): void {
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    select.dispatchEvent(new Event('change'));
  }

  // True if the key meant something.
  press(event: KeyboardEvent): boolean {
    const far = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      ' ': () => this.clock.toggle(),
      ArrowLeft: () => this.step(-far),
      ArrowRight: () => this.step(far),
      Home: () => this.clock.set(this.clock.start),
      End: () => this.clock.set(this.clock.end),
      '-': () => this.faster(-1),
      '+': () => this.faster(1),
      '=': () => this.faster(1),
      a: () => this.replay.turn(-0.15, 0, 1),
      d: () => this.replay.turn(0.15, 0, 1),
      w: () => this.replay.turn(0, 0.1, 1),
      s: () => this.replay.turn(0, -0.1, 1),
      z: () => this.replay.turn(0, 0, 0.85),
      x: () => this.replay.turn(0, 0, 1 / 0.85),
      f: () => this.next(this.follow),
      c: () => this.next(this.paint),
      r: () => this.home(),
    };
    const action = actions[event.key];
    if (action) action();
    return action !== undefined;
  }
}

// Keys go to the bar unless something else takes them.
export function keyboard(press: (event: KeyboardEvent) => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    if (target.closest('select, textarea, input[type=range]')) return;
    if (target.closest('button, input, a, summary') && (event.key === ' ' || event.key === 'Enter')) return;
    if (press(event)) event.preventDefault();
  });
}
