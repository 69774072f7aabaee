/** Tables of Ekö that one person plays alone, by the engine of this page: what its page shows after a line of decisions. */
import type { Action } from '../engine/eko/action';
import { EkoPlace } from '../engine/eko/book';
import type { Layout } from '../engine/eko/layout';
import type { EntryInfo, Failure, Json } from '../protocol/messages';
import { NOTHING } from '../shell/agreements/agreement.svelte';
import type { Foreseen, Tried } from '../shell/protocol';
import { engine } from './engine';
import type { BoardData, Entry, Options, SeatInfo, State, TableMessage } from './protocol';

/** A decision that was played. entry: of a log, without its number. */
export interface Step {
  readonly place: EkoPlace;
  readonly entry: EntryInfo;
}

/** The entries of the decisions that led to places. */
const entries = new WeakMap<EkoPlace, EntryInfo>();

/** Plays a decision. Throws a RangeError if it is not legal, or the game is over. */
export function step(from: EkoPlace, seat: number, action: Action): Step {
  const place = from.play(seat, action);
  const known = entries.get(place);
  if (known) return { place, entry: known };
  const entry = { turn: from.number, seat, action: action as unknown as Json, notation: from.format(action), ...from.position.describe(action, place.position) };
  entries.set(place, entry);
  return { place, entry };
}

/** A line of decisions from a start. refusal: why the last one was not played. */
export interface Line {
  readonly start: EkoPlace;
  readonly steps: readonly Step[];
  readonly refusal: Failure | null;
}

/** Plays a line, whose last decision may be illegal. Throws if an earlier one is. */
export function play(start: EkoPlace, decisions: readonly Foreseen[]): Line {
  const steps: Step[] = [];
  for (const [n, { seat, action }] of decisions.entries()) {
    const from = steps.at(-1)?.place ?? start;
    try {
      steps.push(step(from, seat, action as unknown as Action));
    } catch (error) {
      if (n < decisions.length - 1) throw error;
      return { start, steps, refusal: refusalOf(from, seat, action as unknown as Action, error) };
    }
  }
  return { start, steps, refusal: null };
}

/** Why a decision was not carried out. */
export function refusalOf({ position, result }: EkoPlace, seat: number, action: Action, error: unknown): Failure {
  const refused = result ? undefined : position.whyNot(seat, action);
  if (!refused) return { code: 'table/game-over', message: String(error) };
  return { code: 'action/illegal', refusal: refused.code, rule: refused.rule, message: '' };
}

/** What stays the same at a table. */
export interface About {
  readonly id: string;
  readonly seats: readonly SeatInfo[];
  readonly options: Options;
}

/** One person's seats, all of them unless one is named; nobody plays the others. */
export function seatsOf(players: number, names: readonly string[] = [], own?: number): SeatInfo[] {
  return Array.from({ length: players }, (_, seat) => {
    const yours = own === undefined || seat === own;
    return { seat, name: names[seat] ?? '', colour: seat, kind: yours ? 'here' : 'bot', bot: null, taken: true, yours, online: true };
  });
}

const boards = new WeakMap<Layout, BoardData>();

/** What stays the same for the whole game, as the same object. */
function boardOf(layout: Layout): BoardData {
  const board = boards.get(layout) ?? layout.toJson();
  boards.set(layout, board);
  return board;
}

/** The table after a line. */
export function tableAfter({ start, steps }: Omit<Line, 'refusal'>, { id, seats, options }: About): TableMessage {
  const { position, result: outcome = null, repetition } = steps.at(-1)?.place ?? start;
  const { phase, turn } = { phase: position.phase, turn: position.turnNumber };
  const latest = steps.at(-1)?.entry;
  const before = (steps.at(-2)?.place ?? start).position;
  // a placement of the draft can be taken back until the next one
  const isOpen = latest !== undefined && !outcome && latest.seat === before.player && (before.phase === 'place' || (turn === latest.turn && position.player === latest.seat));
  const state: State = {
    position: position.toJson(),
    asked: outcome ? [] : position.actors(),
    asked_to: phase,
    players: seats.map(({ seat }) => position.toPlayer(seat)),
    held: null,
    undo: isOpen && seats[latest.seat]?.yours ? [latest.seat] : [],
    outcome: outcome && { ...outcome, winners: [...outcome.winners] },
    repetition: Math.min(repetition, 3),
    draw_offers: [],
    rematch: { agreed: [], table: null },
  };
  return {
    type: 'table',
    id,
    game: 'eko',
    version: steps.length,
    pace: 0,
    wishes: [],
    paused: false,
    chat: false,
    consent: NOTHING,
    seats: [...seats],
    options,
    board: boardOf(position.layout),
    state,
    log: steps.map(({ entry }, n) => ({ ...entry, n: n + 1, at: '' }) as unknown as Entry),
  };
}

/** Plays a real table on alone, without its clocks. */
export function playedOn({ id, seats, options, state }: { id: string; seats: readonly SeatInfo[]; options: Options | null; state: State | null }): (decisions: readonly Foreseen[]) => Tried {
  const { clock: _, ...untimed } = options!;
  const start = EkoPlace.at(engine().position(state!.position), untimed.turn_limit);
  const own = seats.map((seat): SeatInfo => ({ ...seat, kind: 'here', bot: null, yours: true }));
  return (decisions) => {
    const line = play(start, decisions);
    return { refusal: line.refusal, table: tableAfter(line, { id, seats: own, options: untimed }) as unknown as Tried['table'] };
  };
}
