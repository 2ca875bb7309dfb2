// friction.ts: what friction can do at a contact (the boundary its law gives) and what it does now, per normal force.
import { button, colour, el, save, short } from './dom';
import type { Run } from './run';
import type { FrictionSet } from './types';

const NS = 'http://www.w3.org/2000/svg';
const SIZE = 220;

// Axes of the picture: indices into slide 1, slide 2, spin, roll 1, roll 2.
interface View {
  title: string;
  x: number;
  y: number;
  labels: [string, string];
}

// Slide and spin are coupled: the meridian, with all of sliding along x.
const MERIDIAN: View = { title: 'slide and spin', x: 0, y: 2, labels: ['slide [-]', 'spin [m]'] };
const SLIDE: View = { title: 'slide', x: 0, y: 1, labels: ['along t1 [-]', 'along t2 [-]'] };
const ROLL: View = { title: 'roll', x: 3, y: 4, labels: ['about t1 [m]', 'about t2 [m]'] };
const SPIN: View = { title: 'spin and roll', x: 3, y: 2, labels: ['roll [m]', 'spin [m]'] };

function viewOf(set: FrictionSet): View {
  const has = (kind: string) => set.claims.includes(kind);
  if (has('slide')) return has('spin') ? MERIDIAN : SLIDE;
  return has('spin') ? SPIN : ROLL;
}

// The reaction per normal impulse as the view shows it: a meridian turns with the reaction.
function reaction(view: View, y: number[]): [number, number] {
  if (view === MERIDIAN) return [Math.hypot(y[0], y[1]), y[2]];
  if (view === SPIN) return [Math.hypot(y[3], y[4]), y[2]];
  return [y[view.x], y[view.y]];
}

function node(tag: string, props: Record<string, string | number>): SVGElement {
  const out = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(props)) out.setAttribute(name, String(value));
  return out;
}

function text(x: number, y: number, anchor: string, words: string): SVGElement {
  const out = node('text', { x, y, 'text-anchor': anchor });
  out.textContent = words;
  return out;
}

// A picture that stands alone: the colours of the page are written into it.
function alone(picture: SVGElement): string {
  const styles = `text{font:10px sans-serif;fill:${colour('ink-soft')}}.axis{stroke:${colour('grid-strong')};fill:none}.boundary{stroke:${colour('accent')};stroke-width:2;fill:${colour('accent')};fill-opacity:0.14}.ray{stroke:${colour('friction')};stroke-width:2}.reaction{fill:${colour('friction')}}`;
  const copy = picture.cloneNode(true) as SVGElement;
  const style = node('style', {});
  style.textContent = styles;
  copy.prepend(style);
  copy.setAttribute('width', '440');
  return new XMLSerializer().serializeToString(copy) + '\n';
}

// The boundary and, last, the reaction.
function numbers(set: FrictionSet, y: number[]): string {
  const heads = 'what,slide 1 [-],slide 2 [-],spin [m],roll 1 [m],roll 2 [m]';
  return [heads, ...set.points.map((p) => `boundary,${p.join(',')}`), `reaction,${y.join(',')}`].join('\n') + '\n';
}

