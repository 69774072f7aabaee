/** Positions of EKKO by the sequence (K6), on the kernels of its module. */
import { fieldOf, type Item, type KernelArray, Kernels } from '../module';
import { EKKO } from '../records';
import { type Action, decode, encode } from './action';
import { mirrorOf } from './cards';

/** The seat of a deal and of the end of a reaction time. */
export const CHANCE = -1;
const { NOBODY, LEGAL, Phase, Ending, CARDS, MOST_PLAYERS, MOST_DECISIONS, REFUSALS, TYPE_MASK, WORDS } = EKKO;
const PHASES = ['deal', 'mirror', 'play', 'over'] as const;
const WHYS = ['turn', 'effect', 'misplay', 'leaving'] as const;
const STATE = EKKO.records.STATE;
type Field = keyof typeof STATE.fields;

/** The interchange form, version 1. */
export interface PositionJson {
  game: 'ekko';
  version: 1;
  players: number;
  target: number;
  pile: number[];
  zone: number[];
  hands: number[][];
  aside: number[][];
  scores: number[];
  drew?: [seat: number, zone: number, why: (typeof WHYS)[number]][];
  turn: TurnJson;
  winners?: number[];
}

/** What a spectator may see (K6.4, K7.6). */
export interface ViewJson extends Omit<PositionJson, 'pile' | 'hands' | 'aside' | 'drew'> {
  pile: number;
  /** Of the hands. */
  sizes: number[];
  set_aside: number[];
  drew: NonNullable<PositionJson['drew']>;
}

/** What a seat may see (K6.4). */
export interface SeenJson extends Omit<ViewJson, 'turn'> {
  hand: number[];
  /** The cards that it has put aside itself. */
  aside: number[];
  turn: Omit<TurnJson, 'blocked'> & { blocked?: number[] };
}

/** How a round has ended (K5). by: the seat that ended it; undefined: the pile was empty. */
export interface RoundEnd {
  points: number[];
  sizes: number[];
  reason: 'last-card' | 'mirror' | 'aside' | 'pile-empty';
  by: number | undefined;
}

export interface Refusal {
  code: string;
  rule: string;
}

export interface TurnJson {
  round: number;
  dealer: number;
  player?: number;
  last?: number;
  phase: (typeof PHASES)[number];
  asked?: number;
  again?: boolean;
  leaving?: number;
  blocked?: number[][];
}

/** The rules of EKKO: a module with its memory. */
export class Ekko {
  readonly kernels: Kernels<typeof EKKO>;
  private readonly before: KernelArray;
  private readonly after: KernelArray;
  private readonly codes: KernelArray;
  private readonly order: KernelArray;
  private readonly drawn: KernelArray;

  constructor(module: WebAssembly.Module) {
    this.kernels = new Kernels(module, EKKO);
    [this.before, this.after] = [this.kernels.array('STATE', 1), this.kernels.array('STATE', 1)];
    [this.codes, this.order] = [this.kernels.array('int64', MOST_DECISIONS), this.kernels.array('uint8', CARDS)];
    this.drawn = this.kernels.array('int64', MOST_PLAYERS);
  }

  /** The first position, before the first deal (K1). dealer: the seat that deals. */
  start(players: number, dealer = 0, target: number = EKKO.DEFAULT_TARGET): EkkoPosition {
    const nothing = Array.from({ length: players }, () => []);
    const scores = nothing.map(() => 0);
    const turn: TurnJson = { round: 1, dealer, phase: 'deal' };
    return this.position({
      game: 'ekko',
      version: 1,
      players,
      target,
      pile: [],
      zone: [],
      hands: nothing,
      aside: nothing,
      scores,
      turn,
    });
  }

