// words.ts: what ran and what happened, in sentences.
import { short } from './dom';
import type { Run } from './run';
import type { Line } from './types';

interface Summary {
  time?: number;
  steps?: number;
  wall_time?: number;
  stopped?: string;
  title?: string;
  story?: Line[];
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

// The lines that the program told at the end, or as far as the file of an unfinished run tells them; those without a label go on.
function told(run: Run): string[] {
  const lines = (summaryOf(run).story ?? run.meta.story ?? []).filter((line) => line.label !== 'ran');
  const out: string[] = [];
  for (const { label, text } of lines) {
    if (label) out.push(`${label}: ${text}`);
    else out[out.length - 1] += `, ${text}`;
  }
  return out.length ? out : ['Nothing was recorded that could be told.'];
}

export const sentences = (run: Run): string[] => [whatRan(run), ...told(run)];
