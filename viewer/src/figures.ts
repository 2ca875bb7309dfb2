// figures.ts: which plots a run has: energy by kind, what is numerical, probes, contacts, solver.
import { intoBody, newPose, type Run } from './run';
import type { Style } from './types';

export interface Series {
  name: string;
  values: ArrayLike<number | null>;
  style?: Style;
}

export interface Figure {
  id: string;
  title: string;
  unit: string;
  text?: string; // what it says, in a sentence
  time: ArrayLike<number>; // [s], or what x says
  x?: string; // name and unit of the horizontal axis
  series: Series[];
  stacked?: boolean;
  log?: boolean; // how it begins
  span?: boolean; // curves have times of their own: what is missing between them is no gap
}

const moves = (values: ArrayLike<number>): boolean => {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) return true;
  return false;
};

// Where the energy is, and behind it where it went; potential energy counts from its lowest value.
function energy(run: Run): Figure[] {
  const time = run.column('ledger.time');
  const get = (name: string) => run.column(`ledger.${name}`);
  if (time.length === 0) return [];
  const potential = get('potential');
  let lowest = Infinity;
  for (const x of potential) lowest = Math.min(lowest, x);
  const parts: Series[] = [
    { name: 'kinetic', values: get('kinetic') },
    { name: 'potential (from its lowest)', values: potential.map((x) => x - lowest) },
    { name: 'stored', values: get('stored') },
    ...run.columns('ledger', 'dissipated').map((c) => ({ name: `lost ${c.doc}`, values: get(c.name) })),
  ].filter((s) => moves(s.values));
  const numerical = run.columns('ledger', 'numerical').filter((c) => moves(get(c.name)));
  const entries: Series[] = numerical.map((c) => ({ name: c.name.replace('_', ' '), values: get(c.name) }));
  entries.push({ name: 'gap of the books', values: get('gap') });
  return [
    {
      id: 'energy',
      title: 'Energy ledger',
      unit: 'J',
      text: 'Where the energy is and where it went, one on top of the other; the upper edge is flat unless loads, drives or motors do work, or bodies come and go.',
      time,
      series: parts,
      stacked: true,
    },
    {
      id: 'numerical',
      title: 'Numerical part of the energy',
      unit: 'J',
      text: 'What the method itself added or took, by cause, too small to be seen above.',
      time,
      series: entries,
      log: true,
    },
  ];
}

// Probes of one quantity and unit in one figure: coin.position.x, .y, .z together.
function probes(run: Run): Figure[] {
  const groups = new Map<string, Figure>();
  for (const c of run.meta.probes) {
    const stem = c.name.replace(/\.[xyzw]$/, '').replace(/^.*\.(?=[^.]+$)/, '');
    const key = `${stem} [${c.unit}]`;
    const figure = groups.get(key) ?? { id: `probe-${groups.size}`, title: stem.replace(/_/g, ' '), unit: c.unit, time: run.column('ledger.time'), series: [] };
    figure.series.push({ name: c.name, values: run.column(`probe.${c.name}`) });
    groups.set(key, figure);
  }
  return [...groups.values()].filter((f) => f.series[0].values.length > 0);
}

// Inclination of the z axis of bodies with a disk, from the frames.
function tilt(run: Run): Figure[] {
  const disks = [...new Set(run.meta.shapes.filter((s) => s.type === 'disk').map((s) => s.body))].slice(0, 4);
  if (disks.length === 0 || run.frames === 0) return [];
  const pose = newPose();
  const series = disks.map((body) => ({
    name: run.meta.bodies[body].name,
    values: Array.from({ length: run.frames }, (_, frame) => {
      const { there, qx, qy } = run.frozen(frame, body, pose);
      const upright = Math.abs(1 - 2 * (qx * qx + qy * qy));
      return there ? Math.acos(Math.min(1, upright)) : null;
    }),
  }));
  return [{ id: 'tilt', title: 'Tilt', unit: 'rad', text: 'Angle between the axis of a disk and the vertical: 0 lies flat, π/2 stands upright.', time: run.time, series }];
}

// What happens at the first contact of a body.
export function contactFigures(run: Run, body: number): Figure[] {
  if (!run.hasContacts || body < 0) return [];
  const stride = run.meta.contact_stride ?? 1;
  const name = run.meta.bodies[body].name;
  const time: number[] = [];
  const rows: Record<string, (number | null)[]> = { slip: [], spin: [], roll: [], over: [], normal: [], friction: [] };
  const pose = newPose();
  let before: { local: number[]; time: number } | null = null;
  for (let frame = 0; frame < run.frames; frame += stride) {
    const c = run.contacts(frame).find((k) => k.a === body || k.b === body);
    time.push(run.time[frame]);
    run.frozen(frame, body, pose);
    const local = c ? intoBody(pose, [c.point[0] - pose.x, c.point[1] - pose.y, c.point[2] - pose.z]) : null;
    const passed = before ? run.time[frame] - before.time : 0;
    rows.over.push(local && before && passed > 0 ? Math.hypot(...local.map((x, i) => x - before!.local[i])) / passed : null);
    before = local ? { local, time: run.time[frame] } : null;
    rows.slip.push(c ? Math.hypot(c.velocity[1], c.velocity[2]) : null);
    rows.spin.push(c ? Math.abs(c.velocity[3]) : null);
    rows.roll.push(c ? Math.hypot(c.velocity[4], c.velocity[5]) : null);
    rows.normal.push(c ? c.impulse[0] * run.perStep : null);
    rows.friction.push(c ? Math.hypot(c.impulse[1], c.impulse[2]) * run.perStep : null);
  }
  const figure = (id: string, title: string, unit: string, text: string, ...names: [string, string][]): Figure => ({
    id,
    title: `${title} of ${name}`,
    unit,
    text,
    time,
    series: names.map(([key, label]) => ({ name: label, values: rows[key] })),
  });
  return [
    figure('slip', 'Slip speed', 'm/s', 'Of its first contact, at the frames.', ['slip', 'slip']),
    figure('contour', 'Contour rate', 'm/s', 'Speed of the contact point over the surface of the body, from frame to frame.', ['over', 'over the body']),
    figure('rates', 'Spin and roll rate', 'rad/s', '', ['spin', 'spin'], ['roll', 'roll']),
    figure('forces', 'Contact forces', 'N', '', ['normal', 'normal'], ['friction', 'friction']),
  ];
}

function solver(run: Run): Figure[] {
  const time = run.column('ledger.time');
  if (time.length === 0) return [];
  const group = (id: string, title: string, unit: string, kind: string, log: boolean, text: string): Figure => ({
    id,
    title,
    unit,
    text,
    time,
    log,
    series: run
      .columns('solver', kind)
      .filter((c) => c.unit === unit)
      .map((c) => ({ name: c.doc, values: run.column(`solver.${c.name}`) }))
      .filter((s) => moves(s.values)),
  });
  return [
    group('residual', 'Solver residual', '-', 'residual', true, 'Largest residual of any step since the row before.'),
    group('residual-speed', 'Residual of normal and slide rows', 'm/s', 'residual', true, ''),
    group('residual-rate', 'Residual of spin and roll rows', 'rad/s', 'residual', true, ''),
    group('iterations', 'Iterations, contacts, steps not converged', '-', 'count', false, ''),
  ].filter((f) => f.series.length > 0);
}

export function figures(run: Run, body: number): Figure[] {
  return [...energy(run), ...contactFigures(run, body), ...tilt(run), ...probes(run), ...solver(run)];
}
