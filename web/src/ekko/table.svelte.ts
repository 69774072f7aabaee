/**
 * An EKKO table as one browser sees it. Headless, and without rules: a card is sent with the top card that its player saw (K7.2); the
 * server judges.
 */
import type { Transport } from '../net/connection.svelte';
import { type Notice, type OwnGame, type Shown, TableState } from '../table/table.svelte';
import { AutoPass } from './autopass.svelte';
import { mirrorOf } from './cards';
import { stays, undecided, type Wanted, wanted } from './hotseat';
import { ekkoPreferences } from './preferences.svelte';
import type { Action, Card, CardOrder, Effect, Entry, Hand, Options, Seat, State } from './protocol';
import { RECEIPT, RecentEvents } from './recent.svelte';

export type { Notice } from '../table/table.svelte';

/** Milliseconds that it takes to see a card: a tap earlier than this after a change answers the card before it. */
export const TIME_TO_SEE = 200;
/** A second tap within so many milliseconds is a trembling hand and not a second card. */
const TREMBLE = 350;
function reasonOf({ clock, verdict, action, round }: Entry, now: number): Pick<Notice, 'kind' | 'code' | 'rule'> {
  if (clock) return { kind: 'hint', code: 'clock', rule: 'K7.5' };
  if (verdict === 'misplay') return { kind: 'hint', code: 'misplay', rule: 'K4.1' };
  if (round < now) return { kind: 'why', code: 'other-round', rule: 'K7.2' };
  return { kind: 'hint', code: 'late', rule: action.type === 'mirror' ? 'K3.5' : 'K7.2' };
}

export class EkkoTableState extends TableState<Options, State, Entry, CardOrder> {
  picked = $state<Card | null>(null);
  typed = $state('');
  /** The effect of the mirror is `discard`, and its card is being chosen (K3.2). */
  putting = $state(false);
  /** On a shared device: the seat that has it now. */
  at = $state<Seat | null>(null);
  goesRound = $state(false);
  sheet = $state(false);
  /** When the running clock ends, by the table's clock; null: none runs. */
  ends = $state<number | null>(null);

