// run.ts: a run of a report: poses at any time, contacts of a frame, columns over time.
import type { Block, Column, Numbers, RunMeta } from './types';

export interface Pose {
  there: boolean;
  x: number;
  y: number;
  z: number;
  qw: number;
  qx: number;
  qy: number;
  qz: number;
}

export interface Contact {
  row: number; // in the arrays of contacts
  a: number;
  b: number;
  stuck: number;
  point: number[];
  normal: number[];
  t1: number[];
  impulse: number[];
  velocity: number[];
}

export type Mode = 'free' | 'slip' | 'roll' | 'spin' | 'stick';

const ABSENT = 65535;
const HALF = 32767;
const NUMBERS = 21;
const STILL = 1e-6; // [rad/s] below this a contact that does not slip is said to stick

export class Run {
  readonly meta: RunMeta;
  readonly time: Float64Array; // of the frames
  readonly bodies: number;
  private readonly arrays: Map<string, Numbers>;
  private readonly position: Uint16Array;
  private readonly orientation: Uint16Array;
  private readonly largest: Uint8Array;

  constructor(block: Block<RunMeta>) {
    this.meta = block.meta;
    this.arrays = block.arrays;
    this.bodies = this.meta.bodies.length;
    this.time = (this.arrays.get('frames.time') ?? new Float64Array(0)) as Float64Array;
    this.position = (this.arrays.get('frames.position') ?? new Uint16Array(0)) as Uint16Array;
    this.orientation = (this.arrays.get('frames.orientation') ?? new Uint16Array(0)) as Uint16Array;
    this.largest = (this.arrays.get('frames.largest') ?? new Uint8Array(0)) as Uint8Array;
  }

  get frames(): number {
    return this.time.length;
  }

  get start(): number {
    return Math.min(this.time[0] ?? Infinity, this.column('ledger.time')[0] ?? Infinity, 1e300);
  }

  get end(): number {
    const rows = this.column('ledger.time');
    return Math.max(this.time[this.frames - 1] ?? 0, rows[rows.length - 1] ?? 0);
  }

  get hasContacts(): boolean {
    return this.arrays.has('contacts.first');
  }

  column(name: string): Float64Array {
    return (this.arrays.get(name) ?? new Float64Array(0)) as Float64Array;
  }

  columns(table: 'ledger' | 'solver' | 'probe', kind: string): Column[] {
    const all = table === 'ledger' ? this.meta.ledger : table === 'solver' ? this.meta.solver : this.meta.probes;
    return all.filter((c) => c.kind === kind);
  }

