/** Where the board lies on the screen: fitted into its frame, zoomed and panned. Converts between pixels and board units. */
import type { Extent, Point } from './hex';

const MOST = 4;

export class Viewport {
  /** The frame's box, as an observer tells it: reading its size while the page is being made would force a layout. */
  frame = $state.raw<DOMRectReadOnly>();
  /** The size of the frame, in pixels. */
  readonly room = $derived(this.frame ?? { width: 0, height: 0 });
  zoom = $state(1);
  /** Offset of the board's centre from the frame's, in pixels. */
  shift = $state.raw<Point>({ x: 0, y: 0 });
  extent = $state.raw<Extent>({ x: 0, y: 0, width: 1, height: 1 });

  readonly fit = $derived(
    Math.max(0.01, Math.min(this.room.width / this.extent.width, this.room.height / this.extent.height)),
  );
  /** Pixels for one board unit. */
  readonly scale = $derived(this.fit * this.zoom);
  readonly origin: Point = $derived({
    x: this.room.width / 2 + this.shift.x - this.scale * (this.extent.x + this.extent.width / 2),
    y: this.room.height / 2 + this.shift.y - this.scale * (this.extent.y + this.extent.height / 2),
  });

  toScreen({ x, y }: Point): Point {
    return { x: this.origin.x + this.scale * x, y: this.origin.y + this.scale * y };
  }

  toBoard({ x, y }: Point): Point {
    return { x: (x - this.origin.x) / this.scale, y: (y - this.origin.y) / this.scale };
  }

  /** Keeps the board's point under `at` where it is. */
  zoomAt(at: Point, factor: number): void {
    const zoom = Math.min(MOST, Math.max(1, this.zoom * factor));
    const real = zoom / this.zoom;
    const middle = { x: this.room.width / 2, y: this.room.height / 2 };
    this.shift = {
      x: (this.shift.x - at.x + middle.x) * real + at.x - middle.x,
      y: (this.shift.y - at.y + middle.y) * real + at.y - middle.y,
    };
    this.zoom = zoom;
    this.pan(0, 0);
  }

  pan(dx: number, dy: number): void {
    const slack = (board: number, frame: number): number =>
      Math.max(0, (board * this.scale - frame) / 2 + 40 * (this.zoom - 1));
    const [sx, sy] = [slack(this.extent.width, this.room.width), slack(this.extent.height, this.room.height)];
    this.shift = {
      x: Math.min(sx, Math.max(-sx, this.shift.x + dx)),
      y: Math.min(sy, Math.max(-sy, this.shift.y + dy)),
    };
  }

  reset(): void {
    this.zoom = 1;
    this.shift = { x: 0, y: 0 };
  }
}
