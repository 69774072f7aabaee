/** The analysis board: a tree of variations, of which the server plays the one that is shown. */
import { ask } from '../../shell/api';
import type { Foreseen, Seat } from '../../shell/protocol';
import { failure } from '../../shell/request.svelte';
import { type AnyTable, SimulatedTable, type Answer } from '../../shell/simulated.svelte';
import type { Entry } from '../protocol';
import type { Foretold } from './engine.svelte';
import { numbered } from './line';
import { decisionsTo, follow, lastOf, linesOf, node, type Node, pathTo, promote, remove } from './tree';

/** `record`: of the line, as text. */
export interface LineAnswer extends Answer {
  record: string;
}
/** What the server is asked: a record, or options of a new game, and what follows. */
export interface LinePlan {
  record?: string;
  options?: object;
  after?: number;
  decisions?: readonly Foreseen[];
  of?: unknown;
}
/** Replaced in tests. */
export type Play = (plan: LinePlan) => Promise<LineAnswer>;
export const playOf =
  (game: string): Play =>
  (plan) =>
    ask(`/api/${game}/analysis`, plan);

export class AnalysisBoard extends SimulatedTable<Foreseen, LineAnswer> {
  problem = $state<string | null>(null);
  /** The shown line as a record. */
  record = $state('');
  readonly root: Node = node();
  /** Where the reader goes to; `at`: where the board is. */
  current = $state.raw<Node>(this.root);
  at = $state.raw<Node>(this.root);
  /** Counts changes of the tree. */
  #changes = $state(0);
  readonly lines = $derived((void this.#changes, linesOf(this.root)));
  readonly #start: string;
  readonly #n: number | null;
  readonly #play: Play;
  /** The decisions of the record, which need not be sent. */
  #given: readonly Foreseen[] = [];
  #version = 0;
  #wanted: Node | null = null;
  #going = false;

  /** `record`: the start, with its decisions. `n`: how many of them are shown at first; null: all. */
  constructor(record: string, n: number | null, play: Play) {
    super('analysis');
    [this.#start, this.#n, this.#play] = [record, n, play];
  }

  /** The decisions before the shown position, of which `n` counts. */
  get n(): number {
    return this.decisions.length;
  }
  /** The shown position, as the server is asked for it. */
  get plan(): LinePlan {
    return this.#planOf(this.decisions);
  }

  /** Whether the shown decisions are the record's. */
  get isGiven(): boolean {
    return this.decisions.every((one, n) => one === this.#given[n]);
  }

  /** Of several calls while the server is asked only the last one is asked for. */
  async go(to: Node): Promise<void> {
    [this.current, this.#wanted, this.problem] = [to, to, null];
    if (this.#going) return;
    this.#going = true;
    for (let goal: Node | null = to; goal; goal = this.#wanted) {
      this.#wanted = null;
      await this.goTo(decisionsTo(goal));
    }
    this.#going = false;
  }
  /** Returns whether the key is one of the board's. */
  press(key: string): boolean {
    const { current } = this;
    const to = { arrowleft: current.parent, arrowright: current.children[0], home: this.root, end: lastOf(current), arrowup: this.#beside(-1), arrowdown: this.#beside(1) }[key];
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
  playOn(entries: readonly Foretold[]): Promise<void> {
    return this.go(follow(this.at, numbered(entries, this.n)));
  }
  promote(): void {
    promote(this.current);
    this.#changes++;
  }
  /** Removes the shown decision and all that follow. */
  remove(): Promise<void> {
    const { current } = this;
    remove(current);
    this.#changes++;
    return this.go(current.parent ?? this.root);
  }

  #planOf(decisions: readonly Foreseen[]): LinePlan {
    const own = decisions.findIndex((one, n) => one !== this.#given[n]);
    const after = own < 0 ? decisions.length : own;
    return { record: this.#start, after, decisions: decisions.slice(after) };
  }
  protected override async prepare(): Promise<void> {
    if (this.#given.length > 0) return;
    const { table } = await this.#play({ record: this.#start });
    const path = pathTo(follow(this.root, table.log as Entry[]));
    this.#given = decisionsTo(path.at(-1) ?? this.root);
    this.current = (this.#n === null ? path.at(-1) : path[this.#n - 1]) ?? this.root;
    this.decisions = decisionsTo(this.current);
  }
  /** Versions are counted here, as positions of different variations have the same on the server. */
  protected override async ask(decisions: readonly Foreseen[], of?: unknown): Promise<LineAnswer> {
    const answer = await this.#play({ ...this.#planOf(decisions), ...(of !== undefined && { of }) });
    const version = of === undefined && !answer.refusal ? ++this.#version : this.version;
    return { ...answer, table: { ...answer.table, version } };
  }
  protected override accept({ record }: LineAnswer): boolean {
    this.record = record;
    return true;
  }
  protected override decisionOf({ seat, action }: { seat?: Seat; action?: object }): Foreseen | null {
    return seat === undefined || !action ? null : { seat, action: action as Foreseen['action'] };
  }
  protected override failed(error: unknown): boolean {
    [this.problem, this.current] = [failure(error), this.at];
    return super.failed(error);
  }
  protected override shown({ log }: AnyTable): void {
    this.at = follow(this.root, log as Entry[]);
    this.decisions = decisionsTo(this.at);
    this.current = this.#wanted ?? this.at;
    this.#changes++;
  }
}
