// types.ts: what a report carries, as io/report/report.c writes it.

export type Numbers = Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array;

export interface Column {
  name: string;
  unit: string;
  kind: string;
  doc: string;
}

export interface Body {
  name: string;
  kind: 'free' | 'fixed' | 'driven';
  mass: number;
  size: number;
}

export interface Shape {
  body: number;
  type: string;
  parameters: (number | null)[];
  position: [number, number, number];
  orientation: [number, number, number, number]; // w, x, y, z
  points?: number[]; // of a hull
  triangles?: number[];
}

// time, kind, rows, body, other, x, y, z, speed
export type EventRow = [number, string, string, number, number, number, number, number, number];

export interface FrictionSet {
  frame: number; // of the kept frames
  contact: number; // row of the contacts
  law: string;
  claims: string[]; // slide, spin, roll
  points: number[][]; // slide 2, spin, roll 2 per unit of normal impulse
}

// A sentence of the story of a run, with the body or quantity it speaks of; '' continues the line before.
export interface Line {
  label: string;
  text: string;
}

export interface RunMeta {
  kind: 'run';
  label: string;
  notes: string[];
  bodies: Body[];
  shapes: Shape[];
  position_low?: number[];
  position_step?: number[];
  contact_stride?: number;
  ledger: Column[];
  solver: Column[];
  probes: Column[];
  events: EventRow[];
  story?: Line[]; // of a run without a summary
  sets?: FrictionSet[];
  provenance: Record<string, string | number>;
  scene: string;
  summary: string;
}

export interface Cell {
  text: string;
  mark?: 'good' | 'bad' | 'other';
  run?: number; // its replay, among those of the report
}

export interface PageTable {
  title: string;
  text?: string;
  heads: string[];
  rows: (string | Cell)[][];
}

export type Style = 'line' | 'points' | 'level'; // a level is a straight piece between two times

export interface PageCurves {
  title: string;
  unit: string;
  x: string; // name and unit of the horizontal axis
  series: { name: string; at: number[]; value: (number | null)[]; style?: Style }[];
}

export interface PageMap {
  title: string;
  x: { name: string; unit: string; values: number[] };
  y: { name: string; unit: string; values: number[] };
  unit: string;
  words: string[] | null; // what whole numbers mean
  values: (number | null)[][]; // row of y, column of x
  borders: { name: string; points: [number, number][] }[];
}

export interface Page {
  kind: 'page';
  title: string;
  text: string[];
  tables: PageTable[];
  curves: PageCurves[];
  maps: PageMap[];
}

export interface Block<T> {
  meta: T;
  arrays: Map<string, Numbers>;
}
