// chart.ts: a figure on the page: uPlot with zoom, logarithmic axis, a cursor that is the clock, and files to save.
import uPlot from 'uplot';
import type { Clock } from './clock';
import { button, colour, el, save, SERIES, withUnit } from './dom';
import type { Figure } from './figures';
import { csv, stack, svg, LARGEST, spread } from './svg';

const HEIGHT = 210;

export class Chart {
  readonly node: HTMLElement;
  private readonly box = el('div', { class: 'plot-box' });
  private readonly values: HTMLElement[] = [];
  private readonly now = el('div', { class: 'now' });
  private plot: uPlot | null = null;
  private log: boolean;
  private off: boolean[];

  constructor(
    readonly figure: Figure,
    private readonly clock: Clock | null,
    private readonly moved: (from: number, to: number) => void = () => {},
  ) {
    this.log = figure.log ?? false;
    this.off = figure.series.map(() => false);
    const logButton = button('log', 'Logarithmic axis of sizes', () => {
      this.log = !this.log;
      logButton.setAttribute('aria-pressed', String(this.log));
      this.draw();
    });
    logButton.setAttribute('aria-pressed', String(this.log));
    const tools = el(
      'span',
      { class: 'tools' },
      logButton,
      button('all', 'Show all times again (double click)', () => this.zoom(this.first, this.last, true)),
      button('SVG', `Save ${figure.title} as a picture (SVG)`, () => this.saveSvg()),
      button('CSV', `Save the data of ${figure.title} (CSV)`, () => save(`${figure.id}.csv`, 'text/csv', csv(figure))),
    );
    const head = el('figcaption', {}, el('b', {}, `${figure.title} [${figure.unit}]`), tools);
    this.node = el('figure', { class: 'plot', id: `plot-${figure.id}` }, head, this.box, this.legend());
    if (figure.text) this.node.append(el('p', { class: 'small' }, figure.text));
  }

  private get first(): number {
    return this.figure.time[0];
  }

  private get last(): number {
    return this.figure.time[this.figure.time.length - 1];
  }

  private saveSvg(): void {
    const x = this.plot?.scales.x;
    save(`${this.figure.id}.svg`, 'image/svg+xml', svg(this.figure, this.log, x?.min ?? this.first, x?.max ?? this.last));
  }

  private legend(): HTMLElement {
    const list = el('ul', { class: 'legend' });
    this.figure.series.forEach((s, i) => {
      const value = el('span', { class: 'value' });
      const item = el('button', { type: 'button', 'aria-pressed': 'true', title: `Show or hide ${s.name}` }, el('i', { style: `background: var(--${SERIES[i % SERIES.length]})` }), s.name, ' ', value);
      item.addEventListener('click', () => {
        this.off[i] = !this.off[i];
        item.setAttribute('aria-pressed', String(!this.off[i]));
        this.draw();
      });
      this.values.push(value);
      list.append(el('li', {}, item));
    });
    return list;
  }

  // What is drawn: on top of each other, or sizes where the axis is logarithmic.
  private data(): uPlot.AlignedData {
    const time = Array.from(this.figure.time);
    if (this.figure.stacked && !this.log) {
      const kept = { ...this.figure, series: this.figure.series.map((s, i) => (this.off[i] ? { ...s, values: new Float64Array(time.length) } : s)) };
      return [time, ...stack(kept)] as uPlot.AlignedData;
    }
    const size = (x: number | null) => (x === null || Number.isNaN(x) || x === 0 ? null : Math.log10(Math.abs(x)));
    const plain = (x: number | null) => (x === null || Number.isNaN(x) ? null : x);
    return [time, ...this.figure.series.map((s) => Array.from(s.values as ArrayLike<number | null>, this.log ? size : plain))] as uPlot.AlignedData;
  }

  draw(): void {
    const x = this.plot?.scales.x;
    const keep = x && x.min !== undefined && x.max !== undefined ? [x.min, x.max] : null;
    this.plot?.destroy();
    this.box.replaceChildren();
    this.plot = new uPlot(this.options(), this.data(), this.box);
    if (this.clock) this.plot.over.append(this.now);
    for (const kind of ['pointermove', 'pointerdown'] as const) this.plot.over.addEventListener(kind, (event) => this.point(event));
    if (keep) this.plot.setScale('x', { min: keep[0]!, max: keep[1]! });
    this.tick();
  }

