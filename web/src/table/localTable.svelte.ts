/**
 * A game that the page plays itself and that one person decides for alone: a lesson, a puzzle, a game at one device, an analysis board, or
 * a real table played on to prepare conditional moves. What is ordered at its table is carried out by playing all decisions so far.
 */

import type { Seat, Tried } from '../net/protocol';
import type { Json } from '../protocol/messages';
import type { OwnGame, OwnTable } from './table.svelte';

/** An order of a table. hold: whether a turn that this ends can be taken back until its player ends it. */
export interface Sent {
  type: string;
  seat?: Seat;
  action?: Json;
  hold?: boolean;
}

/** Milliseconds between attempts until the game can begin. */
export const RETRY = 3000;

export abstract class LocalTable<Decision extends object, Reply extends Tried = Tried> implements OwnGame {
  decisions = $state.raw<readonly Decision[]>([]);
  lost = $state(false);
  #table: OwnTable | null = null;

  start(table: OwnTable): void {
    this.#table = table;
    void this.#begin(table);
  }
  /** The page of the table is left. */
  stop(): void {
    this.#table = null;
  }
  again(): Promise<void> {
    return this.goTo([]);
  }
  back(): Promise<void> {
    return this.goTo(this.decisions.slice(0, -1));
  }
  order(sent: Sent): void {
    const decision = this.decisionOf(sent);
    if (decision) void this.play(decision);
    else if (sent.type === 'undo') void this.back();
  }

  /** Carries out decisions. */
  protected play(...more: readonly Decision[]): Promise<void> {
    return this.goTo([...this.decisions, ...more], true);
  }
  protected abstract ask(decisions: readonly Decision[]): Reply | Promise<Reply>;
  /** Returns null if the order is no decision. */
  protected decisionOf({ seat, action }: Sent): Decision | null {
    return seat === undefined || !action ? null : ({ seat, action } as object as Decision);
  }
  /** Returns whether the decision counts. */
  protected accept(_reply: Reply): boolean {
    return true;
  }
  protected prepare(): Promise<void> {
    return Promise.resolve();
  }
  /** Returns whether to try again. */
  protected failed(_error: unknown): boolean {
    this.lost = true;
    return true;
  }
  protected absent(): void {
    if (this.#table) this.#table.connection = 'absent';
  }
  /** Called before a table is shown. */
  protected shown(_table: Tried['table']): void {}

  /** Shows the table after decisions. One decision more is animated; `follows`: so are these. */
  protected async goTo(decisions: readonly Decision[], follows = this.#isNext(decisions)): Promise<void> {
    try {
      await this.#show(decisions, follows);
    } catch (error) {
      this.failed(error);
    }
  }
  #isNext(decisions: readonly Decision[]): boolean {
    const { length } = this.decisions;
    return decisions.length === length + 1 && this.decisions.every((one, n) => one === decisions[n]);
  }
  async #begin(table: OwnTable): Promise<void> {
    try {
      await this.prepare();
      await this.#show(this.decisions, false);
    } catch (error) {
      if (this.failed(error)) setTimeout(() => this.#table === table && void this.#begin(table), RETRY);
    }
  }
  /** What the page plays is shown before this returns, so that the next order finds it. */
  async #show(decisions: readonly Decision[], follows: boolean): Promise<void> {
    const asked = this.ask(decisions);
    const reply = asked instanceof Promise ? await asked : asked;
    this.lost = false;
    if (reply.refusal) return this.#table?.refuse(reply.refusal);
    if (!this.accept(reply)) return;
    this.decisions = decisions;
    this.shown(reply.table);
    this.#table?.show(reply.table, follows);
  }
}

/** A lesson, the task of a chapter, or a puzzle: what a reader has to find at a table. */
export abstract class Exercise<Reply extends Tried = Tried> extends LocalTable<object, Reply> {
  readonly game: string;
  /** Whether the reader is to decide. */
  abstract readonly open: boolean;
  /** Highlighted on the board. */
  abstract readonly marks: readonly (string | number)[];
  /** What tests and styles know its page by. */
  abstract readonly data: Readonly<Record<`data-${string}`, string>>;

  constructor(game: string) {
    super();
    this.game = game;
  }
  protected override decisionOf({ action }: Sent): object | null {
    return action ?? null;
  }
  /** Called with a try that the rules refuse. */
  tried(_action: object): void {}
}
