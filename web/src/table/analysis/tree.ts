/** The variations of an analysis board as a tree, and as the lines of a list. */

import type { Entry, Seat, SeatDecision } from '../../net/protocol';
import type { EntryInfo } from '../../protocol/messages';
import type { Evaluation } from './engine.svelte';

export const SIGNS = ['!!', '!', '!?', '?!', '?', '??'] as const;
export type Sign = '' | (typeof SIGNS)[number];
/** A decision; the root has none. The first child is the main line. */
export interface Node {
  readonly entry: Entry | null;
  readonly parent: Node | null;
  readonly children: Node[];
  evaluation: Evaluation | null;
  sign: Sign;
  comment: string;
}
/** A node in a list as records have them, the root first. parent: its number; none: the one before in the list. */
export interface TreeNode {
  parent?: number;
  entry?: EntryInfo;
  sign?: Sign;
  comment?: string;
}
/** A node as it is written. */
export interface Written extends Omit<TreeNode, 'entry'> {
  notation?: string;
}
/** Decisions of one turn without a branch between. `depth`: 0 in the main line. */
export interface Line {
  depth: number;
  turn: number;
  seat: Seat;
  nodes: Node[];
}

export function node(entry: Entry | null = null, parent: Node | null = null): Node {
  return { entry, parent, children: [], evaluation: null, sign: '', comment: '' };
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

export function decisionsTo(last: Node): SeatDecision[] {
  return pathTo(last).map(({ entry }) => decisionOf(entry!));
}

const known = new WeakMap<Entry, SeatDecision>();
/** Always the same object for an entry. */
function decisionOf(entry: Entry): SeatDecision {
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

/** Adds what was read to a root. */
export function plant(root: Node, list: readonly TreeNode[]): void {
  const planted: Node[] = [];
  for (const { parent, entry, sign = '', comment = '' } of list) {
    const before = planted[parent ?? planted.length - 1];
    const one = before && entry ? node(numbered([entry], pathTo(before).length)[0], before) : root;
    if (one !== root) before?.children.push(one);
    Object.assign(one, { sign, comment });
    planted.push(one);
  }
}

/** All nodes as a record has them: a decision, those that were possible in its place, what follows it. */
export function ordered(root: Node): Node[] {
  const [found, todo]: [Node[], (() => void)[]] = [[root], []];
  const follow = ({ children: [main, ...others] }: Node): void => {
    if (!main) return;
    found.push(main);
    todo.push(() => follow(main));
    for (const other of others.toReversed()) todo.push(() => (found.push(other), follow(other)));
  };
  follow(root);
  for (let next = todo.pop(); next; next = todo.pop()) next();
  return found;
}

export function written(root: Node): Written[] {
  const nodes = ordered(root);
  const numbers = new Map(nodes.map((one, n) => [one, n]));
  return nodes.map(({ entry, parent, sign, comment }, n) => ({
    ...(parent && nodes[n - 1] !== parent && { parent: numbers.get(parent)! }),
    ...(entry && { notation: entry.notation }),
    ...(sign && { sign }),
    ...(comment && { comment }),
  }));
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

/** The decisions of a variation up to the end of its first turn. */
export function ofTurn(entries: readonly EntryInfo[]): EntryInfo[] {
  const [first] = entries;
  const end = entries.findIndex(({ turn, seat }) => turn !== first?.turn || seat !== first.seat);
  return entries.slice(0, end < 0 ? entries.length : end);
}

/** As decisions of a log after the first `n`. */
export function numbered(entries: readonly EntryInfo[], n: number): Entry[] {
  return entries.map((entry, i) => ({ ...entry, n: n + i + 1, at: 0 }));
}
