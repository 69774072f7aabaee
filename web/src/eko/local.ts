/** Tables of Ekö that one person plays alone, by the engine of this page: what its page shows after a line of decisions. */
import type { Action } from '../engine/eko/action';
import { EkoPlace } from '../engine/eko/book';
import type { Layout } from '../engine/eko/layout';
import type { SeatDecision, Tried } from '../net/protocol';
import { type About, type Line, Lines, wholeTable } from '../table/line';
import { jsonOf, positionOf } from './engine';
import type { BoardData, Options, SeatInfo, State, TableMessage } from './protocol';

export const lines = new Lines<Action, EkoPlace>(({ position }, _seat, action, after) =>
  position.describe(action, after.position),
);
export const { step, play } = lines;

const boards = new WeakMap<Layout, BoardData>();

/** What stays the same for the whole game, as the same object. */
function boardOf(layout: Layout): BoardData {
  const board = boards.get(layout) ?? layout.toJson();
  boards.set(layout, board);
  return board;
}

/** The table after a line. */
export function tableAfter({ start, steps }: Omit<Line<EkoPlace>, 'refusal'>, about: About<Options>): TableMessage {
  const { position, result: outcome = null, repetition } = steps.at(-1)?.place ?? start;
  const turn = position.turnNumber;
  const latest = steps.at(-1)?.entry;
  const before = (steps.at(-2)?.place ?? start).position;
  // a placement of the draft can be taken back until the next one
  const isOpen =
    latest !== undefined &&
    !outcome &&
    latest.seat === before.player &&
    (before.phase === 'place' || (turn === latest.turn && position.player === latest.seat));
  const state: State = {
    position: jsonOf(position),
    asked: outcome ? [] : position.actors(),
    held: null,
    undo: isOpen && about.seats[latest.seat]?.yours ? [latest.seat] : [],
    outcome,
    repetition: Math.min(repetition, 3),
    draw_offers: [],
    rematch: { agreed: [], table: null },
  };
  return wholeTable('eko', about, steps, boardOf(position.layout), state);
}

/** Plays a real table on alone, without its clocks. */
export function playedOn({
  id,
  seats,
  options,
  state,
}: {
  id: string;
  seats: readonly SeatInfo[];
  options: Options | null;
  state: State | null;
}): (decisions: readonly SeatDecision[]) => Tried {
  const { clock: _, ...untimed } = options!;
  const start = EkoPlace.at(positionOf(state!.position), untimed.turn_limit);
  const own = seats.map((seat): SeatInfo => ({ ...seat, kind: 'here', bot: null, yours: true }));
  return (decisions) => {
    const line = play(start, decisions);
    return {
      refusal: line.refusal,
      table: tableAfter(line, { id, seats: own, options: untimed }) as unknown as Tried['table'],
    };
  };
}
