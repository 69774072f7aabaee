/** The state of a table in words. */

import type { Mark, Pieces } from '../board/marks';
import { spaceName } from '../board/names';
import { endingLine } from '../table/results';
import { nameOf } from '../table/seats';
import { listed, maybe, number, plural, t } from '../ui/i18n.svelte';
import {
  type BoardData,
  type Choice,
  type Player,
  type Position,
  type Seat,
  type SeatInfo,
  SOURCES,
  type SpaceName,
  type State,
} from './protocol';
import { nextDraft } from './selection';
import { longLine } from './story';
import type { EkoTableState, Notice } from './table.svelte';

export function sentence(table: EkoTableState): string {
  const { state, seats, asked } = table;
  if (!state) return t('page.connecting');
  if (table.past)
    return table.past.n === 0 ? t('history.begin') : t('history.of', { n: table.past.n, all: table.log.length });
  if (state.outcome) return outcomeLine(state.outcome, table.players, seats);
  if (table.waiting > 0 && (table.connection !== 'open' || table.isSlow)) return t('page.unsent');
  if (table.agreement.isPaused) return t('error.table/paused');
  const open = seats.some(({ kind, taken }) => kind === 'open' && !taken);
  if (open) return t('asked.waiting-seats');
  if (table.heldByMe !== null) return addressed(table, table.heldByMe, t('asked.held'));
  if (asked) return addressed(table, asked.seat, task(table));
  const seat = table.active ?? 0;
  const { kind, online } = seats[seat] ?? {};
  const isOffline = online === false && !table.options?.clock?.days;
  return t(kind === 'bot' ? 'asked.thinking' : isOffline ? 'asked.offline' : 'asked.waiting', {
    name: nameOf(seats, seat),
  });
}

/** Names the seat where one browser has several. */
function addressed(table: EkoTableState, seat: Seat, what: string): string {
  return table.yours.length > 1 ? t('asked.hot-seat', { name: nameOf(table.seats, seat), what }) : what;
}

function task(table: EkoTableState): string {
  const { asked, selection, draft } = table;
  if (!asked) return '';
  if (selection.mode !== 'board') return t(`asked.${selection.mode}`);
  if (selection.from !== null) return t('asked.second-choice');
  if (selection.site !== null) return t('asked.builder');
  if (draft)
    return plural(
      nextDraft(asked, selection.draft, draft.action.space) ? 'asked.draft' : 'asked.draft-all',
      draft.action.count,
    );
  if (asked.phase === 'after') {
    const [march, back] = ['march', 'reinforce'].map((type) =>
      asked.choices.some((choice) => choice.action.type === type),
    );
    return t(march ? (back ? 'asked.after' : 'asked.after-march') : 'asked.reinforce');
  }
  return t(`asked.${asked.phase}`);
}

export function outcomeLine(
  outcome: State['outcome'],
  players: readonly Pick<Player, 'points'>[],
  seats: readonly SeatInfo[],
): string {
  if (!outcome) return '';
  const points = listed(outcome.winners.map((seat) => number(players[seat]?.points.total ?? 0)));
  return endingLine(outcome, seats, points) ?? outcome.reason;
}

/** What stands on a space, for screen readers. `called`: the name of a player. */
export function spaceLine(
  space: SpaceName,
  board: BoardData | null,
  position: Pieces | null,
  called: (seat: Seat) => string,
): string {
  const terrain = board?.spaces.find((each) => each.space === space)?.terrain;
  const parts = [t('space.name', { terrain: terrain ? t(`terrain.${terrain}`) : '', space: spaceName(board, space) })];
  const stack = position?.stacks[space];
  if (stack) {
    parts.push(t('space.stack', { name: called(stack.owner), n: stack.height }));
    if (stack.emperor) parts.push(t('space.emperor'));
  }
  const building = position?.buildings[space];
  if (building) parts.push(t('space.building', { name: called(building.owner), kind: t(`kind.${building.kind}`) }));
  return parts.join(', ');
}

export function markLine(mark: Mark, position: Position | null): string {
  const [first] = mark.choices;
  if (mark.kind === 'pick' || !first) return t('mark.pick');
  if (mark.kind === 'build') return t('mark.build');
  if (mark.kind === 'reinforce') return t('mark.reinforce');
  return resultLine(first, position);
}

/** What a choice does. */
export function resultLine(choice: Choice, position: Position | null): string {
  const { action, effect, height = 0, lost = 0, cost = 0 } = choice;
  const parts: string[] = [];
  if (action.type === 'move') {
    const there = position?.stacks[action.to];
    if (effect === 'attack')
      parts.push(plural(`result.attack${there?.emperor ? '-emperor' : ''}`, there?.height ?? 0, { height }));
    else if (effect === 'kamikaze') parts.push(t(there?.emperor ? 'result.kamikaze-emperor' : 'legend.kamikaze'));
    else if (effect === 'regroup') parts.push(t('result.regroup', { height }));
    else parts.push(t(`effect.${effect}`));
    if (lost > 0 && effect !== 'perish') parts.push(plural('result.lost', lost));
    if (action.emperor_lost) parts.push(t('result.emperor-lost'));
  } else if (action.type === 'build') {
    parts.push(
      t(`result.${effect === 'replace' || effect === 'upgrade' ? effect : 'build'}`, {
        kind: t(`kind.${action.kind}`),
      }),
    );
    parts.push(plural('result.cost', cost));
    if (action.emperor) parts.push(t('result.emperor-spent'));
  } else {
    parts.push(t(`effect.${effect}`));
    if (action.type === 'moon') parts.push(t(action.emperor ? 'piece.emperor' : 'piece.disc'));
  }
  return parts.join(' · ');
}

export function pastLine(table: EkoTableState, n: number): string {
  const entry = table.log[n - 1];
  return entry ? longLine(entry, table) : t('history.begin');
}

/** The server's own sentence where the catalogue has none. */
const HINTS: Readonly<Record<string, 'seat.watching' | 'game.draw.declined'>> = {
  watching: 'seat.watching',
  'draw-declined': 'game.draw.declined',
};

export function noticeLine({ kind, code, message }: Notice): string {
  if (kind === 'hint') return t(HINTS[code] ?? 'asked.pick-first');
  return maybe(kind === 'why' ? `refusal.${code}` : `error.${code}`) ?? (message || t('error.unknown', { code }));
}

/** "2 towers = 4", for each source that gives points. */
export function sourceLines(points: Player['points']): string[] {
  const gives = SOURCES.filter(({ name }) => points[name] > 0);
  return gives.map(({ name, worth }) => `${plural(`points.${name}`, points[name] / worth)} = ${points[name]}`);
}

export function dangerLine(
  { emperor }: Pick<Player, 'emperor'>,
  captors: readonly SpaceName[],
  board: BoardData | null,
): string {
  const spaces = listed(captors.map((space) => spaceName(board, space)));
  return t('hint.danger', { space: emperor.space ? spaceName(board, emperor.space) : '', spaces });
}

export function emperorLine({ emperor }: Player, seats: readonly SeatInfo[], board: BoardData | null): string {
  const by = emperor.by === undefined ? '' : nameOf(seats, emperor.by);
  return t(`emperor.${emperor.where}`, { space: emperor.space ? spaceName(board, emperor.space) : '', name: by });
}
