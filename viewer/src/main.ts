// main.ts: reads the blocks of the report and shows them: pages first, then one run at a time.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { keyboard } from './controls';
import { decode } from './decode';
import { el } from './dom';
import { pageView } from './pages';
import { Run } from './run';
import { runView, type RunView } from './runview';
import type { Block, Page, RunMeta } from './types';
import { titleOf } from './words';

const page = document.getElementById('page')!;

function heading(title: string, text: string): HTMLElement {
  return el('header', {}, el('h1', {}, title), el('p', { class: 'sub' }, text));
}

// One run at a time; gives what opens the k-th of them.
function showRuns(runs: Block<RunMeta>[], place: HTMLElement): (k: number) => void {
  let view: RunView | null = null;
  const choice = el('select', { id: 'runs', 'aria-label': 'Run' }, ...runs.map((r, i) => el('option', { value: i }, r.meta.label)));
  const open = (k: number) => {
    view?.close();
    view = runView(new Run(runs[k]));
    choice.value = String(k);
    place.replaceChildren(view.node);
    view.open();
  };
  if (runs.length > 1) {
    choice.addEventListener('change', () => open(Number(choice.value)));
    place.before(el('p', { class: 'chooser' }, el('label', {}, 'Replay of ', choice)));
  }
  keyboard((event) => view?.press(event) ?? false);
  open(0);
  return open;
}

async function start(): Promise<void> {
  const texts = [...document.querySelectorAll('script.trundle')].map((s) => s.textContent ?? '');
  const blocks = await Promise.all(texts.map((t) => decode<RunMeta | Page>(t)));
  const runs = blocks.filter((b): b is Block<RunMeta> => b.meta.kind === 'run');
  const pages = blocks.filter((b): b is Block<Page> => b.meta.kind === 'page');
  const first = runs[0] ? new Run(runs[0]) : null;
  const title = pages[0]?.meta.title ?? (first ? titleOf(first) : 'Empty report');
  document.title = `${title} – Trundle`;
  const p = first?.meta.provenance;
  page.replaceChildren(heading(title, p && !pages[0] ? `${p.scene}, ${p.stepper}, trundle ${p.version}, ${p.date}` : `trundle report`));
  const place = el('div');
  let open = (_: number) => {};
  const replay = (k: number) => {
    if (k < runs.length) open(k);
    place.scrollIntoView({ behavior: 'smooth' });
  };
  for (const b of pages) page.append(pageView(b.meta, replay));
  if (blocks.length === 0) page.append(el('p', { class: 'note' }, 'This is the template of reports: it carries no data.'));
  if (!runs.length) {
    document.documentElement.dataset.ready = 'true';
    return;
  }
  page.append(place);
  open = showRuns(runs, place);
}

start().catch((error) => page.replaceChildren(heading('This report cannot be shown', ''), el('p', { class: 'note' }, String(error))));
