interface Dragging {
  /** `isOver`: whether it is dragged over the play zone. */
  over(isOver: boolean): void;
  drop(): void;
}

const SLACK = 9;

/** Makes an element draggable. While it is dragged, `--dx` and `--dy` on it hold the offset. */
export function drag(node: HTMLElement, targets: Dragging): { update(targets: Dragging): void; destroy(): void } {
  let start: { id: number; x: number; y: number } | null = null;
  let wandered = false;

  const isOverZone = ({ clientX, clientY }: PointerEvent): boolean =>
    document.elementsFromPoint(clientX, clientY).some((element) => element.closest('[data-zone]') !== null);
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    start = { id: event.pointerId, x: event.clientX, y: event.clientY };
    wandered = false;
  };
  const move = (event: PointerEvent): void => {
    if (!start || event.pointerId !== start.id) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (!wandered && Math.hypot(dx, dy) < SLACK) return;
    wandered = true;
    node.style.setProperty('--dx', `${dx}px`);
    node.style.setProperty('--dy', `${dy}px`);
    targets.over(isOverZone(event));
  };
  const up = (event: PointerEvent): void => {
    if (!start || event.pointerId !== start.id) return;
    start = null;
    if (!wandered) return;
    node.style.removeProperty('--dx');
    node.style.removeProperty('--dy');
    targets.over(false);
    if (event.type === 'pointerup' && isOverZone(event)) targets.drop();
  };
  // Browsers report a click at the end of a drag.
  const click = (event: MouseEvent): void => {
    if (!wandered || event.detail === 0) return;
    wandered = false;
    event.stopPropagation();
    event.preventDefault();
  };

  const controller = new AbortController();
  const { signal } = controller;
  node.addEventListener('pointerdown', down, { signal });
  node.addEventListener('click', click, { capture: true, signal });
  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', up, { signal });
  addEventListener('pointercancel', up, { signal });
  return {
    update: (next) => void (targets = next),
    destroy: () => controller.abort(),
  };
}
