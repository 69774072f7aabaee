/** How a player of EKKO does beside the others at the same tables, from the reviews of several games. */
import type { Reviewed } from '../table/review.svelte';
import { median } from './median';
import type { Reaction, Total } from './review';

/** Figures of one player, or of several together; null: nothing to measure. */
export interface Figures {
  /** Median times for a card and for a mirror, in milliseconds; a record has none. */
  turn: number | null;
  mirror: number | null;
  /** Share of the mirrors that were used, and of the races for a card that were won, 0 to 1. */
  used: number | null;
  won: number | null;
  /** Points that a decision costs on average. */
  loss: number | null;
}
/** An exercise, and what it is good for. */
export type Advice = 'mirrors' | 'quicker' | 'cards';

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** What a review has of some seats. */
const of = <One extends { seat: number }>(seats: readonly number[], all: readonly object[]): One[] =>
  (all as readonly One[]).filter(({ seat }) => seats.includes(seat));

/** The figures of the seats that are chosen in each game. */
export function figuresOf(games: readonly Reviewed[], chosen: (game: Reviewed) => readonly number[]): Figures {
  const reactions = games.flatMap((game) => of<Reaction>(chosen(game), game.review.reactions));
  const totals = games.flatMap((game) => of<Total>(chosen(game), game.review.totals));
  const times = (wanted: Reaction['kind']): number[] =>
    reactions
      .filter(({ kind, milliseconds }) => kind === wanted && milliseconds > 0)
      .map(({ milliseconds }) => milliseconds);
  const mirrors = reactions.filter(({ kind }) => kind === 'mirror');
  const [won, lost] = [sum(totals.map((one) => one.won)), sum(totals.map((one) => one.lost))];
  return {
    turn: median(times('turn')),
    mirror: median(times('mirror')),
    used: share(mirrors.length, mirrors.length + sum(totals.map(({ missed }) => missed))),
    won: share(won, won + lost),
    loss: share(sum(totals.map(({ loss }) => loss)), sum(totals.map(({ decisions }) => decisions))),
  };
}

export const own = ({ seats }: Reviewed): readonly number[] => seats;
/** Other people; the reaction times of bots are set. */
export const others = ({ seats, people }: Reviewed): readonly number[] =>
  people.filter((seat) => !seats.includes(seat));

/** The median time for a mirror in each game that has one, the oldest first. */
export const curve = (games: readonly Reviewed[]): number[] =>
  games.toReversed().flatMap((game) => figuresOf([game], own).mirror ?? []);

/** The games in which the reader missed mirrors, and how many. */
export const missedIn = (games: readonly Reviewed[]): { table: string; ended: string; n: number }[] =>
  games
    .map((game) => ({
      table: game.table,
      ended: game.ended_at,
      n: sum(of<Total>(own(game), game.review.totals).map(({ missed }) => missed)),
    }))
    .filter(({ n }) => n > 0);

/** Points that a decision may cost on average, and the share of mirrors to be used, where nobody else is there to compare with. */
const [DEAR, FEW] = [0.5, 0.7];

/** What to practise first: what is worse than that of the others, or, without others, than it could be. */
export function adviceFor(mine: Figures, theirs: Figures): Advice | null {
  if (mine.used !== null && mine.used < (theirs.used ?? FEW)) return 'mirrors';
  if (mine.mirror !== null && theirs.mirror !== null && mine.mirror > theirs.mirror) return 'quicker';
  if (mine.loss !== null && mine.loss > (theirs.loss ?? DEAR)) return 'cards';
  return null;
}
