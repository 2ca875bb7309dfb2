// runview.ts: everything about one run: words, replay, plots, friction sets, events, scene, provenance.
import { Chart } from './chart';
import { Clock } from './clock';
import { Controls, KEYS } from './controls';
import { button, el, save, short } from './dom';
import { eventTable } from './events';
import { contactFigures, figures, type Figure } from './figures';
import { FrictionPanel } from './friction';
import { Replay } from './replay';
import type { Run } from './run';
import { sentences, titleOf } from './words';

export interface RunView {
  node: HTMLElement;
  clock: Clock;
  press: (event: KeyboardEvent) => boolean;
  close: () => void;
  open: () => void; // once it is on the page
}

function head(run: Run): HTMLElement {
  const [first, ...rest] = sentences(run);
  const notes = run.meta.notes.map((n) => el('p', { class: 'note', role: 'note' }, n));
  return el('section', { class: 'card words', id: 'summary' }, el('p', { class: 'lead' }, first), el('ul', {}, ...rest.map((s) => el('li', {}, s))), ...notes);
}

function texts(run: Run): HTMLElement[] {
  const rows = Object.entries(run.meta.provenance).map(([name, value]) => {
    const shown = name === 'step' ? `${short(Number(value), 6)} s` : String(value);
    return el('tr', {}, el('th', { scope: 'row' }, name.replace('_', ' ')), el('td', {}, shown));
  });
  const name = String(run.meta.provenance.scene || 'scene');
  const saving = button('save', 'Save the scene as a file', () => save(`${name}.yaml`, 'text/yaml', run.meta.scene));
  const keys = KEYS.map(([key, what]) => el('tr', {}, el('th', { scope: 'row' }, key), el('td', {}, what)));
  return [
    el('details', { class: 'card', id: 'scene' }, el('summary', {}, 'Scene as it was understood'), saving, el('pre', { tabindex: 0 }, run.meta.scene)),
    el('section', { class: 'card', id: 'provenance' }, el('h2', {}, 'Provenance'), el('table', {}, el('tbody', {}, ...rows))),
    el('section', { class: 'card screen', id: 'keys' }, el('h2', {}, 'Keys'), el('table', {}, el('tbody', {}, ...keys))),
  ];
}

// The replay, or why there is none.
function stage(run: Run, clock: Clock, followed: (body: number) => void): { node: HTMLElement; replay: Replay | null; controls: Controls | null } {
  const canvas = el('canvas', { id: 'replay', tabindex: 0, 'aria-label': '3-D replay; drag to turn, wheel to zoom' });
  const scale = el('span', { class: 'scale' });
  const picture = el('div', { class: 'picture' }, canvas, scale);
  const node = el('section', { class: 'card stage', 'aria-label': 'Replay' }, picture);
  try {
    const replay = new Replay(run, clock, canvas);
    const controls = new Controls(run, clock, replay, followed);
    scale.textContent = `grid ${short(replay.floors.step)} m`;
    if (replay.crowd.unknown.length) scale.textContent += `; drawn as balls: ${replay.crowd.unknown.join(', ')}`;
    node.append(controls.node);
    return { node, replay, controls };
  } catch (error) {
    picture.replaceChildren(el('p', { class: 'note' }, `This browser shows no 3-D pictures (WebGL): ${String(error)}`));
    return { node, replay: null, controls: null };
  }
}

// On paper the canvas is a picture of the present moment.
function forPrint(replay: Replay): void {
  const image = el('img', { class: 'print', alt: 'The replay at the time of printing' });
  document.querySelector('.picture')?.append(image);
  addEventListener('beforeprint', () => {
    image.src = replay.picture();
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
}

export function runView(run: Run): RunView {
  const clock = new Clock(Number.isFinite(run.start) && run.start < 1e300 ? run.start : 0, run.end);
  const charts: Chart[] = [];
  const plots = el('section', { class: 'plots', 'aria-label': 'Plots' });
  const all = (from: number, to: number) => charts.forEach((c) => c.zoom(from, to));
  const friction = run.meta.sets?.length ? new FrictionPanel(run) : null;
  const add = (list: Figure[]) => {
    for (const figure of list) {
      const chart = new Chart(figure, clock, all);
      charts.push(chart);
      plots.append(chart.node);
    }
  };
  const contactIds = new Set(['slip', 'contour', 'rates', 'forces']);
  // Plots of contacts are those of the followed body.
  const followed = (body: number) => {
    if (body < 0) return;
    const old = charts.filter((c) => contactIds.has(c.figure.id));
    const fresh = contactFigures(run, body);
    old.forEach((c, i) => {
      const chart = new Chart(fresh[i], clock, all);
      charts[charts.indexOf(c)] = chart;
      c.node.replaceWith(chart.node);
      chart.draw();
    });
  };
  const show = run.frames > 0 ? stage(run, clock, followed) : null;
  const left = el('div', { class: 'left' });
  if (show) left.append(show.node);
  if (friction) left.append(friction.node);
  const both = el('div', { class: show ? 'both' : 'both alone' }, left, plots);
  const node = el('div', { class: 'run', 'data-title': titleOf(run) }, head(run), both, eventTable(run, clock), ...texts(run));
  clock.listen(() => charts.forEach((c) => c.tick()));
  if (friction) clock.listen(() => friction.show(run.frameAt(clock.time)));
  const resizer = new ResizeObserver(() => charts.forEach((c) => c.resize()));
  const redraw = () => charts.forEach((c) => c.draw());
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paper = matchMedia('print');
  return {
    node,
    clock,
    press: (event) => show?.controls?.press(event) ?? false,
    open: () => {
      show?.replay?.draw();
      if (show?.replay) forPrint(show.replay);
      // the picture first, plots behind it, a few at a time
      const next = (k: number) => {
        const begun = performance.now();
        while (k < charts.length && performance.now() - begun < 60) charts[k++].draw();
        if (k < charts.length) setTimeout(() => next(k), 0);
        else {
          document.documentElement.dataset.ready = 'true';
          resizer.observe(plots);
        }
      };
      const body = show?.replay ? show.replay.pathBody() : run.meta.bodies.findIndex((b) => b.kind === 'free');
      requestAnimationFrame(() => {
        document.documentElement.dataset.picture = String(Math.round(performance.now()));
        setTimeout(() => {
          add(figures(run, body));
          next(0);
        }, 0);
      });
      dark.addEventListener('change', redraw);
      paper.addEventListener('change', redraw);
      clock.tell();
    },
    close: () => {
      clock.pause();
      dark.removeEventListener('change', redraw);
      paper.removeEventListener('change', redraw);
      resizer.disconnect();
      show?.replay?.dispose();
    },
  };
}
