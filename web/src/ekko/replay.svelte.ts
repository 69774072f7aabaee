/**
 * A finished game, shown again step by step: a table whose server is the past, so that everything is animated as it was. All hands are
 * open.
 */
import type { Entry, State } from './protocol';
import { openMirror, type Race, raceAt } from './log';
import type { Transport } from '../shell/connection.svelte';
import { EkkoTableState } from './table.svelte';

/** Milliseconds that a step stays during playback, and that a race does. */
export const STAY = 1100;
export const RACE = 4200;

export type Played = Pick<EkkoTableState, 'id' | 'seats' | 'yours' | 'options' | 'log'>;

export class Replay extends EkkoTableState {
  n = $state(0);
  playing = $state(false);
  readonly all: number;
  readonly race: Race | null = $derived.by(() => raceAt(this.#whole, this.n));
  readonly latest: Entry | null = $derived(this.log.at(-1) ?? null);

  readonly #whole: readonly Entry[];
  readonly #past: (n: number) => Promise<State>;
  readonly #later: Transport['later'];
  readonly #onleave: () => void;
  #wait: (() => void) | null = null;
  #run = 0;

  constructor(played: Played, transport: Transport, past: (n: number) => Promise<State>, onleave: () => void) {
    super(transport, { twoTaps: () => false, pace: () => null });
    const [eye] = played.yours;
    this.#whole = played.log;
    this.#past = past;
    this.#later = transport.later;
    this.#onleave = onleave;
    this.all = played.log.length;
    this.id = played.id;
    this.options = played.options;
    this.seats = played.seats.map((info) => ({ ...info, yours: info.seat === eye }));
  }

  go(n: number): Promise<void> {
    this.stop();
    return this.#show(Math.max(0, Math.min(n, this.all)), this.#run);
  }

  async playOn(): Promise<void> {
    this.stop();
    this.playing = true;
    await this.#goOn(this.n >= this.all ? 0 : this.n, this.#run);
  }

  toggle(): void {
    if (this.playing) this.stop();
    else void this.playOn();
  }

  stop(): void {
    this.#run++;
    this.playing = false;
    this.#wait?.();
    this.#wait = null;
  }

  leave(): void {
    this.stop();
    this.#onleave();
  }

  protected override send(): void {}

  async #goOn(n: number, run: number): Promise<void> {
    await this.#show(n, run);
    if (run !== this.#run) return;
    if (n >= this.all) return this.stop();
    this.#wait = this.#later(() => void this.#goOn(n + 1, run), this.race && this.race.runners.length > 1 ? RACE : STAY);
  }

  async #show(n: number, run: number): Promise<void> {
    const state = await this.#past(n).catch(() => null);
    if (state === null || run !== this.#run) return;
    const log = this.#whole.slice(0, n);
    const steps = this.state !== null && n === this.n + 1;
    if (!steps) this.events.recent = [];
    this.#lay(steps ? 'update' : 'table', withMirror(state, log), log);
    this.n = n;
  }

  #lay(type: 'table' | 'update', state: State, log: Entry[]): void {
    const goOn = this.goesOn({ type, state }, log);
    this.log = log;
    this.state = state;
    goOn();
  }
}

/** Adds the mirror whose effect was being chosen, which stored positions don't contain. */
function withMirror(state: State, log: readonly Entry[]): State {
  const claim = openMirror(log);
  return claim ? { ...state, claim, stage: 'effect' } : state;
}
