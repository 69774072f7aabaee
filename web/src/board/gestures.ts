/** Pointer gestures on the board: one pointer drags a stack or pans, two pinch, a finger taps twice. Taps stay ordinary clicks. */
import { middle, type Point } from './hex';

interface GestureTargets {
  /** Whether a drag that starts here takes a stack along. */
  takes(at: Point): boolean;
  drag(at: Point, start: Point): void;
  drop(at: Point | null): void;
  pan(dx: number, dy: number): void;
  zoom(at: Point, factor: number): void;
  /** Whether a tap does something to the game here, so that it is not the first of two. */
  acts(at: Point): boolean;
  /** A second tap of a finger, soon after the first. Returns whether it is more than another tap. */
  tapTwice(at: Point, first: Point): boolean;
}

/** Pixels that a pointer may move and still tap. */
const SLACK = 9;
/** Milliseconds between the two taps of a double tap. */
const SOON = 300;

/** Listens on an element until the returned function is called. */
export function gestures(element: HTMLElement, targets: GestureTargets): () => void {
  const pointers = new Map<number, Point>();
  let start: Point | null = null;
  let carrying = false;
  let wandered = false;
  let spread = 0;
  let tapped: { at: Point; when: number } | null = null;

  const at = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const distance = (): number => {
    const [a, b] = [...pointers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, at(event));
    if (pointers.size === 1) {
      start = at(event);
      wandered = false;
      carrying = targets.takes(start);
      return;
    }
    if (carrying && wandered) targets.drop(null);
    carrying = false;
    wandered = true;
    spread = distance();
  };
  const move = (event: PointerEvent): void => {
    const before = pointers.get(event.pointerId);
    if (!before || !start) return;
    const now = at(event);
    if (!wandered && Math.hypot(now.x - start.x, now.y - start.y) < SLACK) return;
    wandered = true;
    const centreBefore = middle([...pointers.values()]);
    pointers.set(event.pointerId, now);
    const centreNow = middle([...pointers.values()]);
    if (carrying) return targets.drag(now, start);
    targets.pan(centreNow.x - centreBefore.x, centreNow.y - centreBefore.y);
    if (pointers.size > 1 && spread > 0) {
      targets.zoom(centreNow, distance() / spread);
      spread = distance();
    }
  };
  const up = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    if (carrying && wandered) targets.drop(event.type === 'pointerup' ? at(event) : null);
    carrying = false;
    spread = distance();
    if (pointers.size === 0) start = null;
    if (event.type === 'pointerup' && event.pointerType === 'touch' && !wandered) tap(at(event), event.timeStamp);
    else tapped = null;
  };
  const tap = (now: Point, when: number): void => {
    // the click of a double tap is not another tap
    wandered = tapped !== null && when - tapped.when < SOON && targets.tapTwice(now, tapped.at);
    tapped = wandered || targets.acts(now) ? null : { at: now, when };
  };
  // Browsers report a click at the end of a drag.
  const click = (event: MouseEvent): void => {
    if (!wandered || event.detail === 0) return;
    wandered = false;
    event.stopPropagation();
    event.preventDefault();
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    targets.zoom(at(event), Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)));
  };

  const controller = new AbortController();
  const { signal } = controller;
  element.addEventListener('pointerdown', down, { signal });
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', up, { signal });
  window.addEventListener('pointercancel', up, { signal });
  element.addEventListener('click', click, { capture: true, signal });
  element.addEventListener('wheel', wheel, { passive: false, signal });
  return () => controller.abort();
}
