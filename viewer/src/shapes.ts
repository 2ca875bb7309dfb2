// shapes.ts: the solids of every shape, of unit size, with a mark in two tones so that rolling and spinning are seen.
import { BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { Shape } from './types';

type Unit = 'ball' | 'block' | 'coin' | 'tube';
type Solid = Unit | 'hull';

// A solid that is stretched and stands at a height of the shape's z.
export interface Part {
  solid: Solid;
  local: Matrix4; // unit solid -> body axes
  own?: BufferGeometry; // of a hull, which is like no other
}

const LIGHT = 1.0;
const DARK = 0.58;

// Every face in one tone, told by its centre.
function toned(geometry: BufferGeometry, tone: (x: number, y: number, z: number) => number): BufferGeometry {
  const faces = geometry.index ? geometry.toNonIndexed() : geometry;
  const p = faces.getAttribute('position');
  const colours = new Float32Array(3 * p.count);
  for (let i = 0; i < p.count; i += 3) {
    const mean = (get: (k: number) => number) => (get(i) + get(i + 1) + get(i + 2)) / 3;
    const t = tone(
      mean((k) => p.getX(k)),
      mean((k) => p.getY(k)),
      mean((k) => p.getZ(k)),
    );
    colours.fill(t, 3 * i, 3 * i + 9);
  }
  faces.setAttribute('color', new BufferAttribute(colours, 3));
  return faces;
}

// Octants in turn light and dark, like a beach ball.
function ball(detail: number): BufferGeometry {
  const g = new SphereGeometry(1, 4 * detail, 2 * detail);
  return toned(g, (x, y, z) => (x * y * z > 0 ? LIGHT : DARK));
}

// Axis along z; a dark quarter on the faces, stripes round the rim.
function coin(sides: number): BufferGeometry {
  const g = new CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2);
  return toned(g, (x, y, z) => {
    const turn = Math.atan2(y, x);
    if (Math.abs(z) > 0.49) return turn > 0 && turn < Math.PI / 2 ? DARK : LIGHT;
    return Math.sin(8 * turn) > 0 ? LIGHT : DARK;
  });
}

// The coat of a cylinder about z, quarters in turn light and dark, as on the balls at its ends.
function tube(sides: number): BufferGeometry {
  const g = new CylinderGeometry(1, 1, 1, sides, 2, true).rotateX(Math.PI / 2);
  return toned(g, (x, y, z) => (x * y * z > 0 ? LIGHT : DARK));
}

function block(): BufferGeometry {
  const g = new BoxGeometry(1, 1, 1, 2, 2, 2);
  return toned(g, (x, y, z) => (x > 0 && y > 0 && z > 0 ? DARK : LIGHT));
}

// Octants about its middle in turn light and dark.
function hull(points: number[], triangles: number[]): BufferGeometry {
  const g = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(triangles.flatMap((k) => points.slice(3 * k, 3 * k + 3))), 3));
  const middle = [0, 1, 2].map((c) => points.filter((_, i) => i % 3 === c).reduce((a, b) => a + b, 0) / (points.length / 3));
  g.computeVertexNormals();
  return toned(g, (x, y, z) => ((x - middle[0]) * (y - middle[1]) * (z - middle[2]) > 0 ? LIGHT : DARK));
}

export function solids(many: boolean): Record<Unit, BufferGeometry> {
  return { ball: ball(many ? 3 : 10), block: block(), coin: coin(many ? 24 : 96), tube: tube(many ? 12 : 40) };
}

export const isPlane = (shape: Shape): boolean => shape.type === 'plane';

// From unit solid to body axes.
function placed(shape: Shape, solid: Solid, x: number, y: number, z: number, height = 0): Part {
  const [qw, qx, qy, qz] = shape.orientation;
  const turn = new Quaternion(qx, qy, qz, qw);
  const at = new Vector3(0, 0, height).applyQuaternion(turn).add(new Vector3(...shape.position));
  return { solid, local: new Matrix4().compose(at, turn, new Vector3(x, y, z)) };
}

// The solids a shape is drawn with; what is not known is a ball of the body's size.
export function partsOf(shape: Shape, bodySize: number): { parts: Part[]; known: boolean } {
  const p = shape.parameters.map((x) => x ?? 0);
  const one = (solid: Solid, x: number, y: number, z: number) => ({ parts: [placed(shape, solid, x, y, z)], known: true });
  switch (shape.type) {
    case 'sphere':
      return one('ball', p[0], p[0], p[0]);
    case 'ellipsoid':
      return one('ball', p[0], p[1], p[2]);
    case 'box':
      return one('block', p[0], p[1], p[2]);
    case 'disk': // a thin one gets just enough to be seen from the side
      return one('coin', p[0], p[0], Math.max(p[1], 0.01 * p[0]));
    case 'capsule': {
      const ends = [-0.5, 0.5].map((end) => placed(shape, 'ball', p[0], p[0], p[0], end * p[1]));
      return { parts: [placed(shape, 'tube', p[0], p[0], p[1]), ...ends], known: true };
    }
    case 'hull':
      if (!shape.points || !shape.triangles) return { parts: [placed(shape, 'ball', bodySize, bodySize, bodySize)], known: false };
      return { parts: [{ ...placed(shape, 'hull', 1, 1, 1), own: hull(shape.points, shape.triangles) }], known: true };
    default:
      return { parts: [placed(shape, 'ball', bodySize, bodySize, bodySize)], known: false };
  }
}