  /** Read the interchange form. It is not checked: a position that people wrote is for the server to judge. */
  position(value: PositionJson): EkkoPosition {
    const state = new Uint8Array(STATE.size);
    const put = (name: Field, type: Item, values: readonly number[]): void => {
      const field = fieldOf(STATE, state.buffer, name, type) as Int32Array;
      field.set(values);
    };
    const { turn } = value;
    for (const name of ['player', 'last', 'asked', 'leaving'] as const) put(name, 'int8', [turn[name] ?? NOBODY]);
    put('ended_by', 'int8', [NOBODY]);
    put('players', 'int8', [value.players]);
    put('target', 'int32', [value.target]);
    put('number', 'int32', [turn.round]);
    put('dealer', 'int8', [turn.dealer]);
    put('phase', 'int8', [PHASES.indexOf(turn.phase)]);
    put('again', 'int8', [turn.again ? 1 : 0]);
    put('scores', 'int32', value.scores);
    put('pile', 'uint8', value.pile.toReversed());
    put('pile_size', 'uint8', [value.pile.length]);
    put('zone', 'uint8', value.zone);
    put('zone_size', 'uint8', [value.zone.length]);
    put('winners', 'uint8', [(value.winners ?? []).reduce((all, seat) => all | (1 << seat), 0)]);
    const drew = value.drew ?? [];
    put('n_drew', 'uint8', [drew.length]);
    put(
      'drew_seat',
      'uint8',
      drew.map(([seat]) => seat),
    );
    put(
      'drew_at',
      'uint8',
      drew.map(([, zone]) => zone),
    );
    put(
      'drew_why',
      'uint8',
      drew.map(([, , why]) => WHYS.indexOf(why)),
    );
    for (const [name, rows] of [
      ['hands', value.hands],
      ['aside', value.aside],
      ['blocked', turn.blocked ?? []],
    ] as const) {
      const words = fieldOf(STATE, state.buffer, name, 'uint64');
      rows.forEach((cards, seat) => words.set(wordsOf(cards), WORDS * seat));
    }
    return new EkkoPosition(this, state);
  }

  /** The position as far as a seat sees it: without the other hands, their cards put aside, and the pile. */
  seenPosition(view: SeenJson, seat: number): EkkoPosition {
    const own = (cards: number[]): number[][] =>
      Array.from({ length: view.players }, (_, at) => (at === seat ? cards : []));
    const { hand, aside, turn, pile, ...rest } = view;
    const { blocked, ...asked } = turn;
    const seen = this.position({
      ...rest,
      pile: [],
      hands: own(hand),
      aside: own(aside),
      turn: { ...asked, ...(blocked && { blocked: own(blocked) }) },
    });
    return seen.with('pile_size', 'uint8', pile);
  }

  /** The codes of all legal decisions. */
  list(state: Uint8Array): number[] {
    this.before.bytes.set(state);
    const count = this.kernels.number('list_decisions', this.before, this.codes);
    return Array.from(this.codes.items('int64').subarray(0, count), Number);
  }

  /** Why a decision of a seat is not legal; LEGAL if it is. */
  refusal(state: Uint8Array, seat: number, action: Action): number {
    this.before.bytes.set(state);
    const [card, aside] = ['card' in action ? action.card : 0, 'aside' in action ? action.aside : 0];
    const isWhole = action.type === 'deal' && action.order !== undefined;
    return this.kernels.number(
      'find_refusal',
      this.before,
      seat,
      encode(action) & TYPE_MASK,
      card,
      aside,
      0,
      Number(isWhole),
    );
  }

  /** How many cards each seat has drawn because of a decision. */
  draws(before: Uint8Array, after: Uint8Array, seat: number, action: Action): number[] {
    this.before.bytes.set(before);
    this.after.bytes.set(after);
    this.kernels.number('count_draws', this.before, this.after, seat, encode(action), this.drawn);
    return Array.from(this.drawn.items('int64'), Number);
  }

  /** The state after a legal decision of a seat, or after a deal of the 98 cards in an order. */
  perform(state: Uint8Array, seat: number, decision: number | readonly number[]): Uint8Array {
    this.before.bytes.set(state);
    if (typeof decision === 'number') this.kernels.number('perform_decision', this.before, this.after, seat, decision);
    else {
      this.order.bytes.set(decision);
      this.kernels.number('deal_round', this.before, this.after, this.order);
    }
    return this.after.bytes.slice();
  }
}

/** A position; immutable, `play` returns another one. */
export class EkkoPosition {
  private known: number[] | undefined;

  constructor(
    private readonly rules: Ekko,
    /** The record of the kernels (`STATE` of records.ts). */
    readonly state: Uint8Array,
  ) {}

  get players(): number {
    return this.number('players');
  }

  /** The number of the round, from 1. */
  get round(): number {
    return this.number('number', 'int32');
  }

  /** The top card (K1.4); undefined before the deal. */
  get top(): number | undefined {
    return this.cards('zone').at(-1);
  }

  /** The mirror of the top card (K3.1); 0: it has none. */
  get mirror(): number {
    return mirrorOf(this.top ?? 0) ?? 0;
  }

  /** Whether, by the play zone alone, the top card may still be mirrored (K3.1). */
  get mayBeMirrored(): boolean {
    const { mirror } = this;
    return mirror !== 0 && !this.cards('zone').includes(mirror);
  }

  /** The seat that has played its last card, which may still be mirrored (K5.1). */
  get leaving(): number | undefined {
    const leaving = this.number('leaving');
    return leaving === NOBODY ? undefined : leaving;
  }

