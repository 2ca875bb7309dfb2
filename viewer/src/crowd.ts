// crowd.ts: all bodies of a run, drawn by one call per kind of solid however many there are.
import { BatchedMesh, Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from 'three';
import { colour, SERIES } from './dom';
import { newPose, type Mode, type Run } from './run';
import { isPlane, partsOf, solids, type Part } from './shapes';

export type Paint = 'body' | 'mode' | 'height';

interface Member {
  body: number;
  local: Matrix4;
  mesh: InstancedMesh | BatchedMesh;
  index: number;
}

const NOWHERE = new Matrix4().makeScale(0, 0, 0);

export class Crowd {
  readonly group = new Group();
  readonly unknown: string[] = [];
  private readonly members: Member[] = [];
  private readonly meshes: (InstancedMesh | BatchedMesh)[] = [];
  private readonly pose = newPose();

  constructor(private readonly run: Run) {
    const many = run.bodies > 1000;
    const geometry = solids(many);
    const byKind = new Map<string, (Part & { body: number })[]>();
    for (const shape of run.meta.shapes) {
      if (isPlane(shape)) continue;
      const { parts, known } = partsOf(shape, run.meta.bodies[shape.body].size);
      if (!known && !this.unknown.includes(shape.type)) this.unknown.push(shape.type);
      for (const p of parts) {
        const list = byKind.get(p.solid) ?? [];
        list.push({ ...p, body: shape.body });
        byKind.set(p.solid, list);
      }
    }
    for (const [solid, list] of byKind) {
      const material = new MeshLambertMaterial({ vertexColors: true, flatShading: solid === 'block' || solid === 'hull' });
      if (solid === 'hull') {
        this.addHulls(list, material);
        continue;
      }
      const mesh = new InstancedMesh(geometry[solid as keyof typeof geometry], material, list.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      list.forEach((entry, index) => this.members.push({ ...entry, mesh, index }));
      this.meshes.push(mesh);
      this.group.add(mesh);
    }
  }

  // Every hull has a geometry of its own; still one call draws them all.
  private addHulls(list: (Part & { body: number })[], material: MeshLambertMaterial): void {
    const corners = list.reduce((sum, p) => sum + p.own!.getAttribute('position').count, 0);
    const mesh = new BatchedMesh(list.length, corners, 0, material);
    mesh.frustumCulled = mesh.perObjectFrustumCulled = mesh.sortObjects = false;
    for (const { body, local, own } of list) this.members.push({ body, local, mesh, index: mesh.addInstance(mesh.addGeometry(own!)) });
    this.meshes.push(mesh);
    this.group.add(mesh);
  }

  place(frame: number, part: number): void {
    const at = new Vector3();
    const turn = new Quaternion();
    const one = new Vector3(1, 1, 1);
    const world = new Matrix4();
    let body = -1;
    for (const m of this.members) {
      if (m.body !== body) {
        body = m.body;
        this.run.pose(frame, part, body, this.pose);
        world.compose(at.set(this.pose.x, this.pose.y, this.pose.z), turn.set(this.pose.qx, this.pose.qy, this.pose.qz, this.pose.qw), one);
      }
      m.mesh.setMatrixAt(m.index, this.pose.there ? matrix.multiplyMatrices(world, m.local) : NOWHERE);
    }
    for (const mesh of this.meshes) if (mesh instanceof InstancedMesh) mesh.instanceMatrix.needsUpdate = true;
  }

  paint(how: Paint, frame: number): void {
    const modes = how === 'mode' ? this.run.modes(frame) : null;
    const palette = SERIES.map((name) => new Color(colour(name)));
    const byMode = Object.fromEntries(MODES.map((mode) => [mode, new Color(colour(mode))]));
    const fixed = new Color(colour('fixed'));
    const low = this.run.meta.position_low?.[2] ?? 0;
    const height = 65534 * (this.run.meta.position_step?.[2] ?? 1) || 1;
    const shade = new Color();
    for (const m of this.members) {
      if (this.run.meta.bodies[m.body].kind === 'fixed') m.mesh.setColorAt(m.index, fixed);
      else if (modes) m.mesh.setColorAt(m.index, byMode[modes[m.body]]);
      else if (how === 'height') {
        this.run.frozen(0, m.body, this.pose); // where it began: mixing is seen
        m.mesh.setColorAt(m.index, shade.setHSL(0.62 - (0.62 * (this.pose.z - low)) / height, 0.65, 0.55));
      } else m.mesh.setColorAt(m.index, palette[m.body % palette.length]);
    }
    for (const mesh of this.meshes) if (mesh instanceof InstancedMesh && mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }
}

export const MODES: Mode[] = ['free', 'stick', 'roll', 'spin', 'slip'];
const matrix = new Matrix4();
