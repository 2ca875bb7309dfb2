// decode.ts: a block of the report back into numbers: base64, zlib, sorted bytes, differences (io/common/pack.h).
import type { Block, Numbers } from './types';

interface Entry {
  type: 'u8' | 'u16' | 'u32' | 'f32' | 'f64';
  offset: number;
  count: number;
  delta: number;
}

const SIZE = { u8: 1, u16: 2, u32: 4, f32: 4, f64: 8 };

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function unsort(bytes: Uint8Array, start: number, entry: Entry): ArrayBuffer {
  const size = SIZE[entry.type];
  const out = new Uint8Array(entry.count * size);
  for (let b = 0; b < size; b++) {
    const from = start + b * entry.count;
    for (let i = 0, at = b; i < entry.count; i++, at += size) out[at] = bytes[from + i];
  }
  return out.buffer;
}

function undelta(values: Uint16Array | Uint32Array, delta: number): void {
  for (let i = 0; i < values.length; i++) {
    const z = values[i];
    const d = (z >>> 1) ^ -(z & 1);
    values[i] = i >= delta ? values[i - delta] + d : d; // wraps like the writer's
  }
}

function typed(buffer: ArrayBuffer, entry: Entry): Numbers {
  switch (entry.type) {
    case 'u8':
      return new Uint8Array(buffer);
    case 'f32':
      return new Float32Array(buffer);
    case 'f64':
      return new Float64Array(buffer);
    default: {
      const values = entry.type === 'u16' ? new Uint16Array(buffer) : new Uint32Array(buffer);
      if (entry.delta > 0) undelta(values, entry.delta);
      return values;
    }
  }
}

export async function decode<T>(text: string): Promise<Block<T>> {
  const bytes = await inflate(fromBase64(text));
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const meta = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const arrays = new Map<string, Numbers>();
  for (const [name, entry] of Object.entries((meta.arrays ?? {}) as Record<string, Entry>))
    arrays.set(name, typed(unsort(bytes, 8 + length + entry.offset, entry), entry));
  return { meta, arrays };
}