  readonly hotSeat = $derived(this.yours.length > 1);
  /** The seat whose hand is shown; null: a spectator, or the device is being passed. */
  readonly viewer: Seat | null = $derived(this.hotSeat ? this.at : (this.yours[0] ?? null));
  readonly hand: Hand | null = $derived(this.viewer === null ? null : (this.state?.hands[String(this.viewer)] ?? null));
  readonly wanted: Wanted = $derived(this.state ? wanted(this.state, this.yours, this.goesRound) : null);
  readonly top: Card | null = $derived(this.state?.position.zone.at(-1) ?? null);
  readonly myTurn = $derived(
    this.state?.stage === 'race' && this.viewer !== null && this.state.position.turn.player === this.viewer,
  );
  /** Nobody followed the last card of the player in turn: any other card may be played, and one has to be. */
  readonly anyCard = $derived.by(() => {
    const { player, last, again } = this.state?.position.turn ?? {};
    return player !== undefined && player === last && !again;
  });
  readonly mayDraw = $derived(
    this.myTurn && !(this.anyCard && this.hand?.hand.some((card) => !this.hand?.blocked.includes(card))),
  );
  readonly choosing = $derived(
    this.state?.stage === 'effect' && this.viewer !== null && this.state.claim?.seat === this.viewer,
  );
  readonly mayPass = $derived.by(() => {
    const { state, viewer } = this;
    if (!state || viewer === null || (state.stage !== 'window' && state.stage !== 'leaving')) return false;
    return undecided(state, [viewer]).length > 0;
  });
  readonly mayReady = $derived(
    this.state?.stage === 'look' && this.viewer !== null && !this.state.ready.includes(this.viewer),
  );
  readonly called: boolean = $derived.by(
    () => this.myTurn || this.choosing || this.mayReady || (this.mayPass && !this.autoPass.on),
  );
  /** Only in calm mode, where all players have the same time for mirrors. */
  readonly mayAutoPass = $derived(this.options?.calm === true && !this.hotSeat && this.mayPass);
  readonly #underway = $derived(this.sent.filter((sent) => sent.type === 'intent'));
  readonly sending: readonly Card[] = $derived(
    this.#underway.flatMap(({ action }) => ('card' in action ? [action.card] : [])),
  );
  readonly waiting = $derived(this.#underway.length > 0);

  readonly events: RecentEvents;
  readonly autoPass: AutoPass;
  /** The previous top card, when it was covered, and whose turn it was. */
  #before: { card: Card; until: number; player: Seat | null } | null = null;
  #played = -Infinity;
  /** Why the own card came back; shown until another card is on top. */
  #explained: Notice | null = null;

  /** `chance`: from 0 up to 1; replaced in tests. */
  constructor(at: Transport | OwnGame, chance: () => number = Math.random) {
    super(at);
    this.events = new RecentEvents(this.clock.later);
    this.autoPass = new AutoPass(this.clock.later, chance, () => this.pass());
  }

  protected override get preferredPace(): number | null {
    return ekkoPreferences.pace;
  }
  now(): number {
    return this.clock.now();
  }

  tap(card: Card): void {
    this.notice = null;
    this.typed = '';
    if (this.putting && this.choosing) return this.#putAside(card);
    if (!ekkoPreferences.twoTaps || this.picked === card) return this.play(card);
    this.picked = card;
  }

  /** If the card is the top card's mirror, this claims the mirror (K3.4). */
  play(card: Card): void {
    this.notice = null;
    this.picked = null;
    if (this.mayPass) this.autoPass.up();
    if (this.putting && this.choosing) return this.#putAside(card);
    // The mirror number is printed on the top card, so its player has seen that card.
    const on = this.top !== null && mirrorOf(this.top) === card ? this.top : this.seen();
    if (on === null || !this.state || this.state.stage === 'over')
      return this.#hint(this.state?.stage === 'look' ? 'look' : 'not-now');
    if (this.clock.now() - this.#played < TREMBLE || this.sending.includes(card)) return;
    this.#played = this.clock.now();
    this.#act({ type: 'play', card, on, round: this.state.position.turn.round });
  }

  draw(): void {
    // A player who was not in turn before cannot have meant the previous card.
    const on = this.#before?.player === this.viewer ? this.seen() : this.top;
    this.notice = null;
    if (on === null || this.waiting) return;
    this.#act({ type: 'draw', on });
  }

  pass(): void {
    if (this.mayPass && this.top !== null) this.#act({ type: 'pass', on: this.top });
  }

  ready(): void {
    this.sheet = false;
    if (this.mayReady && this.state) this.#act({ type: 'ready', round: this.state.position.turn.round });
  }

  effect(effect: Effect): void {
    this.notice = null;
    if (!this.choosing || this.waiting) return;
    if (effect === 'draw') return this.#act({ type: 'effect', effect });
    const [only, ...more] = this.rest;
    if (only !== undefined && more.length === 0) this.#putAside(only);
    else this.putting = !this.putting;
  }

  get rest(): readonly Card[] {
    const { hand, claimed } = this.hand ?? { hand: [] };
    return hand.filter((card) => card !== claimed && card !== this.state?.claim?.card);
  }

  type(digit: string): void {
    this.notice = null;
    this.typed = this.typed.length < 2 ? this.typed + digit : digit;
  }
  rubOut(): void {
    this.typed = this.typed.slice(0, -1);
  }
  enter(): void {
    const card = Number(this.typed);
    this.typed = '';
    if (this.hand?.hand.includes(card)) this.play(card);
    else this.#hint('not-held');
  }
  deselect(): void {
    [this.typed, this.picked, this.putting, this.notice] = ['', null, false, null];
  }

  take(seat: Seat): void {
    this.deselect();
    this.at = seat;
  }
  cover(): void {
    this.deselect();
    this.at = null;
  }
  goRound(): void {
    this.deselect();
    this.goesRound = true;
  }
  passForAll(): void {
    const { state, top } = this;
    if (!state || top === null) return;
    for (const seat of undecided(state, this.yours))
      this.send({ type: 'intent', seat, action: { type: 'pass', on: top } });
  }

  /** The top card that the player has seen: not one that just arrived, unless it is their own. */
  seen(): Card | null {
    const before = this.#before;
    const own = this.viewer !== null && this.state?.position.turn.last === this.viewer;
    if (before && !own && this.clock.now() - before.until < TIME_TO_SEE) return before.card;
    return this.top;
  }

  protected override beforeShow(
    { state, kept }: Pick<Shown<State>, 'state' | 'kept'>,
    log: readonly Entry[],
  ): () => void {
    const [before, wantedBefore, handBefore, viewerBefore] = [this.state, this.wanted, this.hand?.hand, this.viewer];
    const follows = kept !== null;
    const news = follows ? log.slice(this.log.length) : [];
    this.#cover(before, state);
    return () => {
      this.ends = state.remaining === null || this.agreement.isPaused ? null : this.clock.now() + state.remaining;
      this.#notify(before, state, news);
      if (before?.stage !== state.stage || before.decided.length > state.decided.length) this.goesRound = false;
      if (state.stage === 'look') this.autoPass.up();
      this.autoPass.asked(this.mayPass);
      this.at = state.decided.includes(this.at ?? -1) ? null : stays(this.at, wantedBefore, this.wanted);
      const sameHand =
        follows && viewerBefore === this.viewer && before?.position.turn.round === state.position.turn.round;
      this.events.holds(this.hand?.hand ?? [], sameHand ? (handBefore ?? null) : null);
      if (!this.choosing) this.putting = false;
      if (this.picked !== null && !this.hand?.hand.includes(this.picked)) this.picked = null;
    };
  }

  protected override resumeAfter(milliseconds: number | null): void {
    const remaining = this.state?.remaining ?? null;
    this.ends = milliseconds === null || remaining === null ? null : this.clock.now() + milliseconds + remaining;
  }

  #cover(before: State | null, now: State): void {
    const [old, fresh] = [before?.position, now.position];
    if (old?.turn.round !== fresh.turn.round) this.#before = null;
    else if (old.zone.length !== fresh.zone.length) {
      const card = old.zone.at(-1);
      this.#before =
        card === undefined
          ? null
          : { card, until: this.clock.now(), player: before?.stage === 'race' ? (old.turn.player ?? null) : null };
    }
  }

  #notify(before: State | null, now: State, news: readonly Entry[]): void {
    this.events.happened(news);
    this.events.raced(before, now);
    if (before?.position.zone.length !== now.position.zone.length && this.notice === this.#explained)
      this.notice = null;
    this.#explain(news, now.position.turn.round);
    // The sheet between rounds closes when the next one begins.
    if (before?.stage === 'look' && now.stage !== 'look') this.sheet = false;
    if (now.stage !== 'over' && before && now.rounds.length > before.rounds.length) this.sheet = true;
  }

  #explain(news: readonly Entry[], round: number): void {
    const own = news.findLast(
      ({ seat, verdict, clock }) => seat === this.viewer && (clock || verdict === 'misplay' || verdict === 'late'),
    );
    if (!own || (own.verdict === 'late' && own.round === round && this.events.receipt)) return;
    const notice: Notice = { ...reasonOf(own, round), message: '' };
    this.notice = this.#explained = notice;
    this.clock.later(() => {
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
    if (this.viewer !== null) this.send({ type: 'intent', seat: this.viewer, action });
  }
}
