// replay.ts: the 3-D picture of a run at the time of the clock: camera, light, floor, bodies, contacts, paths.
import { AmbientLight, Color, DirectionalLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Arrows } from './arrows';
import type { Clock } from './clock';
import { Crowd, type Paint } from './crowd';
import { colour } from './dom';
import { Floors } from './floor';
import { Paths } from './paths';
import { newPose, type Run } from './run';

export class Replay {
  readonly crowd: Crowd;
  readonly floors: Floors;
  follow = -1; // body, -1: none
  paint: Paint = 'body';
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly arrows: Arrows | null;
  private readonly paths: Paths;
  private readonly centre = new Vector3();
  private readonly size: number;
  private painted = '';
  private arrowFrame = -1;
  private waiting = false;
  private gone = false;
  private pathOf = -2;
  private readonly resizer = new ResizeObserver(() => this.resize());
  private readonly dark = matchMedia('(prefers-color-scheme: dark)');

  constructor(
    readonly run: Run,
    private readonly clock: Clock,
    private readonly canvas: HTMLCanvasElement,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: run.bodies <= 1000, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.crowd = new Crowd(run);
    this.arrows = run.hasContacts ? new Arrows(run) : null;
    this.paths = new Paths(run);
    this.size = this.measure();
    this.floors = new Floors(run, this.centre, 2.5 * this.size);
    this.scene.add(this.floors.group, this.crowd.group, this.paths.floor, this.paths.body, new AmbientLight(0xffffff, 1.3));
    if (this.arrows) this.scene.add(this.arrows.group);
    for (const [x, y, z, power] of [
      [1, -1.2, 2.2, 2.0],
      [-1.5, 0.8, 0.6, 0.7],
    ]) {
      const light = new DirectionalLight(0xffffff, power);
      light.position.set(x, y, z);
      this.scene.add(light);
    }
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.soon());
    this.home();
    this.restyle();
    clock.listen(() => this.soon());
    this.resizer.observe(canvas.parentElement!);
    this.dark.addEventListener('change', this.restyle);
    this.resize();
  }

  // Centre and half width of what moves.
  private measure(): number {
    const pose = newPose();
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    let largest = 0;
    const frames = Math.min(this.run.frames, 200);
    for (let body = 0; body < this.run.bodies; body++) {
      const info = this.run.meta.bodies[body];
      if (info.kind === 'fixed' && !(info.size > 0)) continue;
      largest = Math.max(largest, info.size);
      const looks = info.kind === 'fixed' ? 1 : this.run.bodies > 500 ? 4 : frames;
      for (let k = 0; k < looks; k++) {
        const frame = Math.round((k * (this.run.frames - 1)) / Math.max(1, looks - 1));
        if (!this.run.frozen(frame, body, pose).there) continue;
        low.min(new Vector3(pose.x - info.size, pose.y - info.size, pose.z - info.size));
        high.max(new Vector3(pose.x + info.size, pose.y + info.size, pose.z + info.size));
      }
    }
    if (!(low.x <= high.x)) return 1;
    this.centre.addVectors(low, high).multiplyScalar(0.5);
    return Math.max(0.5 * low.distanceTo(high), 1.5 * largest, 1e-9);
  }

  get lengths(): number {
    return this.size;
  }

  home(): void {
    const far = (0.95 * this.size) / Math.sin((0.5 * this.camera.fov * Math.PI) / 180);
    this.camera.near = far / 500;
    this.camera.far = 50 * far;
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).add(new Vector3(0.55, -0.9, 0.5).normalize().multiplyScalar(far));
    if (this.follow >= 0) this.closeUp();
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.soon();
  }

  // Near the followed body.
  private closeUp(): void {
    const info = this.run.meta.bodies[this.follow];
    const at = this.placeOf(this.follow);
    const far = (3 * (info.size || this.size)) / Math.sin((0.5 * this.camera.fov * Math.PI) / 180);
    const away = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(at);
    this.camera.position.copy(at).addScaledVector(away, far);
    this.camera.near = far / 500;
  }

  setFollow(body: number): void {
    this.follow = body;
    this.home();
  }

  turn(right: number, up: number, nearer: number): void {
    const away = this.camera.position.clone().sub(this.controls.target);
    const flat = Math.hypot(away.x, away.y);
    const length = away.length() * nearer;
    const azimuth = Math.atan2(away.y, away.x) + right;
    const height = Math.min(Math.max(Math.atan2(away.z, flat) + up, -1.5), 1.5);
    away.set(Math.cos(azimuth) * Math.cos(height), Math.sin(azimuth) * Math.cos(height), Math.sin(height)).multiplyScalar(length);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
    this.soon();
  }

  readonly restyle = (): void => {
    this.scene.background = new Color(colour('sky'));
    this.painted = '';
    this.arrowFrame = -1;
    this.soon();
  };

  showArrows(on: boolean): void {
    if (this.arrows) this.arrows.group.visible = on;
    this.soon();
  }

  showPaths(on: boolean): void {
    this.paths.floor.visible = this.paths.body.visible = on;
    this.soon();
  }

  // The body whose path is drawn: the followed one, else the first that is free.
  pathBody(): number {
    if (this.follow >= 0) return this.follow;
    return this.run.meta.bodies.findIndex((b) => b.kind === 'free');
  }

  private placeOf(body: number): Vector3 {
    const frame = this.run.frameAt(this.clock.time);
    const pose = this.run.pose(frame, this.part(frame), body, newPose());
    return new Vector3(pose.x, pose.y, pose.z);
  }

  private part(frame: number): number {
    const { time, frames } = this.run;
    if (frame + 1 >= frames) return 0;
    return Math.min(Math.max((this.clock.time - time[frame]) / (time[frame + 1] - time[frame]), 0), 1);
  }

  soon(): void {
    if (this.waiting || this.gone) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (!this.gone) this.draw();
    });
  }

  private chase(): void {
    if (this.follow < 0) return;
    const step = this.placeOf(this.follow).sub(this.controls.target);
    if (step.lengthSq() === 0) return;
    this.controls.target.add(step);
    this.camera.position.add(step);
    this.camera.lookAt(this.controls.target);
  }

  draw(): void {
    const frame = this.run.frameAt(this.clock.time);
    const part = this.part(frame);
    this.crowd.place(frame, part);
    const paint = this.paint === 'mode' ? `mode ${frame}` : this.paint;
    if (paint !== this.painted) this.crowd.paint(this.paint, frame);
    this.painted = paint;
    if (this.arrows && this.arrowFrame !== frame) this.arrows.place(frame);
    this.arrowFrame = frame;
    this.placePaths(frame, part);
    this.chase();
    this.floors.place(frame, part, this.camera.position);
    this.renderer.render(this.scene, this.camera);
    this.canvas.dataset.drawn = String(Number(this.canvas.dataset.drawn ?? 0) + 1);
  }

  private placePaths(frame: number, part: number): void {
    const body = this.pathBody();
    if (body !== this.pathOf) this.paths.show(body);
    this.pathOf = body;
    if (body < 0) return;
    const pose = this.run.pose(frame, part, body, newPose());
    this.paths.body.position.set(pose.x, pose.y, pose.z);
    this.paths.body.quaternion.set(pose.qx, pose.qy, pose.qz, pose.qw);
    this.paths.until(frame);
  }

  // The picture as a file, for printing.
  picture(): string {
    this.draw();
    return this.canvas.toDataURL('image/png');
  }

  private resize(): void {
    const box = this.canvas.parentElement!.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return;
    this.renderer.setSize(box.width, box.height, false);
    this.camera.aspect = box.width / box.height;
    this.camera.updateProjectionMatrix();
    this.soon();
  }

  // Gives the graphics memory and its context back: a browser has few of them.
  dispose(): void {
    this.gone = true;
    this.resizer.disconnect();
    this.dark.removeEventListener('change', this.restyle);
    this.crowd.dispose();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
