/** Tasks of EKKO, in lessons and chapters of studies, judged by the engine of this page (docs/reference/studies.md). */
import type { PositionJson } from '../engine/ekko/position';
import type { Seat, Tried } from '../net/protocol';
import { seatsOf, wholeTable } from '../table/line';
import { hasDone, type Played, player, replyTo, type TaskChapter, type TaskForm } from '../table/tasks';
import { after, type Calm, calmTable, handOf, late, NotNow, publicState, type Step, timeOut } from './calm';
import { engine } from './engine';
import type { Card, Options, State, Verdict } from './protocol';

/** What is to be reached, all of it. did: how often each verdict. */
interface Goal {
  readonly top?: Card;
  readonly hand?: number;
  readonly round_over?: true;
  readonly did?: { readonly [verdict in Verdict]?: number };
}
/** As the page sends it. on: the top card that its player saw. */
type Action = Step['action'] & { readonly on?: Card; readonly round?: number };
export interface Chapter extends TaskChapter {
  task?: TaskForm<Goal, Action> | undefined;
}

/** Milliseconds by which a player who plays right before the reader is quicker. */
const AHEAD = 300;

/** Reads a task, and plays it by the reader's decisions, the last of which may be illegal. */
export function taskOf(chapter: Chapter): (decisions: readonly Action[]) => Played {
  const { seat = 0, options = {}, goal = {}, answers = [] } = chapter.task ?? {};
  const position = engine().position(chapter.position as PositionJson);
  const { players, target } = position;
  const fixed = { reaction: 0, turn_clock: null, window: null, hints: false };
  const table: Options = { players, target, misplays: true, calm: false, ...options, ...fixed };
  const about = { id: chapter.name, seats: seatsOf(players, [], seat), options: table };
  return player<readonly Calm[], Action>({
    // all tables up to now: which cards have been on top
    start: [calmTable(position, table.open_hands === true, table.calm ? null : { misplays: table.misplays })],
    seat,
    answers,
    isOpen: (tables) => !['waiting', 'over'].includes(last(tables).stage),
    isReached: (tables) => isReached(goal, last(tables), seat),
    reply: (_, action) => replyTo(chapter, action),
    step: (tables, of, action) => [...tables, stepped(tables, of, action)],
    timeOut: (tables) => [...tables, timeOut(last(tables))],
    refusal: (_, __, error) => {
      if (error instanceof NotNow) return error.failure;
      throw error;
    },
    table: (tables) => {
      const { hands: _, ...shared } = publicState(last(tables));
      const own = { hands: { [seat]: handOf(last(tables), seat, false) } as State['hands'] };
      const whole = wholeTable('ekko', about, [], null, shared);
      return { ...whole, own, log: [...last(tables).log] } as unknown as Tried['table'];
    },
  });
}

const last = (tables: readonly Calm[]): Calm => tables.at(-1)!;

function stepped(tables: readonly Calm[], seat: Seat, { on, round: _, ...action }: Action): Calm {
  const now = last(tables);
  const covered =
    on === now.position.top ? undefined : tables.findLast(({ position }) => position.top === on)?.position;
  const isLate = covered && 'card' in action && action.card === covered.mirror && covered.holdsMirror(seat);
  return isLate && on
    ? late(now, seat, action.card, on, AHEAD)
    : after(now, { seat, action: action as Step['action'] });
}

function isReached({ top, hand, round_over, did = {} }: Goal, { position, log }: Calm, seat: Seat): boolean {
  return (
    (top === undefined || position.top === top) &&
    (hand === undefined || position.cardsOf(seat).hand.length <= hand) &&
    (!round_over || position.phase === 'deal' || position.phase === 'over') &&
    hasDone(
      did,
      log.map((entry) => ({ seat: entry.seat, did: entry.verdict })),
      seat,
    )
  );
}