  /** The seat that deals this round (K1.3, K5.5). */
  get dealer(): number {
    return this.number('dealer');
  }

  get target(): number {
    return this.number('target', 'int32');
  }

  get scores(): number[] {
    return [...this.field('scores', 'int32')].slice(0, this.players);
  }

  /** The result of the latest finished round; undefined in the first one, or of a position that was read. */
  get roundEnd(): RoundEnd | undefined {
    const ending = Object.entries(Ending).find(([, one]) => one === this.number('ending'))![0];
    if (ending === 'NONE') return undefined;
    const [points, sizes] = (['points', 'sizes'] as const).map((name) =>
      [...this.field(name, 'uint8')].slice(0, this.players),
    ) as [number[], number[]];
    const reason = ending.toLowerCase().replace('_', '-') as RoundEnd['reason'];
    return { points, sizes, reason, by: reason === 'pile-empty' ? undefined : this.number('ended_by') };
  }

  get phase(): (typeof PHASES)[number] {
    return PHASES[this.number('phase')]!;
  }

  /** The seats of the lowest total once the game is over; several on a tie (K5.6). */
  get winners(): number[] {
    const set = this.number('winners', 'uint8');
    return Array.from({ length: MOST_PLAYERS }, (_, seat) => seat).filter((seat) => (set >> seat) & 1);
  }

  /** The seat to move: a mirror's holder, the player in turn, or CHANCE for a deal and a close; undefined once it is over. */
  get actor(): number | undefined {
    const phase = this.number('phase');
    if (phase === Phase.OVER) return undefined;
    if (phase === Phase.DEAL || (phase === Phase.PLAY && this.number('leaving') !== NOBODY)) return CHANCE;
    return this.number(phase === Phase.MIRROR ? 'asked' : 'player');
  }

  /** All legal actions of the seat to move, but a misplay (K6.1, K6.2). The order of a deal is left out. */
  legal(): Action[] {
    return this.codes.map(decode);
  }

  isLegal(action: Action): boolean {
    return this.codes.includes(encode(action));
  }

  /** Why an action of a seat is not legal; undefined if it is. */
  whyNot(seat: number, action: Action): Refusal | undefined {
    const refused = this.rules.refusal(this.state, seat, action);
    if (refused === LEGAL) return undefined;
    const [code, rule] = REFUSALS[refused]!;
    return { code, rule };
  }

  /** How the game has ended (K5.6). */
  outcome(): { winners: number[]; reason: 'lowest-total' | 'tie'; rule: string } | undefined {
    const { winners } = this;
    return this.phase === 'over'
      ? { winners, reason: winners.length === 1 ? 'lowest-total' : 'tie', rule: 'K5.6' }
      : undefined;
  }

  /** Seats with the number of cards that they have drawn because of an action, after which the position is another one. */
  draws(seat: number, action: Action, after: EkkoPosition): [seat: number, cards: number][] {
    const drawn = this.rules.draws(this.state, after.state, seat, action).slice(0, this.players);
    return drawn.map((cards, other): [number, number] => [other, cards]).filter(([, cards]) => cards > 0);
  }

  /** The same position at a live table, where the mirror's holder is not asked (K7.1). */
  asLive(): EkkoPosition {
    return this.with('live', 'int8', 1);
  }

  /** The hands left by an action that ends the round, which the position after it no longer has. */
  handsLeft(seat: number, action: Action): number[][] {
    return this.with('target', 'int32', 0).play(action, seat).rows('hands');
  }

  /** The position after a legal action, by default of the seat to move. Throws a RangeError for another action. */
  play(action: Action, seat: number = this.actor!): EkkoPosition {
    const isListed = seat === this.actor && this.isLegal(action);
    if (!isListed && this.whyNot(seat, action)) throw new RangeError(`not legal here: ${JSON.stringify(action)}`);
    if (action.type === 'deal' && !action.order) throw new RangeError('a deal needs an order of the cards (K6.0)');
    const decision = action.type === 'deal' ? action.order! : encode(action);
    return new EkkoPosition(this.rules, this.rules.perform(this.state, seat, decision));
  }

  /** The interchange form; equal positions give equal text. draws: add who drew in this round. */
  toJson(draws = false): PositionJson {
    const drew = draws ? this.drew() : [];
    return {
      game: 'ekko',
      version: 1,
      players: this.players,
      target: this.target,
      pile: this.cards('pile').toReversed(),
      zone: this.cards('zone'),
      hands: this.rows('hands'),
      aside: this.rows('aside'),
      scores: this.scores,
      ...(drew.length > 0 && { drew }),
      turn: this.turn(),
      ...(this.phase === 'over' && { winners: this.winners }),
    };
  }

