/** Lines of decisions that the engine of this page plays, at tables that one person plays alone. */
import type { Outcome, Place, RecordNode } from '../engine/record';
import type { Failure, Seat, SeatDecision, SeatInfo, WholeTable } from '../net/protocol';
import type { EntryInfo, Json } from '../protocol/messages';
import { NOTHING } from './agreements/agreement.svelte';

/** A place in a game, as the engine has it. */
export interface Playable<Action> extends Place<Action> {
  /** By the rules of play, or else by those of tables. */
  readonly result: Outcome | undefined;
  readonly position: {
    readonly players: number;
    whyNot(seat: Seat, action: Action): { readonly code: string; readonly rule: string } | undefined;
  };
}

/** A decision that was played. entry: of a log, without its number. */
export interface Step<P> {
  readonly place: P;
  readonly entry: EntryInfo;
}

/** A line of decisions from a start. refusal: why the last one was not played. */
export interface Line<P> {
  readonly start: P;
  readonly steps: readonly Step<P>[];
  readonly refusal: Failure | null;
}

/** The lines of a game. */
export class Lines<Action, P extends Playable<Action>> {
  /** The entries of the decisions that led to places. */
  readonly #entries = new WeakMap<P, EntryInfo>();

  /** describe: what an entry of this game has beside turn, seat, action and notation. */
  constructor(private readonly describe: (from: P, seat: Seat, action: Action, after: P) => object) {}

  /** Plays a decision. Throws a RangeError if it is not legal, or the game is over. */
  readonly step = (from: P, seat: Seat, action: Action): Step<P> => {
    const place = from.play(seat, action);
    const known = this.#entries.get(place);
    if (known) return { place, entry: known };
    const entry = {
      turn: from.number,
      seat,
      action: action as Json,
      notation: from.format(action),
      ...this.describe(from, seat, action, place),
    };
    this.#entries.set(place, entry);
    return { place, entry };
  };

  /** Plays a line, whose last decision may be illegal. Throws if an earlier one is. */
  readonly play = (start: P, decisions: readonly SeatDecision[]): Line<P> => {
    const steps: Step<P>[] = [];
    for (const [n, { seat, action }] of decisions.entries()) {
      const from = steps.at(-1)?.place ?? start;
      try {
        steps.push(this.step(from, seat, action as unknown as Action));
      } catch (error) {
        if (n < decisions.length - 1) throw error;
        return { start, steps, refusal: refusalOf(from, seat, action as unknown as Action, error) };
      }
    }
    return { start, steps, refusal: null };
  };
}

/** The first node of a record. */
export function rootOf<Action, P>(place: P): RecordNode<Action, P> {
  return { parent: 0, seat: -1, action: undefined, place, sign: '', comment: '' };
}

/** A line as the nodes of a record. */
export function nodesOf<Action, P>({ start, steps }: Pick<Line<P>, 'start' | 'steps'>): RecordNode<Action, P>[] {
  const decided = steps.map(
    ({ place, entry: { seat, action } }, parent): RecordNode<Action, P> => ({
      ...rootOf(place),
      parent,
      seat,
      action: action as unknown as Action,
    }),
  );
  return [rootOf(start), ...decided];
}

/** Why a decision was not carried out. */
export function refusalOf<Action>(
  { position, result }: Playable<Action>,
  seat: Seat,
  action: Action,
  error: unknown,
): Failure {
  const refused = result ? undefined : position.whyNot(seat, action);
  if (!refused) return { code: 'table/game-over', message: String(error) };
  return { code: 'action/illegal', refusal: refused.code, rule: refused.rule, message: '' };
}

/** What stays the same at a table. */
export interface About<Options> {
  readonly id: string;
  readonly seats: readonly SeatInfo[];
  readonly options: Options;
}

/** The table after some steps, as its page is sent it. */
export function wholeTable<Options, State, Entry, Board>(
  game: string,
  { id, seats, options }: About<Options>,
  steps: readonly Step<unknown>[],
  board: Board,
  state: State,
): WholeTable<Options, State, Entry, Board> {
  return {
    type: 'table',
    id,
    game,
    version: steps.length,
    pace: 0,
    pace_votes: [],
    paused: false,
    chat: false,
    agreements: NOTHING,
    seats,
    options,
    board,
    state,
    log: steps.map(({ entry }, n) => ({ ...entry, n: n + 1, at: 0 }) as unknown as Entry),
  };
}

/** One person's seats, all of them unless one is named; nobody plays the others. */
export function seatsOf(players: number, names: readonly string[] = [], own?: number): SeatInfo[] {
  return Array.from({ length: players }, (_, seat) => {
    const yours = own === undefined || seat === own;
    return {
      seat,
      name: names[seat] ?? '',
      colour: seat,
      kind: yours ? 'here' : 'bot',
      bot: null,
      taken: true,
      yours,
      online: true,
    };
  });
}
