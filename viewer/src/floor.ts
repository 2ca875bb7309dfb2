// floor.ts: planes as floors with a grid of a round spacing, large enough for all that moves.
import { BufferGeometry, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry, Quaternion, Vector3 } from 'three';
import { colour } from './dom';
import { newPose, type Run } from './run';
import { isPlane } from './shapes';

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
  const material = new MeshBasicMaterial({ color: colour('floor'), side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
  return new Mesh(new PlaneGeometry(size, size), material);
}

// The floors of a run, round the point of the plane below `centre`; without any plane a grid alone.
export function floors(run: Run, centre: Vector3, extent: number): { group: Group; step: number } {
  const group = new Group();
  const step = roundStep(extent);
  const lines = 10 * Math.ceil(extent / step / 10);
  const planes = run.meta.shapes.filter(isPlane);
  const pose = newPose();
  for (const shape of planes.length ? planes : [null]) {
    const one = new Group();
    if (shape) {
      run.frozen(0, shape.body, pose);
      const turn = new Quaternion(pose.qx, pose.qy, pose.qz, pose.qw);
      const [w, x, y, z] = shape.orientation;
      one.position.set(...shape.position).applyQuaternion(turn).add(new Vector3(pose.x, pose.y, pose.z));
      one.quaternion.copy(turn).multiply(new Quaternion(x, y, z, w));
      // grid lines stay at round distances from the plane's origin
      const local = centre.clone().sub(one.position).applyQuaternion(one.quaternion.clone().invert());
      const shift = new Vector3(5 * step * Math.round(local.x / step / 5), 5 * step * Math.round(local.y / step / 5), 0);
      one.position.add(shift.applyQuaternion(one.quaternion));
      one.add(sheet(2 * step * lines));
    } else one.position.set(centre.x, centre.y, run.meta.position_low?.[2] ?? 0);
    one.add(grid(step, lines, false), grid(step, lines, true));
    group.add(one);
  }
  return { group, step };
}
