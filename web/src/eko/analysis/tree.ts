/** The variations of an analysis board as a tree, and as the lines of a list. */
import type { Foreseen } from '../../shell/protocol';
import type { Entry, Seat } from '../protocol';
import type { Evaluation } from './engine.svelte';

/** A decision; the root has none. The first child is the main line. */
export interface Node {
  readonly entry: Entry | null;
  readonly parent: Node | null;
  readonly children: Node[];
  evaluation: Evaluation | null;
}
/** Decisions of one turn without a branch between. `depth`: 0 in the main line. */
export interface Line {
  depth: number;
  turn: number;
  seat: Seat;
  nodes: Node[];
}

export function node(entry: Entry | null = null, parent: Node | null = null): Node {
  return { entry, parent, children: [], evaluation: null };
}

/** The node after a log, whose new decisions are added. */
export function follow(root: Node, log: readonly Entry[]): Node {
  return log.reduce((at, entry) => {
    const known = at.children.find((child) => child.entry?.notation === entry.notation);
    if (known) return known;
    const added = node(entry, at);
    at.children.push(added);
    return added;
  }, root);
}

/** The nodes from the first decision to this one. */
export function pathTo(last: Node): Node[] {
  const path: Node[] = [];
  for (let at = last; at.parent; at = at.parent) path.unshift(at);
  return path;
}

export function decisionsTo(last: Node): Foreseen[] {
  return pathTo(last).map(({ entry }) => decisionOf(entry!));
}

const known = new WeakMap<Entry, Foreseen>();
/** Always the same object for an entry. */
function decisionOf(entry: Entry): Foreseen {
  const decision = known.get(entry) ?? { seat: entry.seat, action: entry.action };
  known.set(entry, decision);
  return decision;
}

export function lastOf(from: Node): Node {
  let at = from;
  for (let next = at.children[0]; next; next = at.children[0]) at = next;
  return at;
}

export function isMain(one: Node): boolean {
  return pathTo(one).every((at) => at.parent?.children[0] === at);
}

/** Removes a node with all that follows. */
export function remove(one: Node): void {
  const { parent } = one;
  parent?.children.splice(parent.children.indexOf(one), 1);
}

export function promote(one: Node): void {
  for (const at of pathTo(one)) {
    const { children } = at.parent!;
    children.splice(children.indexOf(at), 1);
    children.unshift(at);
  }
}

/** The list: after a decision of the main line the others that were possible, further in. */
export function linesOf(root: Node): Line[] {
  const lines: Line[] = [];
  let open = false;
  const add = (one: Node, depth: number): void => {
    const { turn, seat } = one.entry!;
    const last = lines.at(-1);
    if (open && last?.turn === turn && last.seat === seat && last.depth === depth) last.nodes.push(one);
    else lines.push({ depth, turn, seat, nodes: [one] });
    open = true;
  };
  const walk = (from: Node, depth: number): void => {
    for (let at: Node | undefined = from; at; at = at.children[0]) {
      const [main, ...others] = at.children;
      if (main) add(main, depth);
      for (const other of others) {
        open = false;
        add(other, depth + 1);
        walk(other, depth + 1);
        open = false;
      }
    }
  };
  walk(root, 0);
  return lines;
}
