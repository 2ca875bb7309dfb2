// arrows.ts: contact points with arrows: normal force, friction force, slip.
import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import { colour } from './dom';
import { modeOf, tangent, type Contact, type Run } from './run';

const MOST = 1500; // contacts with arrows
const LONGEST = 3; // arrows are cut at this multiple of a body's size

// The largest weight and size of a free body: a force of that weight is drawn as long as that size.
function reference(run: Run): { weight: number; size: number } {
  const free = run.meta.bodies.filter((b) => b.kind === 'free' && b.size > 0);
  const size = Math.max(1e-12, ...free.slice(0, 1000).map((b) => b.size));
  const weight = Math.max(1e-300, ...free.slice(0, 1000).map((b) => 9.81 * b.mass));
  return { weight, size };
}

export class Arrows {
  readonly group = new Group();
  private readonly shaft: InstancedMesh;
  private readonly head: InstancedMesh;
  private readonly dot: InstancedMesh;
  private readonly scale: { weight: number; size: number };
  private slipScale = 0; // [m/s] drawn as long as a body's size
  private count = 0;

  constructor(private readonly run: Run) {
    this.scale = reference(run);
    const plain = () => new MeshBasicMaterial({ depthTest: false, transparent: true });
    this.shaft = new InstancedMesh(new CylinderGeometry(0.5, 0.5, 1, 8).translate(0, 0.5, 0), plain(), 3 * MOST);
    this.head = new InstancedMesh(new ConeGeometry(1, 1, 12).translate(0, -0.5, 0), plain(), 3 * MOST);
    this.dot = new InstancedMesh(new SphereGeometry(1, 12, 8), plain(), MOST);
    for (const mesh of [this.shaft, this.head, this.dot]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 2;
      this.group.add(mesh);
    }
    this.slipScale = this.findSlipScale();
  }

  private findSlipScale(): number {
    const seen: number[] = [];
    for (let k = 0; k < 200; k++) {
      const frame = Math.floor((k * this.run.frames) / 200);
      for (const c of this.run.contacts(frame).slice(0, 20)) {
        const slip = Math.hypot(c.velocity[1], c.velocity[2]);
        if (modeOf(c) === 'slip' && slip > 0) seen.push(slip);
      }
    }
    seen.sort((a, b) => a - b);
    return seen[Math.floor(0.9 * seen.length)] ?? 1;
  }

  private add(from: number[], vector: number[], length: number, tint: Color): void {
    const long = Math.min(length, LONGEST * this.scale.size);
    const size = Math.hypot(...vector);
    if (!(long > 0.02 * this.scale.size) || !(size > 0)) return;
    const width = 0.03 * this.scale.size;
    const tip = Math.min(4 * width, 0.5 * long);
    const direction = new Vector3(...vector).divideScalar(size);
    const turn = new Quaternion().setFromUnitVectors(UP, direction);
    const at = new Vector3(...from);
    this.shaft.setMatrixAt(this.count, new Matrix4().compose(at, turn, new Vector3(width, long - tip, width)));
    this.head.setMatrixAt(this.count, new Matrix4().compose(at.clone().addScaledVector(direction, long), turn, new Vector3(2 * width, tip, 2 * width)));
    this.shaft.setColorAt(this.count, tint);
    this.head.setColorAt(this.count, tint);
    this.count++;
  }

  private show(c: Contact, tints: Record<string, Color>, index: number): void {
    const perStep = this.run.perStep;
    const friction = tangent(c, c.impulse[1], c.impulse[2]);
    const slip = tangent(c, c.velocity[1], c.velocity[2]);
    const force = (impulse: number) => (this.scale.size * impulse * perStep) / this.scale.weight;
    const dot = 0.045 * this.scale.size;
    this.dot.setMatrixAt(index, new Matrix4().makeScale(dot, dot, dot).setPosition(c.point[0], c.point[1], c.point[2]));
    this.dot.setColorAt(index, tints[modeOf(c)]);
    this.add(c.point, c.normal, force(c.impulse[0]), tints.normal);
    this.add(c.point, friction, force(Math.hypot(...friction)), tints.friction);
    if (modeOf(c) === 'slip') this.add(c.point, slip, (this.scale.size * Math.hypot(...slip)) / this.slipScale, tints.slip);
  }

  place(frame: number): void {
    const contacts = this.run.contacts(frame).slice(0, MOST);
    const names = ['normal', 'friction', 'free', 'slip', 'roll', 'spin', 'stick'];
    const tints = Object.fromEntries(names.map((name) => [name, new Color(colour(name))]));
    this.count = 0;
    contacts.forEach((c, i) => this.show(c, tints, i));
    this.dot.count = contacts.length;
    this.shaft.count = this.head.count = this.count;
    for (const mesh of [this.shaft, this.head, this.dot]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
}

const UP = new Vector3(0, 1, 0);
