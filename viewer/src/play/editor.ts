// editor.ts: the text of the scene with line numbers; a mistake is marked at its line and column.
import { el } from '../dom';

export class Editor {
  readonly area = el('textarea', { id: 'text', spellcheck: 'false', wrap: 'off', 'aria-label': 'Scene', rows: 18 });
  private readonly numbers = el('ol', { class: 'numbers', 'aria-hidden': 'true' });
  private readonly sentence = el('p', { id: 'mistake', role: 'alert', hidden: true });
  readonly node = el('div', { class: 'editor' }, el('div', { class: 'lines' }, this.numbers, this.area), this.sentence);

  constructor(changed: () => void) {
    this.area.addEventListener('input', () => {
      this.number();
      changed();
    });
    this.area.addEventListener('scroll', () => (this.numbers.scrollTop = this.area.scrollTop));
  }

  get text(): string {
    return this.area.value;
  }

  set text(text: string) {
    this.area.value = text;
    this.number();
    this.clear();
  }

  private number(): void {
    const count = this.area.value.split('\n').length;
    if (this.numbers.childElementCount === count) return;
    this.numbers.replaceChildren(...Array.from({ length: count }, () => el('li')));
  }

  clear(): void {
    this.sentence.hidden = true;
    this.numbers.querySelector('.bad')?.removeAttribute('class');
  }

  // Shows the sentence, marks its line, and puts the caret at its column unless somebody is typing.
  mark(sentence: string): void {
    this.clear();
    this.sentence.textContent = sentence;
    this.sentence.hidden = false;
    const place = /^scene\.yaml:(\d+):(\d+):/.exec(sentence);
    if (!place) return;
    const line = Number(place[1]);
    this.numbers.children[line - 1]?.setAttribute('class', 'bad');
    if (document.activeElement === this.area) return;
    const lines = this.area.value.split('\n');
    const at = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + Number(place[2]) - 1;
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = (Math.max(0, line - 6) / lines.length) * this.area.scrollHeight;
  }
}
