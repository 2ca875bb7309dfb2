// pages.ts: tables with verdicts, overlaid curves, and maps with their borders: papers, comparisons, sweeps.
import { button, colour, el, save, SERIES, short } from './dom';
import { Chart } from './chart';
import type { Figure } from './figures';
import type { Cell, Page, PageCurves, PageMap, PageTable } from './types';

type Open = (run: number) => void;

function cell(content: string | Cell, open: Open): HTMLElement {
  if (typeof content === 'string') return el('td', {}, content);
  const { run } = content;
  if (run !== undefined) return el('td', {}, button(`▶ ${content.text}`, `Replay of ${content.text}`, () => open(run)));
  return el('td', { class: content.mark ?? '' }, content.text);
}

function tableText(t: PageTable): string {
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const plain = (c: string | Cell) => quote(typeof c === 'string' ? c : c.text);
  return [t.heads.map(quote), ...t.rows.map((r) => r.map(plain))].map((r) => r.join(',')).join('\n') + '\n';
}

function table(t: PageTable, open: Open): HTMLElement {
  const head = el('tr', {}, ...t.heads.map((h) => el('th', { scope: 'col' }, h)));
  const body = t.rows.map((row) => el('tr', {}, ...row.map((c) => cell(c, open))));
  const node = el('table', {}, el('thead', {}, head), el('tbody', {}, ...body));
  const tools = el('span', { class: 'tools' }, button('CSV', `Save ${t.title} (CSV)`, () => save('table.csv', 'text/csv', tableText(t))));
  const section = el('section', { class: 'card' }, el('h2', {}, t.title, tools));
  if (t.text) section.append(el('p', {}, t.text));
  section.append(el('div', { class: 'scroll tall', tabindex: 0, role: 'region', 'aria-label': t.title }, node));
  return section;
}

// Curves on their own points, brought onto all points there are.
function curves(c: PageCurves, k: number): HTMLElement {
  const times = [...new Set(c.series.flatMap((s) => s.at))].sort((a, b) => a - b);
  const series = c.series.map((s) => {
    const known = new Map(s.at.map((t, i) => [t, s.value[i]]));
    return { name: s.name, values: times.map((t) => known.get(t) ?? null), style: s.style };
  });
  const figure: Figure = { id: `curves-${k}`, title: c.title, unit: c.unit, time: times, x: c.x, series, span: true };
  const chart = new Chart(figure, null);
  requestAnimationFrame(() => chart.draw());
  return chart.node;
}

const CELL = 26;
const EDGE = 60;

// Smallest and largest; a call with all of them as arguments would fail where there are many.
function extent(values: number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) [low, high] = [Math.min(low, v), Math.max(high, v)];
  return [low, high];
}

// A word's colour, or a blue that deepens with the value.
function ink(map: PageMap, value: number | null, low: number, high: number): string {
  if (value === null) return 'transparent';
  if (map.words) return colour(SERIES[Math.round(value) % SERIES.length]);
  const part = high > low ? (value - low) / (high - low) : 0.5;
  return `hsl(${(210 + 30 * part).toFixed(0)} 70% ${(88 - 60 * part).toFixed(0)}%)`;
}

// Where a value lies among the axis values, in cells.
function along(values: number[], at: number): number {
  if (values.length < 2) return 0.5;
  let k = 0;
  while (k < values.length - 2 && values[k + 1] < at) k++;
  return k + 0.5 + (at - values[k]) / (values[k + 1] - values[k]);
}

