/** The analysis board: a tree of variations, of which the one that is shown is played. */

import { Refused } from '../../net/api';
import type { Entry, SeatDecision, Tried } from '../../net/protocol';
import { failure } from '../../net/request.svelte';
import type { EntryInfo, LinePlan, TableMessage } from '../../protocol/messages';
import { LocalTable } from '../localTable.svelte';
import type { Evaluate } from './engine.svelte';
import {
  decisionsTo,
  follow,
  lastOf,
  linesOf,
  type Node,
  node,
  numbered,
  ordered,
  pathTo,
  plant,
  promote,
  remove,
  SIGNS,
  type Sign,
  type TreeNode,
  type Written,
  written,
} from './tree';

/** A tree of variations, and the record that it starts with. */
export interface Whole {
  record: string;
  tree: readonly Written[];
}
/** A table after a line. record: of the line. */
export interface Played extends Tried {
  record: string;
}
/** What an analysis board knows of its game. */
export interface BoardRules {
  /** The main line of a record, as a record, and all its variations. */
  open(record: string): Promise<{ record: string; tree: TreeNode[] }>;
  play(plan: LinePlan): Played;
  /** Writes a record with its variations. */
  write(whole: Whole): Promise<string>;
  evaluate: Evaluate;
}

export class AnalysisBoard extends LocalTable<SeatDecision, Played> {
  problem = $state<string | null>(null);
  /** The shown line as a record. */
  record = $state('');
  readonly root: Node = node();
  /** What is shown. */
  current = $state.raw<Node>(this.root);
  /** Counts changes of the tree. */
  #changes = $state(0);
  /** Counts what the reader changed. */
  edits = $state(0);
  readonly lines = $derived((void this.#changes, linesOf(this.root)));
  #start: string;
  readonly #n: number | null;
  readonly #number: number | null;
  readonly #rules: BoardRules;
  /** The decisions of the record, which need not be sent. */
  #given: readonly SeatDecision[] = [];

  /** `record`: the start, with its decisions. `n`: how many of them are shown at first; null: all. `number`: of the node shown at first, as a record has them. */
  constructor(record: string, n: number | null, rules: BoardRules, number: number | null = null) {
    super();
    [this.#start, this.#n, this.#rules, this.#number] = [record, n, rules, number];
  }

  /** The decisions before the shown position, of which `n` counts. */
  get n(): number {
    return this.decisions.length;
  }
  /** The shown position, as its engine, openings and pictures are asked for. */
  get plan(): LinePlan {
    return this.#planOf(this.decisions);
  }

  /** The record with the whole tree. */
  write(): Promise<string> {
    return this.#rules.write({ record: this.#start, tree: written(this.root) });
  }
  /** The number of a node, as a record has them; null: it is the last of the main line. */
  numberOf(one: Node): number | null {
    return one === lastOf(this.root) ? null : ordered(this.root).indexOf(one);
  }
  notesOf(one: Node): Pick<Node, 'sign' | 'comment'> {
    return (void this.#changes, { sign: one.sign, comment: one.comment });
  }
  /** Changes sign or comment of the shown decision. */
  note(change: Partial<Pick<Node, 'sign' | 'comment'>>): void {
    Object.assign(this.current, change);
    this.#edited();
  }
  #edited(): void {
    this.#changes++;
    this.edits++;
  }

  go(to: Node): Promise<void> {
    this.problem = null;
    return this.goTo(decisionsTo(to));
  }
  /** Returns whether the key is one of the board's. */
  press(key: string): boolean {
    const { current } = this;
    if (key === '!' || key === '?') {
      const both = `${current.sign}${key}` as Sign;
      if (current.parent) this.note({ sign: SIGNS.some((sign) => sign === both) ? both : key });
      return true;
    }
    const to = {
      arrowleft: current.parent,
      arrowright: current.children[0],
      home: this.root,
      end: lastOf(current),
      arrowup: this.#beside(-1),
      arrowdown: this.#beside(1),
    }[key];
    if (to === undefined) return key === 'arrowright';
    if (to && to !== current) void this.go(to);
    return true;
  }
  /** Another decision in place of the shown one. */
  #beside(step: number): Node | undefined {
    const { parent } = this.current;
    return parent?.children[parent.children.indexOf(this.current) + step];
  }

  override back(): Promise<void> {
    return this.current.parent ? this.go(this.current.parent) : Promise.resolve();
  }
  /** Plays a variation from the shown position. */
  playOn(entries: readonly EntryInfo[]): Promise<void> {
    return this.go(follow(this.current, numbered(entries, this.n)));
  }
  promote(): void {
    promote(this.current);
    this.#edited();
  }
  /** Removes the shown decision and all that follow. */
  remove(): Promise<void> {
    const { current } = this;
    remove(current);
    this.#edited();
    return this.go(current.parent ?? this.root);
  }

  #planOf(decisions: readonly SeatDecision[]): LinePlan {
    const own = decisions.findIndex((one, n) => one !== this.#given[n]);
    const after = own < 0 ? decisions.length : own;
    return { record: this.#start, after, decisions: decisions.slice(after) };
  }
  protected override async prepare(): Promise<void> {
    if (this.#given.length > 0) return;
    const { record, tree } = await this.#rules.open(this.#start);
    this.#start = record;
    this.root.children.length = 0;
    plant(this.root, tree);
    const path = pathTo(lastOf(this.root));
    this.#given = decisionsTo(path.at(-1) ?? this.root);
    const shown = this.#number === null ? undefined : ordered(this.root)[this.#number];
    this.current = shown ?? (this.#n === null ? path.at(-1) : path[this.#n - 1]) ?? this.root;
    this.decisions = decisionsTo(this.current);
  }
  protected override ask(decisions: readonly SeatDecision[]): Played {
    return this.#rules.play(this.#planOf(decisions));
  }
  protected override accept({ record }: Played): boolean {
    this.record = record;
    return true;
  }
  protected override failed(error: unknown): boolean {
    this.problem = failure(error);
    return super.failed(error) && !(error instanceof Refused && error.code === 'record');
  }
  protected override shown({ log }: TableMessage): void {
    const before = ordered(this.root).length;
    this.current = follow(this.root, log as unknown as Entry[]);
    if (ordered(this.root).length > before) this.edits++;
    this.decisions = decisionsTo(this.current);
    this.#changes++;
  }
}
