/**
 * An EKKO table as one browser sees it: what the server said last, what the player has in hand, and what is on the way. Headless; it
 * knows no rules. A card is sent with the top card that its player saw (K7.2); the server judges.
 */
import type { Surroundings as Network } from '../shell/connection';
import { TableState, type Notice, type Wishes as CommonWishes } from '../shell/table.svelte';
import { Away } from './away.svelte';
import { mirrorOf } from './cards';
import { stays, undecided, wanted, type Wanted } from './hotseat';
import type { Action, Card, CardIntent, Effect, Entry, Hand, Options, Seat, ServerMessage, State } from './protocol';
import { RECEIPT, Told } from './told.svelte';

export type { Notice } from '../shell/table.svelte';

export interface Surroundings extends Network {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
}
export interface Wishes extends CommonWishes {
  /** Whether a card is played by a second tap only. */
  twoTaps(): boolean;
}

/** Milliseconds that it takes to see a card: who taps earlier than this after a change has answered the card before it. */
export const SEEN = 200;
/** Milliseconds in which a second tap is a trembling hand and not a second card. */
const TREMBLE = 350;
/** The words and the rule for what befell one's own card or turn. */
function reasonOf({ clock, verdict, action }: Entry): [string, string] {
  if (clock) return ['clock', 'K7.5'];
  if (verdict === 'misplay') return ['misplay', 'K4.1'];
  return ['late', action.type === 'mirror' ? 'K3.5' : 'K7.2'];
}

/** A message that shows the table. */
type Shown = Extract<ServerMessage, { type: 'table' | 'update' }> & { state: State };

export class EkkoTableState extends TableState<Options, State, Entry, CardIntent> {
  /** A card of one's own that waits for the second tap. */
  picked = $state<Card | null>(null);
  /** The number that is being typed. */
  typed = $state('');
  /** The mirror's effect is `discard` and its card is being chosen (K3.2). */
  putting = $state(false);
  /** At a device of several: who has it now and shows the hand. */
  at = $state<Seat | null>(null);
  /** Several at one device look for a mirror in turn. */
  goesRound = $state(false);
  /** Whether the score sheet lies over the table. */
  sheet = $state(false);
  /** When the running clock is over, on the clock of the surroundings; null: none runs. */
  ends = $state<number | null>(null);