  /** What a spectator may see; for others the seat that is asked for a mirror is not known (K6.4). */
  toView(): ViewJson {
    const { pile, hands, aside, turn, ...rest } = this.toJson();
    const { asked: _, blocked: __, ...shown } = turn;
    const counts = (rows: readonly number[][]): number[] => rows.map((cards) => cards.length);
    return {
      ...rest,
      pile: pile.length,
      sizes: counts(hands),
      set_aside: counts(aside),
      drew: this.drew(),
      turn: { ...shown, phase: turn.phase === 'mirror' ? 'play' : turn.phase },
    };
  }

  /** What a seat may see: it alone knows that it is asked for a mirror (K6.4). */
  toSeen(seat: number): SeenJson {
    const { blocked, ...cards } = this.cardsOf(seat);
    const { turn, ...view } = this.toView();
    const { blocked: _, ...shown } = turn;
    const { asked, phase } = this.turn();
    const own = { ...(asked === seat && { phase, asked }), ...(blocked.length > 0 && { blocked }) };
    return { ...view, ...cards, turn: { ...shown, ...own } };
  }

  /** The cards of a seat. */
  cardsOf(seat: number): { hand: number[]; blocked: number[]; aside: number[] } {
    const of = (name: 'hands' | 'blocked' | 'aside'): number[] => this.rows(name)[seat]!;
    return { hand: of('hands'), blocked: of('blocked'), aside: of('aside') };
  }

  /** The same position with another value of a field. */
  with(name: Field, type: 'int8' | 'uint8' | 'int32', value: number): EkkoPosition {
    const state = this.state.slice();
    fieldOf(STATE, state.buffer, name, type)[0] = value;
    return new EkkoPosition(this.rules, state);
  }

  /** Whether a seat may play the mirror of the top card (K3.1, K4.1). */
  holdsMirror(seat: number): boolean {
    const { hand, blocked } = this.cardsOf(seat);
    return hand.includes(this.mirror) && !blocked.includes(this.mirror);
  }

  private turn(): TurnJson {
    const seats = (names: readonly ('player' | 'last' | 'asked' | 'leaving')[]): Partial<TurnJson> =>
      Object.fromEntries(names.map((name) => [name, this.number(name)]).filter(([, seat]) => seat !== NOBODY));
    const blocked = this.rows('blocked');
    return {
      round: this.round,
      dealer: this.dealer,
      ...(this.phase !== 'deal' && { player: this.number('player'), last: this.number('last') }),
      phase: this.phase,
      ...seats(['asked']),
      ...(this.number('again') !== 0 && { again: true }),
      ...seats(['leaving']),
      ...(blocked.some((cards) => cards.length > 0) && { blocked }),
    };
  }

  private drew(): NonNullable<PositionJson['drew']> {
    const [seats, zones, whys] = [
      this.field('drew_seat', 'uint8'),
      this.field('drew_at', 'uint8'),
      this.field('drew_why', 'uint8'),
    ];
    return Array.from({ length: this.number('n_drew', 'uint8') }, (_, place) => [
      seats[place]!,
      zones[place]!,
      WHYS[whys[place]!]!,
    ]);
  }

  private get codes(): number[] {
    return (this.known ??= this.rules.list(this.state));
  }

  private cards(name: 'pile' | 'zone'): number[] {
    return [...this.field(name, 'uint8').subarray(0, this.number(`${name}_size`, 'uint8'))];
  }

  private rows(name: 'hands' | 'aside' | 'blocked'): number[][] {
    const words = this.field(name, 'uint64');
    return Array.from({ length: this.players }, (_, seat) => cardsOf(words[WORDS * seat]!, words[WORDS * seat + 1]!));
  }

  private number(name: Field, type: 'int8' | 'uint8' | 'int32' = 'int8'): number {
    return this.field(name, type)[0]!;
  }

  private field<T extends Item>(name: Field, type: T): ReturnType<typeof fieldOf<T>> {
    return fieldOf(STATE, this.state.buffer, name, type);
  }
}

const WORD_BITS = 64;

/** The two words of a set of cards. */
function wordsOf(cards: readonly number[]): [bigint, bigint] {
  const set = cards.reduce((all, card) => all | (1n << BigInt(card)), 0n);
  return [BigInt.asUintN(WORD_BITS, set), set >> BigInt(WORD_BITS)];
}

function cardsOf(low: bigint, high: bigint): number[] {
  const set = low | (high << BigInt(WORD_BITS));
  return Array.from({ length: CARDS + 1 }, (_, card) => card).filter((card) => (set >> BigInt(card)) & 1n);
}
