// module.mjs: trundle.wasm as an object: a scene from text, its simulation, its state. For the worker of the page and for Node.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// The module has no files: what C's library would do with them fails with EBADF. It has the time of day, for the date of a run.
const REFUSED = 8;
const system = (memory) => {
  const clock_time_get = (_clock, _precision, at) => {
    new DataView(memory().buffer).setBigUint64(at, BigInt(Date.now()) * 1000000n, true);
    return 0;
  };
  return new Proxy({}, { get: (_, name) => (name === 'clock_time_get' ? clock_time_get : () => REFUSED) });
};

/** A failure or a mistake of the scene; its message is the library's sentence. */
export class Refused extends Error {}

/** One scene with its simulation, in a module of its own: when it is dropped, all its memory goes. */
export class Play {
  /** @param {WebAssembly.Module} module */
  static async open(module) {
    let exports;
    ({ exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system(() => exports.memory) }));
    const play = new Play(exports);
    play.c._initialize();
    play.at = play.c.play_begin();
    return play;
  }

  /** @param {Record<string, any>} c what the module exports */
  constructor(c) {
    this.c = c;
    this.at = 0;
  }

  bytes() {
    return new Uint8Array(this.c.memory.buffer);
  }

  /** The text that stands at an address. @param {number} at */
  text(at) {
    const bytes = this.bytes();
    return at ? decoder.decode(bytes.subarray(at >>> 0, bytes.indexOf(0, at >>> 0))) : '';
  }

  /** Calls with texts in the module's memory, each ended by a zero. @param {string[]} texts @param {(...at: number[]) => number} call */
  withTexts(texts, call) {
    const coded = texts.map((t) => encoder.encode(t));
    const room = this.c.play_room(coded.reduce((sum, b) => sum + b.length + 1, 0)) >>> 0;
    if (!room) throw new Refused('no memory left');
    let end = room;
    const at = coded.map((b) => {
      this.bytes().set(b, end);
      this.bytes()[end + b.length] = 0;
      end += b.length + 1;
      return end - b.length - 1;
    });
    const result = call(...at, ...coded.map((b) => b.length));
    this.c.play_free_room(room);
    return result;
  }

  /** Throws the sentence of a failure; gives that of a remark. @param {number} status */
  judge(status) {
    if (status === 0) return '';
    const sentence = this.text(this.c.play_sentence(this.at));
    if (status < 0) throw new Refused(sentence);
    return sentence;
  }

  /** Takes a scene; one with a mistake leaves everything as it was. @param {string} text */
  scene(text) {
    return this.judge(this.withTexts([text], (at, length) => this.c.play_scene(this.at, at, length)));
  }

  /** Changes a value as --set does. @param {string} path @param {string} value */
  change(path, value) {
    return this.judge(this.withTexts([path, value], (a, b) => this.c.play_change(this.at, a, b)));
  }

  /** Makes the scene record frames and contacts for a picture. */
  show() {
    return this.judge(this.c.play_show(this.at));
  }

  /** Starts the simulation with a stepper block, the first if it has no name. @param {string} [stepper] @param {boolean} [record] */
  start(stepper = '', record = false) {
    return this.judge(this.withTexts([stepper], (at) => this.c.play_start(this.at, at, record ? 1 : 0)));
  }

  /** @param {number} seconds end of the run */
  until(seconds) {
    return this.judge(this.c.play_until(this.at, seconds));
  }

  /** @param {number} steps at most so many */
  run(steps) {
    return this.judge(this.c.play_run(this.at, steps));
  }

  /** Records the end. @param {number} wall seconds that the run took */
  finish(wall) {
    return this.judge(this.c.play_finish(this.at, wall));
  }

  /** What is recorded so far, as a block of a report. @param {string} label */
  block(label) {
    const at = this.withTexts([label], (text) => this.c.play_block(this.at, text));
    if (!at) throw new Refused(this.text(this.c.play_sentence(this.at)));
    return this.text(at);
  }

  /** The state as bytes: those that the program writes as snapshot.tru. */
  save() {
    this.judge(this.c.play_save(this.at));
    const from = this.c.play_snapshot(this.at) >>> 0;
    return this.bytes().slice(from, from + this.c.play_snapshot_bytes(this.at));
  }

  /** Goes on from the state of a snapshot. @param {Uint8Array} snapshot */
  load(snapshot) {
    const room = this.c.play_room(snapshot.length) >>> 0;
    if (!room) throw new Refused('no memory left');
    this.bytes().set(snapshot, room);
    const status = this.c.play_load(this.at, room, snapshot.length);
    this.c.play_free_room(room);
    return this.judge(status);
  }

  steppers() {
    const names = [];
    for (let k = 0, at; (at = this.c.play_stepper(this.at, k)); k++) names.push(this.text(at));
    return names;
  }

  get done() {
    return this.c.play_done(this.at) !== 0;
  }
  get time() {
    return this.c.play_time(this.at);
  }
  get end() {
    return this.c.play_end_time(this.at);
  }
  get steps() {
    return this.c.play_steps(this.at);
  }
  get bodies() {
    return this.c.play_bodies(this.at);
  }
  get lastStep() {
    return this.c.play_last_step(this.at);
  }
  get stateHash() {
    return this.text(this.c.play_state_hash(this.at));
  }
}
