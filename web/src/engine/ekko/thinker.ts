/** The work of a worker of EKKO, apart from the worker: bots decide, and decisions are valued. */
import type { Action } from './action';
import { Bots, type Level } from './bots';
import type { PositionJson, SeenJson } from './position';
import { Valuer, type Values } from './values';

export type Question =
  /** Whether a bot plays the mirror, or what else it does. */
  | {
      readonly asked: 'decide' | 'mirror';
      readonly view: SeenJson;
      readonly seat: number;
      readonly level: Level;
      readonly word: bigint;
    }
  /** What the decisions of a position are worth; without one, more of the latest. */
  | { readonly asked: 'values'; readonly position: PositionJson | null };
export interface Answer {
  readonly action?: Action | undefined;
  readonly values?: Values;
}
/** `key` comes back with the answer. */
export interface Keyed<T> {
  readonly key: number;
  readonly of: T;
}

export class Thinker {
  private readonly bots: Bots;
  private readonly valuer: Valuer;

  constructor(module: WebAssembly.Module) {
    [this.bots, this.valuer] = [new Bots(module), new Valuer(module)];
  }

  answer(question: Question): Answer {
    if (question.asked === 'values') {
      if (question.position) this.valuer.begin(question.position);
      return { values: this.valuer.sample() };
    }
    const { asked, view, seat, level, word } = question;
    return { action: this.bots[asked](view, seat, level, word) };
  }
}
