// events.ts: the table of events; a row takes the replay to its time.
import type { Clock } from './clock';
import { el, short } from './dom';
import type { Run } from './run';
import type { EventRow } from './types';

const MOST = 400; // rows at once

function row(run: Run, clock: Clock, e: EventRow): HTMLTableRowElement {
  const [time, kind, rows, body, other, x, y, z, speed] = e;
  const name = (k: number) => (k >= 0 ? (run.meta.bodies[k]?.name ?? '?') : '');
  const go = el('button', { type: 'button', title: `Go to ${short(time)} s`, click: () => clock.set(time) }, short(time, 6));
  const cells = [kind, rows, name(body), name(other), `(${short(x)}, ${short(y)}, ${short(z)})`, speed ? short(speed) : ''];
  return el('tr', { 'data-kind': kind }, el('td', {}, go), ...cells.map((c) => el('td', {}, c)));
}

export function eventTable(run: Run, clock: Clock): HTMLElement {
  const events = run.meta.events;
  const body = el('tbody');
  const kinds = ['all', ...new Set(events.map((e) => e[1]))];
  const choice = el('select', { 'aria-label': 'Kind of event' }, ...kinds.map((k) => el('option', {}, k)));
  const count = el('span', { class: 'small' });
  const fill = () => {
    const chosen = events.filter((e) => choice.value === 'all' || e[1] === choice.value);
    body.replaceChildren(...chosen.slice(0, MOST).map((e) => row(run, clock, e)));
    count.textContent = chosen.length > MOST ? ` the first ${MOST} of ${chosen.length}` : ` ${chosen.length}`;
  };
  choice.addEventListener('change', fill);
  fill();
  const heads = ['time [s]', 'event', 'rows', 'body', 'other', 'position [m]', 'speed [m/s, rad/s]'];
  const table = el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((h) => el('th', { scope: 'col' }, h)))), body);
  const scroller = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Events' }, table);
  return el('section', { class: 'card', id: 'events' }, el('h2', {}, 'Events'), el('label', {}, 'Show ', choice), count, scroller);
}
