// svg.ts: a figure as an SVG picture and as CSV: what the buttons beside a plot save.
import { short } from './dom';
import type { Figure } from './figures';
import { roundStep } from './floor';

const W = 800;
const H = 420;
const LEFT = 80;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 70;
const INKS = ['#2f6db5', '#d1495b', '#2a9d5c', '#c98a00', '#7a5cc4', '#178a9e', '#a0522d', '#666666'];

export function csv(figure: Figure): string {
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const heads = [figure.x ?? 'time [s]', ...figure.series.map((s) => `${s.name} [${figure.unit}]`)].map(quote);
  const lines = [heads.join(',')];
  for (let i = 0; i < figure.time.length; i++) {
    const values = figure.series.map((s) => s.values[i]);
    lines.push([figure.time[i], ...values.map((x) => (x === null || Number.isNaN(x) ? '' : x))].join(','));
  }
  return lines.join('\n') + '\n';
}

// Each series on top of those before it.
export function stack(figure: Figure): (number | null)[][] {
  const sum = new Float64Array(figure.time.length);
  return figure.series.map((s) => Array.from(sum, (_, i) => (sum[i] += s.values[i] ?? 0)));
}

function ticks(low: number, high: number, log: boolean): number[] {
  const out: number[] = [];
  if (log) {
    const every = Math.max(1, Math.ceil((high - low) / 7));
    for (let k = Math.ceil(low); k <= high; k += every) out.push(k);
    return out;
  }
  const step = roundStep(1.4 * (high - low)) * (high > low ? 1 : 0) || 1;
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12); k++) out.push(k * step);
  return out;
}

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

// At most two points per pixel column: its lowest and highest.
function thin(points: [number, number][]): [number, number][] {
  if (points.length <= 2 * W) return points;
  const out: [number, number][] = [];
  const every = Math.ceil(points.length / W);
  for (let i = 0; i < points.length; i += every) {
    const part = points.slice(i, i + every);
    let low = 0;
    let high = 0;
    part.forEach((p, k) => {
      if (p[1] < part[low][1]) low = k;
      if (p[1] > part[high][1]) high = k;
    });
    for (const k of [...new Set([low, high])].sort((a, b) => a - b)) out.push(part[k]);
  }
  return out;
}

export const LARGEST = 1e300;

// An axis with `room` (a part of its length) at both ends. Values that differ by round-off only count as one value: ticks between
// them would be closer than numbers are, and uPlot would never reach the last one.
export function spread(low: number, high: number, room: number): [number, number] {
  const size = Math.min(Math.max(Math.abs(low), Math.abs(high)), LARGEST);
  const [from, to] = [Math.max(low, -LARGEST), Math.min(high, LARGEST)];
  if (to - from <= 1e-10 * size) return size > 0 ? [from - 0.1 * size, to + 0.1 * size] : [-1, 1];
  return [from - room * (to - from), to + room * (to - from)];
}

export function svg(figure: Figure, log: boolean, from: number, to: number): string {
  const stacked = figure.stacked && !log;
  const all = stacked ? stack(figure) : figure.series.map((s) => s.values);
  const shown = (x: number | null | undefined): number => {
    if (x === null || x === undefined || Number.isNaN(x)) return NaN;
    return log ? (x === 0 ? NaN : Math.log10(Math.abs(x))) : x;
  };
  let low = stacked ? 0 : Infinity;
  let high = -Infinity;
  const lines = all.map((values) => {
    const points: [number, number][] = [];
    for (let i = 0; i < figure.time.length; i++) {
      const y = shown(values[i]);
      if (figure.time[i] < from || figure.time[i] > to || !Number.isFinite(y)) continue;
      low = Math.min(low, y);
      high = Math.max(high, y);
      points.push([figure.time[i], y]);
    }
    return thin(points);
  });
  if (!(low <= high)) [low, high] = [0, 1];
  [low, high] = spread(low, high, 0);
  [from, to] = spread(from, to, 0);
  const X = (t: number) => (LEFT + ((t - from) / (to - from || 1)) * (W - LEFT - RIGHT)).toFixed(1);
  const Y = (y: number) => (H - BOTTOM - ((y - low) / (high - low)) * (H - TOP - BOTTOM)).toFixed(1);
  const parts = [`<text x="${LEFT}" y="24" font-size="17">${escape(figure.title)} [${figure.unit}]${log && figure.series.length ? ', size, logarithmic' : ''}</text>`];
  for (const y of ticks(low, high, log))
    parts.push(`<path d="M${LEFT} ${Y(y)}H${W - RIGHT}" stroke="#ddd"/><text x="${LEFT - 8}" y="${Number(Y(y)) + 4}" text-anchor="end">${log ? `1e${y}` : short(y)}</text>`);
  for (const t of ticks(from, to, false))
    parts.push(`<path d="M${X(t)} ${TOP}V${H - BOTTOM}" stroke="#eee"/><text x="${X(t)}" y="${H - BOTTOM + 18}" text-anchor="middle">${short(t)}</text>`);
  parts.push(`<text x="${W - RIGHT}" y="${H - BOTTOM + 36}" text-anchor="end">${escape(figure.x ?? 'time [s]')}</text>`);
  const order = stacked ? lines.map((_, i) => i).reverse() : lines.map((_, i) => i);
  for (const i of order) {
    if (lines[i].length === 0) continue;
    const d = lines[i].map(([t, y], k) => `${k ? 'L' : 'M'}${X(t)} ${Y(y)}`).join('');
    const ink = INKS[i % INKS.length];
    if (figure.series[i].style === 'points') {
      for (const [t, y] of lines[i]) parts.push(`<circle cx="${X(t)}" cy="${Y(y)}" r="5" fill="none" stroke="${ink}" stroke-width="2"/>`);
      continue;
    }
    const dash = figure.series[i].style === 'level' ? ' stroke-dasharray="7 5"' : '';
    const area = `${d}L${X(lines[i][lines[i].length - 1][0])} ${Y(0)}L${X(lines[i][0][0])} ${Y(0)}Z`;
    parts.push(stacked ? `<path d="${area}" fill="${ink}"/>` : `<path d="${d}" fill="none" stroke="${ink}" stroke-width="1.5"${dash}/>`);
  }
  let at = LEFT;
  figure.series.forEach((s, i) => {
    parts.push(`<rect x="${at}" y="${H - 24}" width="12" height="12" fill="${INKS[i % INKS.length]}"/><text x="${at + 17}" y="${H - 13}">${escape(s.name)}</text>`);
    at += 40 + 7 * s.name.length;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.max(W, at)} ${H}" width="${Math.max(W, at)}" height="${H}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>\n`;
}