  private options(): uPlot.Options {
    const stacked = this.figure.stacked && !this.log;
    const ink = colour('ink-soft');
    const grid = { stroke: colour('grid'), width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: '12px system-ui, sans-serif' };
    const series: uPlot.Series[] = this.figure.series.map((s, i) => ({
      label: s.name,
      stroke: colour(SERIES[i % SERIES.length]),
      width: stacked ? 0 : 1.5,
      ...(stacked ? { fill: colour(SERIES[i % SERIES.length]) } : {}),
      ...(s.style === 'points' ? { paths: () => null } : {}),
      ...(s.style === 'level' ? { dash: [7, 5] } : {}),
      spanGaps: this.figure.span ?? false,
      points: s.style === 'points' ? { show: true, size: 9, width: 2 } : { show: !s.style && this.figure.time.length < 60 },
      show: !this.off[i] || stacked,
    }));
    return {
      width: Math.max(200, this.box.clientWidth || 500),
      height: HEIGHT,
      legend: { show: false },
      scales: {
        x: { time: false, range: (_u, low, high) => (Number.isFinite(low) && Number.isFinite(high) ? spread(low, high, 0) : [0, 1]) },
        y: { range: (_u, low, high) => this.range(low, high) },
      },
      axes: [
        { ...axis, label: this.figure.x ?? 'time [s]', labelSize: 20, size: 34, labelFont: '12px system-ui, sans-serif' },
        {
          ...axis,
          size: 62,
          ...(this.log ? { incrs: [1, 2, 5, 10, 20, 50] } : {}),
          values: (_u, ticks) => ticks.map((t) => (t === null ? '' : this.log ? `1e${t}` : tickText(t))),
        },
      ],
      series: [{}, ...series],
      bands: stacked ? series.slice(1).map((_, i) => ({ series: [i + 2, i + 1] as [number, number] })) : [],
      cursor: { drag: { x: true, y: false }, points: { show: false } },
      hooks: {
        setScale: [(u, key) => key === 'x' && this.scaled(u)],
      },
    };
  }

  // Stacks begin at zero; sizes go down to a part in 1e16 of the largest.
  private range(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
    if (this.log) return [Math.floor(Math.max(low, high - 16)), Math.ceil(high) + (Math.ceil(high) === high ? 1 : 0)];
    if (this.figure.stacked) return [0, high > 0 ? 1.05 * Math.min(high, LARGEST) : 1];
    return spread(low, high, 0.05);
  }

  // Only where the pointer moves, not where the page moves below it.
  private point(event: PointerEvent): void {
    if (!this.plot || !this.clock || this.clock.playing) return;
    if (event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0) return;
    const box = this.plot.over.getBoundingClientRect();
    this.clock.set(this.plot.posToVal(event.clientX - box.left, 'x'));
  }

  private scaled(u: uPlot): void {
    this.tick();
    if (this.quiet) return;
    this.moved(u.scales.x.min!, u.scales.x.max!);
  }

  private quiet = false;

  zoom(from: number, to: number, tell = false): void {
    const low = Math.max(from, this.first);
    const high = Math.min(to, this.last);
    this.quiet = !tell;
    if (this.plot && high > low) this.plot.setScale('x', { min: low, max: high });
    this.quiet = false;
  }

  resize(): void {
    const width = this.box.clientWidth;
    if (this.plot && width > 50 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT });
  }

  // The line at the clock's time, and the values there.
  tick(): void {
    if (!this.clock || !this.plot) return;
    const left = this.plot.valToPos(this.clock.time, 'x');
    this.now.style.display = left >= 0 && left <= this.plot.over.clientWidth ? '' : 'none';
    this.now.style.transform = `translateX(${left}px)`;
    this.node.dataset.now = String(this.clock.time);
    const i = nearest(this.figure.time, this.clock.time);
    this.figure.series.forEach((s, k) => (this.values[k].textContent = withUnit(s.values[i], this.figure.unit)));
  }
}

function tickText(x: number): string {
  const size = Math.abs(x);
  if (x !== 0 && (size >= 1e5 || size < 1e-3)) return x.toExponential(Number.isInteger(Math.log10(size)) ? 0 : 1).replace('e+', 'e');
  return String(Number(x.toPrecision(6)));
}

function nearest(time: ArrayLike<number>, at: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] <= at) low = middle + 1;
    else high = middle;
  }
  if (low > 0 && (low === time.length || at - time[low - 1] < time[low] - at)) return low - 1;
  return low;
}