  // The last frame at or before a time.
  frameAt(time: number): number {
    let low = 0;
    let high = this.frames;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  // The pose of a body in a frame.
  frozen(frame: number, body: number, out: Pose): Pose {
    const at = 3 * (frame * this.bodies + body);
    const low = this.meta.position_low ?? [0, 0, 0];
    const step = this.meta.position_step ?? [1, 1, 1];
    out.there = this.position[at] !== ABSENT;
    out.x = low[0] + step[0] * this.position[at];
    out.y = low[1] + step[1] * this.position[at + 1];
    out.z = low[2] + step[2] * this.position[at + 2];
    const a = (this.orientation[at] - HALF) / HALF / Math.SQRT2;
    const b = (this.orientation[at + 1] - HALF) / HALF / Math.SQRT2;
    const c = (this.orientation[at + 2] - HALF) / HALF / Math.SQRT2;
    const d = Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c));
    switch (this.largest[frame * this.bodies + body]) {
      case 0:
        [out.qw, out.qx, out.qy, out.qz] = [d, a, b, c];
        break;
      case 1:
        [out.qw, out.qx, out.qy, out.qz] = [a, d, b, c];
        break;
      case 2:
        [out.qw, out.qx, out.qy, out.qz] = [a, b, d, c];
        break;
      default:
        [out.qw, out.qx, out.qy, out.qz] = [a, b, c, d];
    }
    return out;
  }

  // Between two frames: straight in position, the shorter way round in orientation.
  pose(frame: number, part: number, body: number, out: Pose): Pose {
    this.frozen(frame, body, out);
    if (part <= 0 || frame + 1 >= this.frames || !out.there) return out;
    const next = this.frozen(frame + 1, body, spare);
    if (!next.there) return out;
    const dot = out.qw * next.qw + out.qx * next.qx + out.qy * next.qy + out.qz * next.qz;
    const p = dot < 0 ? -part : part;
    out.x += part * (next.x - out.x);
    out.y += part * (next.y - out.y);
    out.z += part * (next.z - out.z);
    const w = (1 - part) * out.qw + p * next.qw;
    const x = (1 - part) * out.qx + p * next.qx;
    const y = (1 - part) * out.qy + p * next.qy;
    const z = (1 - part) * out.qz + p * next.qz;
    const size = Math.hypot(w, x, y, z) || 1;
    [out.qw, out.qx, out.qy, out.qz] = [w / size, x / size, y / size, z / size];
    return out;
  }

  // Contacts are kept for every so-many-th frame.
  contactFrame(frame: number): number {
    return Math.floor(frame / (this.meta.contact_stride ?? 1));
  }

  contacts(frame: number): Contact[] {
    const first = this.arrays.get('contacts.first');
    if (!first) return [];
    const k = this.contactFrame(frame);
    const out: Contact[] = [];
    for (let row = first[k]; row < first[k + 1]; row++) out.push(this.contact(row));
    return out;
  }

  contact(row: number): Contact {
    const body = this.arrays.get('contacts.body')!;
    const n = this.arrays.get('contacts.number')!;
    const at = NUMBERS * row;
    const part = (from: number, count: number) => Array.from(n.subarray(at + from, at + from + count));
    return {
      row,
      a: body[2 * row],
      b: body[2 * row + 1],
      stuck: this.arrays.get('contacts.stuck')![row],
      point: part(0, 3),
      normal: part(3, 3),
      t1: part(6, 3),
      impulse: part(9, 6),
      velocity: part(15, 6),
    };
  }

  // [N] of an impulse [N s] of one step.
  get perStep(): number {
    return 1 / Number(this.meta.provenance.step);
  }

  // What every body does in a frame: the liveliest of its contacts counts.
  modes(frame: number): Mode[] {
    const out: Mode[] = new Array(this.bodies).fill('free');
    for (const c of this.contacts(frame)) {
      const mode = modeOf(c);
      for (const body of [c.a, c.b]) if (ORDER.indexOf(mode) > ORDER.indexOf(out[body])) out[body] = mode;
    }
    return out;
  }
}

const ORDER: Mode[] = ['free', 'stick', 'spin', 'roll', 'slip'];
const spare: Pose = { there: false, x: 0, y: 0, z: 0, qw: 1, qx: 0, qy: 0, qz: 0 };

export const newPose = (): Pose => ({ ...spare });

export function modeOf(c: Contact): Mode {
  if (c.impulse[0] <= 0) return 'free';
  if (!(c.stuck & 2)) return 'slip';
  const roll = Math.hypot(c.velocity[4], c.velocity[5]);
  const spin = Math.abs(c.velocity[3]);
  if (roll < STILL && spin < STILL) return 'stick';
  return roll >= spin ? 'roll' : 'spin';
}

export function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

// A vector in world axes of two components along t1 and t2 = n x t1.
export function tangent(c: Contact, u: number, v: number): number[] {
  const t2 = cross(c.normal, c.t1);
  return c.t1.map((t, i) => u * t + v * t2[i]);
}

// q^-1 p q: a world vector in body axes.
export function intoBody(pose: Pose, p: number[]): number[] {
  const q = [-pose.qx, -pose.qy, -pose.qz];
  const t = cross(q, p).map((x) => 2 * x);
  const u = cross(q, t);
  return p.map((x, i) => x + pose.qw * t[i] + u[i]);
}