function draw(set: FrictionSet, y: number[]): HTMLElement {
  const view = viewOf(set);
  const curve = set.points.map((p) => [p[view.x], p[view.y]]);
  const [px, py] = reaction(view, y);
  const wide = Math.max(1e-300, ...curve.map((p) => Math.abs(p[0])));
  const high = Math.max(1e-300, ...curve.map((p) => Math.abs(p[1])));
  const same = view.x < 2 === view.y < 2 && view !== MERIDIAN; // like with like: one scale
  const sx = (0.36 * SIZE) / (same ? Math.max(wide, high) : wide);
  const sy = (0.36 * SIZE) / (same ? Math.max(wide, high) : high);
  const X = (x: number) => 0.5 * SIZE + sx * x;
  const Y = (v: number) => 0.5 * SIZE - sy * v;
  const picture = node('svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, class: 'set', role: 'img' });
  picture.setAttribute('aria-label', `Friction set of ${set.law}: ${view.title}`);
  const line = curve.map(([x, v], i) => `${i ? 'L' : 'M'}${X(x).toFixed(2)} ${Y(v).toFixed(2)}`).join('') + 'Z';
  picture.append(
    node('path', { d: `M0 ${SIZE / 2}H${SIZE}M${SIZE / 2} 0V${SIZE}`, class: 'axis' }),
    node('path', { d: line, class: 'boundary' }),
    node('path', { d: `M${X(0)} ${Y(0)}L${X(px)} ${Y(py)}`, class: 'ray' }),
    node('circle', { cx: X(px), cy: Y(py), r: 4.5, class: 'reaction' }),
    text(SIZE - 3, SIZE - 4, 'end', `→ ${view.labels[0]}`),
    text(SIZE / 2 + 5, 12, 'start', `↑ ${view.labels[1]}`),
    text(X(wide) - 2, SIZE / 2 + 13, 'end', short(wide, 3)),
  );
  const caption = `${set.law}: ${view.title}. Now ${short(px, 3)}, ${short(py, 3)}; limits ${short(wide, 3)}, ${short(high, 3)}.`;
  const tools = el(
    'span',
    { class: 'tools' },
    button('SVG', `Save the set of ${set.law} as a picture (SVG)`, () => save('set.svg', 'image/svg+xml', alone(picture))),
    button('CSV', `Save the data of the set of ${set.law} (CSV)`, () => save('set.csv', 'text/csv', numbers(set, y))),
  );
  return el('figure', { class: 'set-figure' }, picture as unknown as Node, el('figcaption', {}, caption, tools));
}

// The sets of the chosen body's contact nearest in time to a frame, with the reaction of that frame inside.
export class FrictionPanel {
  readonly node = el('section', { class: 'card friction', 'aria-label': 'Friction set' });
  private readonly pictures = el('div', { class: 'sets' });
  private readonly choice = el('select', { 'aria-label': 'Contact' });
  private shown = '';
  private frame = 0;

  constructor(private readonly run: Run) {
    this.node.append(el('h2', {}, 'Friction set'), el('label', {}, 'Contact ', this.choice), this.pictures);
    this.node.append(el('p', { class: 'small' }, 'What friction can do per unit of normal force, from the law’s boundary; the dot is what it does now. On the edge: it slips, rolls or spins.'));
    this.choice.addEventListener('change', () => {
      this.shown = '';
      this.show(this.frame);
    });
  }

  private pairs(frame: number): Map<string, number> {
    const out = new Map<string, number>();
    for (const c of this.run.contacts(frame).slice(0, 200)) {
      const name = (body: number) => this.run.meta.bodies[body]?.name ?? '?';
      const key = `${name(c.a)} on ${name(c.b)}`;
      let unique = key;
      for (let k = 2; out.has(unique); k++) unique = `${key} (${k})`;
      out.set(unique, c.row);
    }
    return out;
  }

  private setsFor(row: number, frame: number): FrictionSet[] {
    const wanted = this.run.contact(row);
    const best = new Map<string, FrictionSet>();
    for (const set of this.run.meta.sets ?? []) {
      const c = this.run.contact(set.contact);
      if (c.a !== wanted.a || c.b !== wanted.b) continue;
      const before = best.get(set.law);
      if (!before || Math.abs(set.frame - frame) < Math.abs(before.frame - frame)) best.set(set.law, set);
    }
    return [...best.values()];
  }

  show(frame: number): void {
    if (!this.run.meta.sets?.length) return;
    const kept = this.run.contactFrame(frame);
    this.frame = frame;
    if (this.shown === `${kept}`) return;
    this.shown = `${kept}`;
    const pairs = this.pairs(frame);
    const chosen = this.choice.value;
    this.choice.replaceChildren(...[...pairs.keys()].map((name) => el('option', {}, name)));
    if (pairs.has(chosen)) this.choice.value = chosen;
    const row = pairs.get(this.choice.value);
    this.pictures.replaceChildren();
    if (row === undefined) {
      this.pictures.append(el('p', {}, 'No contact now.'));
      return;
    }
    const c = this.run.contact(row);
    const y = c.impulse.slice(1).map((p) => (c.impulse[0] > 0 ? p / c.impulse[0] : 0));
    for (const set of this.setsFor(row, frame)) this.pictures.append(draw(set, y));
  }
}
