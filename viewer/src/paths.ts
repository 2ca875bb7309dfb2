// paths.ts: where the contact point of a body went, on the floor and on the body; without contacts, where its centre went.
import { BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, LineSegments } from 'three';
import { colour } from './dom';
import { intoBody, newPose, type Run } from './run';

export class Paths {
  readonly floor = new Group();
  readonly body = new Group(); // moves with the body
  private lines: (Line | LineSegments)[] = [];
  private frames: number[] = []; // of each segment

  constructor(private readonly run: Run) {}

  // Segments between neighbouring frames that both have a contact.
  private collect(body: number): { floor: number[]; own: number[] } {
    const floor: number[] = [];
    const own: number[] = [];
    const pose = newPose();
    const stride = this.run.meta.contact_stride ?? 1;
    let before: { at: number[]; local: number[] } | null = null;
    this.frames = [];
    for (let frame = 0; frame < this.run.frames; frame += stride) {
      const c = this.run.contacts(frame).find((k) => k.a === body || k.b === body);
      this.run.frozen(frame, body, pose);
      const now = c && pose.there ? { at: c.point, local: intoBody(pose, [c.point[0] - pose.x, c.point[1] - pose.y, c.point[2] - pose.z]) } : null;
      if (now && before) {
        floor.push(...before.at, ...now.at);
        own.push(...before.local, ...now.local);
        this.frames.push(frame);
      }
      before = now;
    }
    return { floor, own };
  }

  private collectCentre(body: number): number[] {
    const out: number[] = [];
    const pose = newPose();
    this.frames = [];
    for (let frame = 0; frame < this.run.frames; frame++) {
      if (!this.run.frozen(frame, body, pose).there) continue;
      out.push(pose.x, pose.y, pose.z);
      this.frames.push(frame);
    }
    return out;
  }

  show(body: number): void {
    this.clear();
    if (body < 0) return;
    if (this.run.hasContacts) {
      const { floor, own } = this.collect(body);
      this.add(this.floor, new LineSegments(), floor);
      this.add(this.body, new LineSegments(), own);
    } else this.add(this.floor, new Line(), this.collectCentre(body));
  }

  private add(group: Group, line: Line | LineSegments, points: number[]): void {
    const onFloor = group === this.floor;
    line.geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
    line.material = new LineBasicMaterial({ color: colour(onFloor ? 'path' : 'path-body'), depthTest: onFloor, polygonOffset: true, polygonOffsetFactor: -2 });
    line.frustumCulled = false;
    line.renderOrder = 1;
    this.lines.push(line);
    group.add(line);
  }

  // Only what has happened by then.
  until(frame: number): void {
    let low = 0;
    let high = this.frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle] <= frame) low = middle + 1;
      else high = middle;
    }
    for (const line of this.lines) line.geometry.setDrawRange(0, line instanceof LineSegments ? 2 * low : low);
  }

  private clear(): void {
    for (const line of this.lines) {
      line.geometry.dispose();
      line.removeFromParent();
    }
    this.lines = [];
    this.frames = [];
  }
}