  readonly hotSeat = $derived(this.yours.length > 1);
  /** Whose hand is shown; null: nobody's (a spectator, or the device is being passed). */
  readonly eye: Seat | null = $derived(this.hotSeat ? this.at : (this.yours[0] ?? null));
  readonly hand: Hand | null = $derived(this.eye === null ? null : (this.state?.hands[String(this.eye)] ?? null));
  readonly wanted: Wanted = $derived(this.state ? wanted(this.state, this.yours, this.goesRound) : null);
  /** The top card (K1.4); null before the first is turned over. */
  readonly top: Card | null = $derived(this.state?.position.zone.at(-1) ?? null);
  readonly myTurn = $derived(this.state?.stage === 'race' && this.eye !== null && this.state.position.turn.player === this.eye);
  /** Whether this player chooses the effect of a mirror now. */
  readonly choosing = $derived(this.state?.stage === 'effect' && this.eye !== null && this.state.claim?.seat === this.eye);
  readonly mayPass = $derived.by(() => {
    const { state, eye } = this;
    if (!state || eye === null || (state.stage !== 'window' && state.stage !== 'leaving')) return false;
    return undecided(state, [eye]).length > 0;
  });
  readonly mayReady = $derived(this.state?.stage === 'look' && this.eye !== null && !this.state.ready.includes(this.eye));
  /** Whether something is asked that this player has to look at. */
  readonly called: boolean = $derived.by(() => this.myTurn || this.choosing || this.mayReady || (this.mayPass && !this.away.on));
  /** Whether mirrors may be let go by until this player looks up: where everybody has the same time for them. */
  readonly mayLookAway = $derived(this.options?.calm === true && !this.hotSeat && this.mayPass);
  /** What was decided here and is on the way. */
  readonly #way = $derived(this.sent.filter((sent) => sent.type === 'intent'));
  /** Cards of ours that are on the way. */
  readonly sending: readonly Card[] = $derived(this.#way.flatMap(({ action }) => ('card' in action ? [action.card] : [])));
  /** Whether decisions of ours are on the way. */
  readonly waiting = $derived(this.#way.length > 0);

  readonly told: Told;
  readonly away: Away;
  readonly #around: Surroundings;
  readonly #wishes: Wishes;
  /** The top card before the present one, when it was covered, and whose turn it was. */
  #before: { card: Card; until: number; player: Seat | null } | null = null;
  #played = -Infinity;
  /** What befell one's own card; it is told until another card is on top. */
  #explained: Notice | null = null;

  /** `chance`: from 0 up to 1. */
  constructor(around: Surroundings, wishes: Wishes, chance: () => number = Math.random) {
    super(around, wishes);
    this.#around = around;
    this.#wishes = wishes;
    this.told = new Told((task, milliseconds) => around.later(task, milliseconds));
    this.away = new Away(around.later, chance, () => this.pass());
  }

  now(): number {
    return this.#around.now();
  }

  // Gestures

  /** A card of one's own was tapped. */
  tap(card: Card): void {
    this.notice = null;
    this.typed = '';
    if (this.putting && this.choosing) return this.#putAside(card);
    if (!this.#wishes.twoTaps() || this.picked === card) return this.play(card);
    this.picked = card;
  }

  /** Plays a card on the top card that was seen; if it is that card's mirror, this claims the mirror (K3.4). */
  play(card: Card): void {
    this.notice = null;
    this.picked = null;
    if (this.mayPass) this.away.up();
    if (this.putting && this.choosing) return this.#putAside(card);
    // Who plays the number that is printed small on the top card has seen it.
    const on = this.top !== null && mirrorOf(this.top) === card ? this.top : this.seen();
    if (on === null || !this.state || this.state.stage === 'over') return this.#hint(this.state?.stage === 'look' ? 'look' : 'not-now');
    if (this.#around.now() - this.#played < TREMBLE || this.sending.includes(card)) return;
    this.#played = this.#around.now();
    this.#act({ type: 'play', card, on, round: this.state.position.turn.round });
  }

  draw(): void {
    // Who was not in turn before cannot have meant the card before.
    const on = this.#before?.player === this.eye ? this.seen() : this.top;
    this.notice = null;
    if (on === null || this.waiting) return;
    this.#act({ type: 'draw', on });
  }

  /** "I have no mirror, or keep it." */
  pass(): void {
    if (this.mayPass && this.top !== null) this.#act({ type: 'pass', on: this.top });
  }

  ready(): void {
    this.sheet = false;
    if (this.mayReady && this.state) this.#act({ type: 'ready', round: this.state.position.turn.round });
  }

  /** Chooses the effect of one's mirror; for `discard` the card follows. */
  effect(effect: Effect): void {
    this.notice = null;
    if (!this.choosing || this.waiting) return;
    if (effect === 'draw') return this.#act({ type: 'effect', effect });
    const cards = this.rest;
    const [only] = cards;
    if (cards.length === 1 && only !== undefined) this.#putAside(only);
    else this.putting = !this.putting;
  }

  /** The hand without the mirror that was claimed. */
  get rest(): readonly Card[] {
    const { hand, claimed } = this.hand ?? { hand: [] };
    return hand.filter((card) => card !== claimed && card !== this.state?.claim?.card);
  }

  /** A digit was typed: two digits name a card. */
  type(digit: string): void {
    this.notice = null;
    this.typed = this.typed.length < 2 ? this.typed + digit : digit;
  }
  rubOut(): void {
    this.typed = this.typed.slice(0, -1);
  }
  /** Plays the card whose number was typed. */
  enter(): void {
    const card = Number(this.typed);
    this.typed = '';
    if (this.hand?.hand.includes(card)) this.play(card);
    else this.#hint('not-held');
  }
  letGo(): void {
    [this.typed, this.picked, this.putting, this.notice] = ['', null, false, null];
  }

  // Several people at one device

  /** The named player has the device now and sees the hand. */
  take(seat: Seat): void {
    this.letGo();
    this.at = seat;
  }
  /** Hides the hand again. */
  cover(): void {
    this.letGo();
    this.at = null;
  }
  /** Everybody at this device who has not decided looks for the mirror, one after the other. */
  goRound(): void {
    this.letGo();
    this.goesRound = true;
  }
  /** Nobody else at this device looks for the mirror: all who have not decided pass. */
  nobody(): void {
    const { state, top } = this;
    if (!state || top === null) return;
    for (const seat of undecided(state, this.yours)) this.send({ type: 'intent', seat, action: { type: 'pass', on: top } });
  }

  /** The top card that the player has seen: not one that has only just come, unless they put it there themselves. */
  seen(): Card | null {
    const before = this.#before;
    const own = this.eye !== null && this.state?.position.turn.last === this.eye;
    if (before && !own && this.#around.now() - before.until < SEEN) return before.card;
    return this.top;
  }

  // What the server says

  protected override goesOn({ type, state }: Pick<Shown, 'type' | 'state'>, log: readonly Entry[]): () => void {
    const [before, wantedBefore, handBefore, eyeBefore] = [this.state, this.wanted, this.hand?.hand, this.eye];
    const follows = type === 'update';
    const news = follows ? log.slice(this.log.length) : [];
    this.#cover(before, state);
    return () => {
      this.ends = state.remaining === null || this.agreement.rests ? null : this.#around.now() + state.remaining;
      this.#tell(before, state, news);
      if (before?.stage !== state.stage || before.decided.length > state.decided.length) this.goesRound = false;
      if (state.stage === 'look') this.away.up();
      this.away.asked(this.mayPass);
      this.at = state.decided.includes(this.at ?? -1) ? null : stays(this.at, wantedBefore, this.wanted);
      const sameHand = follows && eyeBefore === this.eye && before?.position.turn.round === state.position.turn.round;
      this.told.holds(this.hand?.hand ?? [], sameHand ? (handBefore ?? null) : null);
      if (!this.choosing) this.putting = false;
      if (this.picked !== null && !this.hand?.hand.includes(this.picked)) this.picked = null;
    };
  }

  protected override goesOnAfter(milliseconds: number | null): void {
    const remaining = this.state?.remaining ?? null;
    this.ends = milliseconds === null || remaining === null ? null : this.#around.now() + milliseconds + remaining;
  }

  /** Remembers the top card that a new one covers. */
  #cover(before: State | null, now: State): void {
    const [old, fresh] = [before?.position, now.position];
    if (old?.turn.round !== fresh.turn.round) this.#before = null;
    else if (old.zone.length !== fresh.zone.length) {
      const card = old.zone.at(-1);
      this.#before = card === undefined ? null : { card, until: this.#around.now(), player: before?.stage === 'race' ? (old.turn.player ?? null) : null };
    }
  }

  #tell(before: State | null, now: State, news: readonly Entry[]): void {
    this.told.happened(news);
    this.told.raced(before, now);
    if (before?.position.zone.length !== now.position.zone.length && this.notice === this.#explained) this.notice = null;
    this.#explain(news);
    // A sheet between rounds goes when the next one begins.
    if (before?.stage === 'look' && now.stage !== 'look' && now.stage !== 'over') this.sheet = false;
    if (now.stage === 'over' || (before && now.rounds.length > before.rounds.length)) this.sheet = before?.stage === 'over' ? this.sheet : true;
  }

  /** Says why a card of one's own came back, or that the clock has decided. */
  #explain(news: readonly Entry[]): void {
    const own = news.findLast(({ seat, verdict, clock }) => seat === this.eye && (clock || verdict === 'misplay' || verdict === 'late'));
    if (!own || (own.verdict === 'late' && this.told.receipt)) return;
    const [code, rule] = reasonOf(own);
    const notice: Notice = { kind: 'hint', code, rule, message: '' };
    this.notice = this.#explained = notice;
    this.#around.later(() => {
      if (this.notice === notice) this.notice = null;
    }, RECEIPT);
  }

  #putAside(card: Card): void {
    if (this.waiting || !this.rest.includes(card)) return;
    this.#act({ type: 'effect', effect: 'discard', aside: card });
  }

  #hint(code: string): void {
    this.notice = { kind: 'hint', code, rule: null, message: '' };
  }
  #act(action: Action): void {
    if (this.eye !== null) this.send({ type: 'intent', seat: this.eye, action });
  }
}
