// main.ts: the playground: choose a scene, move a slider, watch; the scene as text; the hash that the program gives too.
import 'uplot/dist/uPlot.min.css';
import '../style.css';
import './play.css';
import { keyboard } from '../controls';
import { decode } from '../decode';
import { button, el, save, short } from '../dom';
import { Run } from '../run';
import { runView, type RunView } from '../runview';
import type { RunMeta } from '../types';
import { Editor } from './editor';
import type { Answer, Shown } from './messages';
import { parametersOf, written, type Parameter } from './parameters';
import { Runner } from './runner';

interface Scene {
  name: string; // as the program finds it: examples/euler-disk
  title: string;
  text: string;
}

const page = document.getElementById('page')!;
const root = document.documentElement;

const given = <T>(id: string): T | null => {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as T) : null;
};

async function moduleBytes(text: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Playground {
  private readonly runner: Runner;
  private readonly choice = el('select', { id: 'scenes', 'aria-label': 'Scene' });
  private readonly sliders = el('div', { id: 'sliders' });
  private readonly status = el('p', { id: 'status', role: 'status' });
  private readonly command = el('code', { id: 'command' });
  private readonly hash = el('code', { id: 'hash' });
  private readonly proof = el('p', { id: 'proof', class: 'pending' }, 'State hash ', this.hash, ', the same as from ', this.command);
  private readonly again = button('▶ run again', 'Run the scene again', () => this.run());
  private readonly halt = button('■ stop', 'Stop the run', () => this.stop());
  private readonly editor = new Editor(() => this.edited());
  private readonly text: HTMLDetailsElement;
  private readonly place = el('div', { id: 'view' });
  private view: RunView | null = null;
  private partial = false; // the view shows a run that goes on
  private shown = 0; // answers: an older block that unpacks late is not shown
  private values = new Map<string, string>(); // parameters that were changed
  private scene: Scene;
  private typing = 0;

  constructor(
    private readonly scenes: Scene[],
    bytes: Uint8Array,
    first: Scene,
  ) {
    this.runner = new Runner(bytes, (answer) => this.heard(answer));
    this.scene = first;
    this.fill();
    const saving = button('save', 'Save the scene as a file', () => save(`${this.fileName()}.yaml`, 'text/yaml', this.editor.text));
    this.text = el('details', { class: 'card', id: 'editor' }, el('summary', {}, 'The scene as text'), this.editor.node, saving);
    page.replaceChildren(
      el('header', {}, el('h1', {}, 'Trundle playground'), el('p', { class: 'sub' }, 'Bodies that slide, roll and spin. Everything runs in this page, with the bits of the program.')),
      el('section', { class: 'card desk', 'aria-label': 'Scene' }, el('p', { class: 'row' }, el('label', {}, 'Scene ', this.choice), this.again, this.halt), this.sliders, this.status, this.proof),
      this.text,
      this.place,
    );
    this.choice.addEventListener('change', () => this.open(this.scenes[Number(this.choice.value)]));
    keyboard((event) => this.view?.press(event) ?? false);
    this.open(first);
  }

  private fill(): void {
    const groups = new Map<string, HTMLOptGroupElement>();
    this.scenes.forEach((s, k) => {
      const folder = s.name.split('/').slice(0, -1).join('/');
      if (!groups.has(folder)) groups.set(folder, el('optgroup', { label: folder || 'given' }));
      groups.get(folder)!.append(el('option', { value: k }, s.title));
    });
    this.choice.append(...groups.values());
  }

  private open(scene: Scene): void {
    this.scene = scene;
    this.choice.value = String(this.scenes.indexOf(scene));
    this.editor.text = scene.text;
    this.showSliders();
    this.run();
  }

  private fileName(): string {
    return this.scene.name.split('/').pop() || 'scene';
  }

  private edited(): void {
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => {
      this.showSliders();
      this.run();
    }, 400);
  }

  private showSliders(): void {
    this.values.clear();
    this.sliders.replaceChildren(...parametersOf(this.editor.text).map((p) => this.slider(p)));
  }

  private slider(p: Parameter): HTMLElement {
    const range = el('input', { type: 'range', min: p.low, max: p.high, step: p.step, value: p.value, 'aria-label': p.name, 'data-name': p.name });
    const value = el('output', {}, written(p, p.value));
    range.addEventListener('input', () => {
      value.textContent = written(p, Number(range.value));
      this.values.set(`parameters.${p.name}`, value.textContent);
      this.run();
    });
    return el('label', { class: 'slider', title: p.doc || p.name }, el('span', {}, p.doc ? `${p.name}: ${p.doc}` : p.name), range, value);
  }

  private run(): void {
    delete root.dataset.ready;
    this.partial = false;
    this.editor.clear();
    this.status.textContent = 'runs';
    this.proof.classList.add('pending'); // the hash of the run before
    this.halt.disabled = false;
    this.runner.start({ text: this.editor.text, changes: [...this.values] });
  }

  private stop(): void {
    this.runner.stop();
    this.halt.disabled = true;
    this.status.textContent = `Stopped. ${this.partial ? 'The picture shows the run as far as it was packed.' : ''}`;
  }

  private heard(answer: Answer): void {
    if (answer.kind === 'progress') this.status.textContent = `runs: ${short(answer.time)} s of ${short(answer.end)} s`;
    else if (answer.kind === 'refused') this.refuse(answer.sentence);
    else void this.show(answer, ++this.shown);
  }

  private refuse(sentence: string): void {
    this.halt.disabled = true;
    this.status.textContent = sentence;
    this.text.open = true;
    this.editor.mark(sentence);
    root.dataset.ready = 'refused';
  }

  // The picture of a run that goes on keeps its time when more of the run arrives.
  private async show(answer: Shown, number: number): Promise<void> {
    const run = new Run(await decode<RunMeta>(answer.block));
    if (number !== this.shown) return;
    const old = this.view;
    const before = this.partial && old ? { time: old.clock.time, playing: old.clock.playing || old.clock.time >= old.clock.end } : null;
    old?.close();
    this.view = runView(run);
    this.place.replaceChildren(this.view.node);
    this.view.open();
    if (before) this.view.clock.set(before.time);
    if (!before || before.playing) this.view.clock.play();
    this.partial = !answer.done;
    this.tell(answer);
  }

  private tell(answer: Shown): void {
    const sets = [...this.values].map(([path, value]) => ` --set ${path}=${/\s/.test(value) ? `'${value}'` : value}`).join('');
    const own = this.editor.text !== this.scene.text || !this.scene.name;
    const until = answer.done ? '' : ` --until '${answer.time} s'`;
    this.command.textContent = `trundle run ${own ? `${this.fileName()}.yaml` : this.scene.name}${sets}${until} --out none --json`;
    this.hash.textContent = answer.hash;
    this.proof.classList.remove('pending');
    if (!answer.done) return;
    this.halt.disabled = true;
    this.status.textContent = `${answer.steps} steps in ${short(answer.wall, 3)} s`;
    root.dataset.done = answer.hash;
  }
}

async function start(): Promise<void> {
  const packed = document.getElementById('trundle-module')?.textContent;
  if (!packed) {
    page.replaceChildren(el('h1', {}, 'Trundle playground'), el('p', { class: 'note' }, 'This is the shell of the playground: make playground adds the simulator to it.'));
    root.dataset.ready = 'true';
    return;
  }
  const scenes = given<Scene[]>('trundle-scenes') ?? [];
  const own = given<Scene>('trundle-scene');
  if (own && !scenes.some((s) => s.name === own.name && s.text === own.text)) scenes.unshift(own);
  const first = own ? scenes.find((s) => s.name === own.name && s.text === own.text)! : (scenes.find((s) => s.name === 'examples/euler-disk') ?? scenes[0]);
  new Playground(scenes, await moduleBytes(packed), first);
}

start().catch((error) => page.replaceChildren(el('h1', {}, 'The playground cannot start'), el('p', { class: 'note' }, String(error))));
