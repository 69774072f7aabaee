/**
 * A game that is over, shown again step by step: a table of its own whose server is the past, so that cards fly, come back and are
 * mirrored as they did. Every hand lies open.
 */
import type { Entry, State } from './protocol';
import { openMirror, raceAt, type Race } from './races';
import { EkkoTableState, type Surroundings } from './table.svelte';

/** Milliseconds that a step stays while it plays by itself, and that a race does, which runs slowly. */
export const STAY = 1100;
export const RACE = 4200;

/** What is shown again. */
export type Played = Pick<EkkoTableState, 'id' | 'seats' | 'yours' | 'options' | 'log'>;

export class Replay extends EkkoTableState {
  /** How many entries of the log have been. */
  n = $state(0);
  playing = $state(false);
  readonly all: number;
  readonly race: Race | null = $derived.by(() => raceAt(this.#whole, this.n));
  readonly latest: Entry | null = $derived(this.log.at(-1) ?? null);

  readonly #whole: readonly Entry[];
  readonly #past: (n: number) => Promise<State>;
  readonly #later: Surroundings['later'];
  readonly #onleave: () => void;
  #wait: (() => void) | null = null;
  #run = 0;

  constructor(played: Played, around: Surroundings, past: (n: number) => Promise<State>, onleave: () => void) {
    super(around, { twoTaps: () => false, pace: () => null });
    const [eye] = played.yours;
    this.#whole = played.log;
    this.#past = past;
    this.#later = around.later;
    this.#onleave = onleave;
    this.all = played.log.length;
    this.id = played.id;
    this.options = played.options;
    this.seats = played.seats.map((info) => ({ ...info, yours: info.seat === eye }));
  }

  /** Shows how things stood after some entries. */
  go(n: number): Promise<void> {
    this.stop();
    return this.#show(Math.max(0, Math.min(n, this.all)), this.#run);
  }

  /** Plays from where it stands, or from the beginning where nothing follows. */
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

  /** Back to the table. */
  leave(): void {
    this.stop();
    this.#onleave();
  }

  /** What is over takes no orders. */
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
    if (!steps) this.told.recent = [];
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

/** A moment of the past with the mirror whose effect was being chosen. */
function withMirror(state: State, log: readonly Entry[]): State {
  const claim = openMirror(log);
  return claim ? { ...state, claim, stage: 'effect' } : state;
}
