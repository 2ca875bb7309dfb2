// messages.ts: what the page asks of its worker, and what it gets back.

export interface Job {
  bytes?: Uint8Array; // of trundle.wasm, with the first job of a worker
  text: string;
  changes: [string, string][]; // path and value, as --set has them
}

// A block of a report with what is known of the state.
export interface Shown {
  kind: 'shown';
  block: string;
  hash: string;
  steps: number;
  time: number;
  done: boolean;
  wall: number; // [s]
}

export interface Progress {
  kind: 'progress';
  time: number;
  end: number;
  steps: number;
}

export interface Refusal {
  kind: 'refused';
  sentence: string; // "scene.yaml:22:13: body 'ball': no shape 'spere'; did you mean 'sphere'?"
}

export type Answer = Shown | Progress | Refusal;
