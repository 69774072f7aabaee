/**
 * A finished game, shown again step by step: a table that takes its states from the past in place of a server, so that everything is
 * animated as it was. All hands are open.
 */

import type { Transport } from '../net/connection.svelte';
import { Playback } from '../table/playback.svelte';
import { openMirror, type Race, raceAt } from './log';
import type { Entry, State } from './protocol';
import { EkkoTableState } from './table.svelte';

/** Milliseconds that a step stays during playback, and that a race does. */
export const STAY = 1100;
export const RACE = 4200;

export type Played = Pick<EkkoTableState, 'id' | 'seats' | 'yours' | 'options' | 'log' | 'stateAfter'>;

export class Replay extends EkkoTableState {
  n = $state(0);
  readonly playback: Playback;
  readonly race: Race | null = $derived.by(() => raceAt(this.whole, this.n));
  readonly latest: Entry | null = $derived(this.log.at(-1) ?? null);

  /** The log of the whole game. */
  readonly whole: readonly Entry[];
  readonly #past: (n: number) => Promise<State>;
  /** Counts requests: a position that arrives after a later request is dropped. */
  #requests = 0;

  constructor(played: Played, transport: Transport, onleave: () => void) {
    super(transport);
    const [viewer] = played.yours;
    this.whole = played.log;
    this.#past = (n) => played.stateAfter(n);
    this.id = played.id;
    this.options = played.options;
    this.seats = played.seats.map((info) => ({ ...info, yours: info.seat === viewer }));
    const [all, show] = [() => this.whole.length, (n: number) => this.#show(n)];
    const stay = (): number | null =>
      this.n >= all() ? null : this.race && this.race.runners.length > 1 ? RACE : STAY;
    this.playback = new Playback({ n: () => this.n, all, show, stay, leave: onleave }, transport.later);
  }

  protected override send(): void {}

  async #show(n: number): Promise<void> {
    const request = ++this.#requests;
    const state = await this.#past(n).catch(() => null);
    if (state === null || request !== this.#requests) return;
    const log = this.whole.slice(0, n);
    const steps = this.state !== null && n === this.n + 1;
    if (!steps) this.events.recent = [];
    this.#apply(steps ? this.log.length : null, withMirror(state, log), log);
    this.n = n;
  }

  #apply(kept: number | null, state: State, log: Entry[]): void {
    const afterwards = this.beforeShow({ kept, state }, log);
    this.log = log;
    this.state = state;
    afterwards();
  }
}

/** Adds the mirror whose effect was being chosen, which stored positions don't contain. */
function withMirror(state: State, log: readonly Entry[]): State {
  const claim = openMirror(log);
  return claim ? { ...state, claim, stage: 'effect' } : state;
}
