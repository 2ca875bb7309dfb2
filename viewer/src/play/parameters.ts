// parameters.ts: the numbers under `parameters` of a scene that a slider can change.

export interface Parameter {
  name: string;
  value: number;
  unit: string; // as written, '' without one
  doc: string; // the comment behind it
  low: number;
  high: number;
  step: number;
}

const NUMBER = /^["']?([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\s+([A-Za-z%][\w/^*-]*)|([A-Za-z%][\w/^*-]*))?["']?$/;

// From a fifth to three times the value; whole numbers without a unit stay whole.
function slider(name: string, text: string, doc: string): Parameter | null {
  const found = NUMBER.exec(text.trim());
  if (!found) return null;
  const value = Number(found[1]);
  const ends = value === 0 ? [0, 1] : [0.2 * value, 3 * value].sort((a, b) => a - b);
  const whole = /^\d+$/.test(found[1]) && !found[2] && !found[3] && value > 0;
  const [low, high] = whole ? [Math.max(1, Math.round(ends[0])), Math.round(ends[1])] : ends;
  return { name, value, unit: found[2] ?? found[3] ?? '', doc, low, high, step: whole ? 1 : (high - low) / 200 };
}

// The lines under `parameters:`, or its map in braces. Expressions get no slider.
export function parametersOf(scene: string): Parameter[] {
  const inline = /^parameters:[ \t]*\{([^}]*)\}/m.exec(scene);
  const block = /^parameters:[ \t]*(?:#.*)?\n((?:[ \t]+\S.*\n|[ \t]*\n|[ \t]*#.*\n)*)/m.exec(scene + '\n');
  const lines = inline ? inline[1].split(',') : (block?.[1].split('\n') ?? []);
  const all = lines.map((line) => {
    const found = /^\s*([\w-]+):\s*([^#]*?)\s*(?:#\s*(.*))?$/.exec(line);
    return found ? slider(found[1], found[2], found[3] ?? '') : null;
  });
  return all.filter((p): p is Parameter => p !== null);
}

// A value as the scene would have it: "20 deg".
export const written = (p: Parameter, value: number): string => `${Number(value.toPrecision(6))}${p.unit ? ` ${p.unit}` : ''}`;
