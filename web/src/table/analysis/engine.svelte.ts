/** The engine beside an analysis board: evaluations of a position as they arrive. */

import { Refused } from '../../net/api';
import type { Later } from '../../net/connection.svelte';
import { failure } from '../../net/request.svelte';
import type { EvaluationInfo, LinePlan } from '../../protocol/messages';

/** Milliseconds that a position stays before it is searched, so that going through a game asks for little. */
export const REST = 200;
/** Evaluates the position after a line until it knows enough, or until the signal. */
export type Evaluate = (
  plan: LinePlan,
  take: (evaluation: EvaluationInfo) => void,
  signal: AbortSignal,
) => Promise<void>;
/** Milliseconds until the server is asked again after a refusal that passes. */
export const AGAIN = 3000;
const PASSING: readonly string[] = ['limit/busy', 'limit/requests', 'connection/lost'];

export class Engine {
  evaluation = $state.raw<EvaluationInfo | null>(null);
  problem = $state<string | null>(null);
  readonly #later: Later;
  readonly #evaluate: Evaluate;
  #abort: AbortController | null = null;
  #cancel: (() => void) | null = null;

  constructor(evaluate: Evaluate, later: Later) {
    [this.#evaluate, this.#later] = [evaluate, later];
  }

  /** Evaluates the position after a line, in place of the one before. `keep` stores what is known. */
  search(line: LinePlan, stored: EvaluationInfo | null, keep: (evaluation: EvaluationInfo) => void): void {
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

  async #run(line: LinePlan, keep: (evaluation: EvaluationInfo) => void): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    const take = (one: EvaluationInfo): void => {
      // a search that begins anew is shown once it knows as much as before
      if (abort.signal.aborted || (one.iterations < (this.evaluation?.iterations ?? 0) && !one.final)) return;
      [this.evaluation, this.problem] = [one, null];
      keep(one);
    };
    try {
      await this.#evaluate(line, take, abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.problem = failure(error);
      if (error instanceof Refused && PASSING.includes(error.code))
        this.#cancel = this.#later(() => void this.#run(line, keep), AGAIN);
    }
  }
}
