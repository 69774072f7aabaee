/** Mirrors against the clock: cards lie down one after the other, and the reader plays the mirror of the last one in time. */
import type { Transport } from '../../net/connection.svelte';
import { seatsOf } from '../../table/line';
import { isPlus, mirrorOf } from '../cards';
import { median } from '../median';
import { type Card, type Entry, quietState, type State } from '../protocol';
import { EkkoTableState } from '../table.svelte';

/** Calls back with the time at which what has changed is painted. */
export type Paint = (then: (at: number) => void) => void;

/** Milliseconds that a card lies on top. */
export const PACES = { slow: 2400, normal: 1600, fast: 1000 } as const;
export type Speed = keyof typeof PACES;
/** The number of rounds of a rush: more than fit into its time. */
export const RUSH_ROUNDS = 120;
/** Milliseconds that a card lies on top in the n-th round of a rush, from 1. */
export const rushPace = (n: number): number => Math.max(700, 2000 * 0.96 ** (n - 1));
/** Milliseconds between two rounds. */
export const GAP = 900;
const PILE = 85;
const CARDS = 98;
const HAND = 6;
const ROUNDS = 20;
/** Cards before the one whose mirror is held. */
const MOST_BEFORE = 6;

/** A round. shown: one after the other. answer: of the hand, the mirror of the last card and of no other. */
export interface ReflexRound {
  readonly hand: readonly Card[];
  readonly shown: readonly Card[];
  readonly answer: Card;
}

/** Deal rounds. random: as `Math.random`. */
export function deal(random: () => number = Math.random, rounds = ROUNDS): ReflexRound[] {
  const one = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  return Array.from({ length: rounds }, () => {
    const all = Array.from({ length: CARDS }, (_, place) => place + 1);
    const hand: Card[] = [];
    let answer: Card | undefined;
    while (answer === undefined) {
      hand.length = 0;
      while (hand.length < HAND) hand.push(one(all.filter((card) => !hand.includes(card)))!);
      answer = one(hand.filter((card) => !hand.includes(mirrorOf(card) ?? card)));
    }
    const shown = [mirrorOf(answer)!];
    const free = all.filter((card) => ![...hand, ...shown].includes(card) && !hand.includes(mirrorOf(card) ?? 0));
    for (let more = 1 + Math.floor(random() * MOST_BEFORE); more > 0; more--) {
      const before = one(free.filter((card) => !shown.includes(card) && isPlus(card) === shown[0]! > card));
      if (before !== undefined) shown.unshift(before);
    }
    return { hand: hand.toSorted((left, right) => left - right), shown, answer };
  });
}

export class Reflex extends EkkoTableState {
  phase = $state<'ready' | 'running' | 'done'>('ready');
  /** The rounds that have begun. */
  n = $state(0);
  /** Reaction times in milliseconds. */
  hits = $state.raw<readonly number[]>([]);
  missed = $state(0);
  alarms = $state(0);
  /** What came of the latest card: a time, or a word. */
  latest = $state<number | 'missed' | 'alarm' | null>(null);
  /** Called with whether a mirror was played: not so where it was missed, or another card was pressed. */
  onanswer: (isRight: boolean) => void = () => undefined;
  /** The time of the latest input, of the browser's events. */
  input = 0;
  readonly rounds: readonly ReflexRound[];
  readonly #pace: (n: number) => number;
  readonly #paint: Paint;
  readonly #later: Transport['later'];
  #since: number | null = null;
  #count = 0;
  #isSettled = true;
  #cancel: (() => void) | null = null;

  /** pace: milliseconds that a card lies on top in the n-th round. */
  constructor(rounds: readonly ReflexRound[], pace: (n: number) => number, transport: Transport, paint: Paint) {
    super(transport);
    [this.rounds, this.#pace, this.#paint, this.#later] = [rounds, pace, paint, transport.later];
    this.seats = seatsOf(2, [], 0);
  }

  begin(): void {
    this.phase = 'running';
    this.#deal();
  }
  stop(): void {
    this.#cancel?.();
    this.phase = 'done';
  }
  /** A card was pressed at a time. */
  press(card: Card, at: number): void {
    const round = this.rounds[this.n - 1];
    if (this.phase !== 'running' || this.#isSettled || !round) return;
    const isLast = this.#count === round.shown.length;
    if (isLast && card === round.answer && this.#since !== null && at >= this.#since) {
      this.latest = Math.round(at - this.#since);
      this.hits = [...this.hits, this.latest];
      this.#note(0, card, 'mirror');
      this.state = streamState(
        this.n,
        [...round.shown, card],
        round.hand.filter((one) => one !== card),
        PILE,
      );
      this.#settle();
      return this.onanswer(true);
    }
    this.alarms++;
    this.latest = 'alarm';
    this.onanswer(false);
  }

  override tap(card: Card): void {
    this.press(card, this.input);
  }
  override play(card: Card): void {
    this.press(card, this.input);
  }
  /** Two digits are a card. */
  override type(digit: string): void {
    super.type(digit);
    if (this.typed.length === 2) this.enter();
  }
  protected override send(): void {}

  #deal(): void {
    if (this.n === this.rounds.length) return this.stop();
    this.n++;
    [this.#count, this.latest, this.#isSettled] = [0, null, false];
    this.#next();
  }
  #next(): void {
    const { shown, hand } = this.rounds[this.n - 1]!;
    this.#count++;
    this.#since = null;
    this.state = streamState(this.n, shown.slice(0, this.#count), hand, PILE);
    this.#note(1, shown[this.#count - 1]!, 'play');
    const turn = [this.n, this.#count].join();
    this.#paint((at) => {
      if (turn === [this.n, this.#count].join()) this.#since = at;
    });
    this.#cancel = this.#later(() => this.#covered(), this.#pace(this.n));
  }
  #covered(): void {
    if (this.#count < this.rounds[this.n - 1]!.shown.length) return this.#next();
    this.missed++;
    this.latest = 'missed';
    this.#settle();
    this.onanswer(false);
  }
  #settle(): void {
    this.#isSettled = true;
    this.#cancel?.();
    this.#cancel = this.#later(() => this.#deal(), GAP);
  }
  #note(seat: number, card: Card, verdict: 'play' | 'mirror'): void {
    const entry: Entry = {
      n: this.log.length + 1,
      round: this.n,
      seat,
      action: { type: verdict, card },
      verdict,
      notation: '',
      at: 0,
    };
    this.log = [...this.log, entry];
    this.events.happened([entry]);
  }
}

/** The best of a speed, in milliseconds: a single time, and a median with no mirror missed. */
export interface Best {
  time: number | null;
  median: number | null;
}
export function better(before: Best | undefined, { hits, missed }: Pick<Reflex, 'hits' | 'missed'>): Best {
  const least = (...times: (number | null | undefined)[]): number | null => {
    const known = times.filter((time) => time != null);
    return known.length === 0 ? null : Math.min(...known);
  };
  return { time: least(before?.time, ...hits), median: least(before?.median, missed === 0 ? median(hits) : null) };
}

/** Cards lie down before seat 0, which holds a hand. */
export function streamState(round: number, zone: readonly Card[], hand: readonly Card[], pile: number): State {
  const turn = { round, dealer: 1, player: 1, last: 1, phase: 'play' as const };
  const position = {
    players: 2,
    target: 25,
    pile,
    zone: [...zone],
    sizes: [hand.length, 6],
    set_aside: [0, 0],
    scores: [0, 0],
    drew: [],
    turn,
  };
  return quietState(position, { '0': { hand: [...hand], blocked: [], aside: [] } });
}
