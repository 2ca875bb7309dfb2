// floor.ts: planes as floors with a grid of a round spacing, large enough for all that moves.
import { BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry, Quaternion, Vector3 } from 'three';
import { colour } from './dom';
import { newPose, type Run } from './run';
import { isPlane } from './shapes';
import type { Shape } from './types';

const round = (x: number, step: number): number => step * Math.round(x / step);

// 1, 2 or 5 times a power of ten, about a tenth of the extent.
export function roundStep(extent: number): number {
  const rough = extent / 10;
  const power = 10 ** Math.floor(Math.log10(rough));
  const part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

function grid(step: number, lines: number, strong: boolean): LineSegments {
  const points: number[] = [];
  const half = step * lines;
  for (let k = -lines; k <= lines; k++) {
    if ((k % 5 === 0) !== strong) continue;
    points.push(-half, k * step, 0, half, k * step, 0, k * step, -half, 0, k * step, half, 0);
  }
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
  return new LineSegments(geometry, new LineBasicMaterial({ color: colour(strong ? 'grid-strong' : 'grid'), transparent: true }));
}

function sheet(size: number): Mesh {
  const material = new MeshBasicMaterial({ color: colour('floor'), polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
  return new Mesh(new PlaneGeometry(size, size), material);
}

// The floors of a run, round the point of the plane below `centre`; without any plane a grid alone. A plane that is seen
// from its solid side is not drawn: a box of planes can be looked into from anywhere.
export class Floors {
  readonly group = new Group();
  readonly step: number;
  private readonly planes: { shape: Shape; at: Group }[] = [];
  private readonly pose = newPose();

  constructor(
    private readonly run: Run,
    private readonly centre: Vector3,
    extent: number,
  ) {
    this.step = roundStep(extent);
    const lines = 10 * Math.ceil(extent / this.step / 10);
    const draw = (): Group => new Group().add(grid(this.step, lines, false), grid(this.step, lines, true));
    for (const shape of run.meta.shapes.filter(isPlane)) {
      const at = draw().add(sheet(2 * this.step * lines));
      this.planes.push({ shape, at });
      this.group.add(at);
    }
    if (this.planes.length) return;
    const alone = draw();
    alone.position.set(centre.x, centre.y, run.meta.position_low?.[2] ?? 0);
    this.group.add(alone);
  }

  place(frame: number, part: number, eye: Vector3): void {
    const pose = this.pose;
    for (const { shape, at } of this.planes) {
      this.run.pose(frame, part, shape.body, pose);
      const turn = new Quaternion(pose.qx, pose.qy, pose.qz, pose.qw);
      const [w, x, y, z] = shape.orientation;
      at.position.set(...shape.position).applyQuaternion(turn).add(new Vector3(pose.x, pose.y, pose.z));
      at.quaternion.copy(turn).multiply(new Quaternion(x, y, z, w));
      const back = at.quaternion.clone().invert();
      at.visible = eye.clone().sub(at.position).applyQuaternion(back).z > 0;
      // grid lines stay at round distances from the plane's origin
      const local = this.centre.clone().sub(at.position).applyQuaternion(back);
      const shift = new Vector3(round(local.x, 5 * this.step), round(local.y, 5 * this.step), 0);
      at.position.add(shift.applyQuaternion(at.quaternion));
    }
  }
}
