/** The engine beside an analysis board: evaluations of a position as they arrive. */

import type { Later } from '../../net/connection.svelte';
import { failure } from '../../net/request.svelte';
import type { EntryInfo, LinePlan } from '../../protocol/messages';

/** A variation, the best first, or a decision that is valued in points. `value`: each player's chance after it. */
export interface EvaluatedLine {
  readonly value: readonly number[];
  readonly points?: number;
  /** Twice the standard error of the points. */
  readonly error?: number;
  readonly iterations: number;
  readonly proven?: true;
  /** As of a log. */
  readonly entries: readonly EntryInfo[];
}

/** What is known of a position so far. `value`: each player's chance to win the game; `round`: the round, in games of rounds. */
export interface Evaluation {
  readonly value: readonly number[];
  readonly round?: readonly number[];
  readonly iterations: number;
  readonly depth: number;
  readonly seconds: number;
  readonly lines: readonly EvaluatedLine[];
  /** The search has ended. */
  readonly final: boolean;
}

/** Milliseconds that a position is shown before it is searched, so that stepping through a game starts few searches. */
export const REST = 200;
/** Evaluates the position after a line until it knows enough, or until the signal. */
export type Evaluate = (plan: LinePlan, take: (evaluation: Evaluation) => void, signal: AbortSignal) => Promise<void>;

export class Engine {
  evaluation = $state.raw<Evaluation | null>(null);
  problem = $state<string | null>(null);
  readonly #later: Later;
  readonly #evaluate: Evaluate;
  #abort: AbortController | null = null;
  #cancel: (() => void) | null = null;

  constructor(evaluate: Evaluate, later: Later) {
    [this.#evaluate, this.#later] = [evaluate, later];
  }

  /** Evaluates the position after a line, in place of the one before. `keep` stores what is known. */
  search(line: LinePlan, stored: Evaluation | null, keep: (evaluation: Evaluation) => void): void {
    this.stop();
    [this.evaluation, this.problem] = [stored, null];
    if (stored?.final) return;
    this.#cancel = this.#later(() => void this.#run(line, keep), REST);
  }

  stop(): void {
    this.#cancel?.();
    this.#abort?.abort();
    [this.#cancel, this.#abort] = [null, null];
  }

  async #run(line: LinePlan, keep: (evaluation: Evaluation) => void): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    const take = (one: Evaluation): void => {
      // a search that begins anew is shown once it knows as much as before
      if (abort.signal.aborted || (one.iterations < (this.evaluation?.iterations ?? 0) && !one.final)) return;
      [this.evaluation, this.problem] = [one, null];
      keep(one);
    };
    try {
      await this.#evaluate(line, take, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) this.problem = failure(error);
    }
  }
}
