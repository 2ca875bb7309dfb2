// dom.ts: elements made in one line, numbers as people read them, files handed to the user.

type Props = Record<string, string | number | boolean | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

export function button(label: string, title: string, action: () => void): HTMLButtonElement {
  return el('button', { type: 'button', title, 'aria-label': title, click: action }, label);
}

// Four digits, powers of ten where they are needed.
export function short(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(digits - 2).replace(/\.?0*e\+?/, 'e') : String(Number(x.toPrecision(digits)));
  return text.replaceAll('-', '−');
}

export const withUnit = (x: number | null | undefined, unit: string): string =>
  unit === '-' ? short(x) : `${short(x)} ${unit}`;

export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// A colour of the style sheet, light or dark.
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || '#888';
}

export const SERIES = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'];
