// words.ts: what ran and what happened, in sentences.
import { short } from './dom';
import type { Run } from './run';
import type { EventRow } from './types';

const TOLD = 6; // bodies whose story is told

interface Summary {
  time?: number;
  steps?: number;
  wall_time?: number;
  stopped?: string;
  title?: string;
  solver?: { steps: number; unconverged: number; iterations: number; most_iterations: number; worst_time: number; worst_speed: number; worst_a?: string; worst_b?: string };
  events?: { counts: Record<string, number> };
}

export function summaryOf(run: Run): Summary {
  try {
    return run.meta.summary ? (JSON.parse(run.meta.summary) as Summary) : {};
  } catch {
    return {};
  }
}

export function titleOf(run: Run): string {
  const line = /^title:\s*(.*)$/m.exec(run.meta.scene)?.[1]?.trim().replace(/^["']|["']$/g, '');
  return summaryOf(run).title || line || String(run.meta.provenance.scene) || 'A run';
}

export function duration(seconds: number): string {
  if (seconds < 120) return `${short(seconds, 3)} s`;
  if (seconds < 7200) return `${short(seconds / 60, 3)} min`;
  return `${short(seconds / 3600, 3)} h`;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function whatRan(run: Run): string {
  const s = summaryOf(run);
  const p = run.meta.provenance;
  const free = run.meta.bodies.filter((b) => b.kind === 'free').length;
  const others = run.bodies - free;
  const steps = s.steps !== undefined ? ` in ${s.steps} steps` : '';
  const what = `${plural(free, 'free body').replace('bodys', 'bodies')}${others ? ` and ${others} fixed or driven` : ''}`;
  const until = s.time !== undefined ? `${short(s.time, 6)} s` : `${short(run.end, 6)} s so far`;
  const took = s.wall_time !== undefined ? ` It took ${duration(s.wall_time)}` : '';
  const why = s.stopped ? `${took ? ' and' : ' It'} ended because: ${s.stopped}.` : took ? '.' : '';
  return `${what}, simulated for ${until}${steps} of ${short(Number(p.step))} s with the stepper ${p.stepper}.${took}${why}`;
}

// Mode changes in the first step only say how it began.
function phrase(run: Run, e: EventRow, early: number, seen: Map<string, number>): string | null {
  const [time, kind, rows, , other, x, y, , speed] = e;
  const key = `${kind} ${rows}`;
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  const began = time <= early;
  const at = `at ${short(time)} s`;
  const name = other >= 0 ? (run.meta.bodies[other]?.name ?? '?') : '?';
  const verb: Record<string, string> = { slide: 'slip', spin: 'spinning', roll: 'rolling' };
  switch (kind) {
    case 'slip':
      if (began) return rows === 'slide' ? 'slips from the start' : null;
      return count === 1 ? `first ${verb[rows] ?? 'slip'} ${at}` : count === 2 && rows === 'slide' ? `slips again ${at}` : null;
    case 'stick':
      if (began) return rows === 'slide' ? 'does not slip at the start' : null;
      return count <= 2 && rows === 'slide' ? `sticks ${at}` : count === 1 ? `stops ${verb[rows] ?? ''} ${at}` : null;
    case 'touch':
      return count === 1 && !began ? `touches ${name} ${at} with ${short(speed, 3)} m/s` : null;
    case 'lift':
      return count === 1 ? `leaves ${name} ${at}` : null;
    case 'flat':
      return `lies flat ${at} at (${short(x)}, ${short(y)}) m`;
    case 'rest':
      return `comes to rest ${at} at (${short(x)}, ${short(y)}) m`;
    default:
      return count <= 2 ? `${kind} ${at}` : null;
  }
}

function story(run: Run, body: number): string {
  const early = 1.5 * Number(run.meta.provenance.step);
  const seen = new Map<string, number>();
  const told: string[] = [];
  let untold = 0;
  for (const e of run.meta.events) {
    if (e[3] !== body) continue;
    const text = phrase(run, e, early, seen);
    if (text) told.push(text);
    else if (e[0] > early) untold++;
  }
  const more = untold ? `; ${plural(untold, 'further event')}` : '';
  return `${run.meta.bodies[body]?.name ?? '?'}: ${told.join(', ') || 'nothing to tell'}${more}.`;
}

// Named as in the summary, which counts all of them.
function countOf(events: EventRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, kind, rows] of events) {
    const key = rows ? `${kind}_${rows}` : kind;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function whatHappened(run: Run): string[] {
  const bodies = [...new Set(run.meta.events.map((e) => e[3]))];
  if (bodies.length === 0) return ['No events were recorded.'];
  if (bodies.length <= TOLD) return bodies.map((body) => story(run, body));
  const all = summaryOf(run).events?.counts ?? countOf(run.meta.events);
  const words = Object.entries(all).map(([name, count]) => `${name.replace(/_(.*)/, ' ($1)')} ${count} times`);
  return [`Events: ${words.join(', ')}.`];
}

function energy(run: Run): string[] {
  const last = run.column('ledger.time').length - 1;
  if (last < 0) return [];
  const at = (name: string) => run.column(`ledger.${name}`)[last];
  const now = at('kinetic') + at('potential') + at('stored');
  const lost = run.columns('ledger', 'dissipated').map((c) => ({ doc: c.doc, value: at(c.name) }));
  const all = lost.reduce((sum, l) => sum + l.value, 0);
  const parts = lost.filter((l) => l.value !== 0).map((l) => `${short(l.value)} J ${l.doc} (${short((100 * l.value) / all, 3)} %)`);
  const numerical = run.columns('ledger', 'numerical').reduce((sum, c) => sum + at(c.name), 0);
  const supplied = at('loads') + at('drives');
  return [
    `Energy: ${short(at('start'))} J at the start, ${short(now)} J at the end${supplied ? `, ${short(supplied)} J supplied by loads and drives` : ''}; ` +
      `dissipated ${parts.join(', ') || 'nothing'}; numerical ${short(numerical, 3)} J, and the books close to ${short(Math.abs(at('gap')), 2)} J.`,
  ];
}

function solver(run: Run): string[] {
  const s = summaryOf(run).solver;
  if (!s || s.steps === 0) return [];
  const good = s.unconverged === 0 ? 'every step converged' : `${s.unconverged} of ${s.steps} steps did NOT converge`;
  const where = s.worst_a && s.worst_b ? `, ${s.worst_a}/${s.worst_b}` : '';
  return [
    `Solver: ${short(s.iterations / s.steps, 3)} iterations per step, at most ${s.most_iterations}; ${good}; ` +
      `worst residual ${short(s.worst_speed, 2)} m/s at ${short(s.worst_time)} s${where}.`,
  ];
}

export const sentences = (run: Run): string[] => [whatRan(run), ...whatHappened(run), ...energy(run), ...solver(run)];