function mapSvg(map: PageMap): string {
  const nx = map.x.values.length;
  const ny = map.y.values.length;
  const size = Math.max(4, Math.min(CELL, 720 / nx));
  const W = nx * size;
  const H = ny * size;
  const flat = map.values.flat().filter((v): v is number => v !== null);
  const [low, high] = extent(flat);
  const parts: string[] = [];
  map.values.forEach((row, j) =>
    row.forEach((v, i) => {
      const word = v === null ? 'nothing' : map.words ? map.words[Math.round(v)] : `${short(v)} ${map.unit}`;
      const title = `${map.x.name} ${short(map.x.values[i])}, ${map.y.name} ${short(map.y.values[j])}: ${word}`;
      parts.push(`<rect x="${(i * size).toFixed(1)}" y="${(H - (j + 1) * size).toFixed(1)}" width="${size}" height="${size}" fill="${ink(map, v, low, high)}"><title>${title}</title></rect>`);
    }),
  );
  for (const b of map.borders) {
    const d = b.points.map(([x, y], i) => `${i ? 'L' : 'M'}${(along(map.x.values, x) * size).toFixed(1)} ${(H - along(map.y.values, y) * size).toFixed(1)}`).join('');
    parts.push(`<path d="${d}" fill="none" stroke="${colour('ink')}" stroke-width="2"><title>${b.name}</title></path>`);
  }
  const every = Math.max(1, Math.ceil(nx / 8));
  const texts: string[] = [];
  map.x.values.forEach((x, i) => i % every === 0 && texts.push(`<text x="${(i + 0.5) * size}" y="${H + 16}" text-anchor="middle">${short(x, 3)}</text>`));
  const everyY = Math.max(1, Math.ceil(ny / 8));
  map.y.values.forEach((y, j) => j % everyY === 0 && texts.push(`<text x="-6" y="${H - (j + 0.5) * size + 4}" text-anchor="end">${short(y, 3)}</text>`));
  texts.push(`<text x="${W / 2}" y="${H + 36}" text-anchor="middle">${map.x.name} [${map.x.unit}]</text>`);
  texts.push(`<text x="${-EDGE}" y="-8">${map.y.name} [${map.y.unit}]</text>`);
  const fill = colour('ink');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-EDGE - 4} -26 ${W + EDGE + 24} ${H + 70}" width="${W + EDGE + 24}" font-family="sans-serif" font-size="12"><g fill="${fill}">${texts.join('')}</g><g clip-path="inset(0)">${parts.join('')}</g></svg>`;
}

function mapKey(map: PageMap): string[] {
  const flat = map.values.flat().filter((v): v is number => v !== null);
  const [low, high] = extent(flat);
  if (!map.words) return flat.length ? [`from ${short(low)} (light) to ${short(high)} ${map.unit} (dark)`] : [];
  return map.words;
}

function mapText(m: PageMap): string {
  const word = (v: number | null) => (v === null ? '' : m.words ? m.words[v] : v);
  const heads = [`${m.x.name} [${m.x.unit}]`, `${m.y.name} [${m.y.unit}]`, `${m.title} [${m.unit}]`];
  const rows = m.values.flatMap((row, j) => row.map((v, i) => [m.x.values[i], m.y.values[j], word(v)].join(',')));
  return [heads.join(','), ...rows].join('\n') + '\n';
}

function map(m: PageMap): HTMLElement {
  const tools = el(
    'span',
    { class: 'tools' },
    button('SVG', `Save ${m.title} as a picture (SVG)`, () => save('map.svg', 'image/svg+xml', mapSvg(m))),
    button('CSV', `Save the data of ${m.title} (CSV)`, () => save('map.csv', 'text/csv', mapText(m))),
  );
  const picture = el('div', { class: 'map' });
  const draw = () => (picture.innerHTML = mapSvg(m));
  draw();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  const key = el('div', { class: 'key' });
  mapKey(m).forEach((word, i) => key.append(el('span', {}, ...(m.words ? [el('i', { style: `background: var(--${SERIES[i % SERIES.length]})` })] : []), word)));
  for (const b of m.borders) key.append(el('span', {}, el('i', { class: 'line' }), b.name));
  return el('section', { class: 'card' }, el('h2', {}, m.title, tools), picture, key);
}

export function pageView(p: Page, open: Open): HTMLElement {
  const node = el('div', { class: 'page' });
  if (p.text.length) node.append(el('section', { class: 'card words' }, ...p.text.map((t) => el('p', {}, t))));
  for (const m of p.maps) node.append(map(m));
  for (const t of p.tables) node.append(table(t, open));
  if (p.curves.length) node.append(el('section', { class: 'plots wide', 'aria-label': 'Curves' }, ...p.curves.map(curves)));
  return node;
}
