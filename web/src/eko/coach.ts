/** Which mistakes cost a player of Ekö most, from the reviews of several games. */
import type { Reviewed } from '../table/review.svelte';
import { type Decision, type Kind, THEMES } from './review.svelte';

/** The lesson about each group of mistakes. The groups are the themes of puzzles, and two without puzzles. */
export const LESSONS = {
  win: 'win',
  stop: 'win',
  capture: 'attack',
  save: 'emperor',
  build: 'build',
  plan: 'regroup',
} as const;
export type Group = keyof typeof LESSONS;
/** The groups of the kinds that no theme of puzzles exercises. */
const MORE: Partial<Record<Kind, Group>> = {
  hunt: 'capture',
  threats: 'capture',
  back: 'save',
  points: 'build',
  sites: 'build',
  capital: 'build',
};
/** Thirds of a game. */
export const PHASES = ['opening', 'middle', 'end'] as const;

/** A mistake, and where it was made. */
export interface Slip {
  table: string;
  ended: string;
  players: number;
  n: number;
  turn: number;
  loss: number;
}
/** share: of all that was lost, 0 to 1. loss: by one mistake, on average. slips: the largest first. */
export interface Part<Name> {
  name: Name;
  share: number;
  loss: number;
  slips: readonly Slip[];
}
export interface Coached {
  /** What costs most, first. */
  groups: readonly Part<Group>[];
  phases: readonly Part<(typeof PHASES)[number]>[];
  /** Mistakes in a game, on average, by its number of players. */
  sizes: readonly { players: number; mistakes: number }[];
}

const ORDER = Object.keys(LESSONS) as Group[];
const groupOf = (kind: Kind | undefined): Group => (kind && (THEMES[kind] ?? MORE[kind])) ?? 'plan';

type Judged = Pick<Decision, 'n' | 'turn' | 'loss' | 'kind' | 'judgement'>;

export function coached(games: readonly Reviewed[]): Coached {
  const slips = games.flatMap(({ table, ended_at: ended, players, review: { turns, decisions } }) =>
    (decisions as unknown as Judged[])
      .filter(({ judgement }) => judgement !== undefined)
      .map(({ n, turn, loss, kind }) => ({
        slip: { table, ended, players, n, turn, loss },
        group: groupOf(kind),
        phase: PHASES[Math.min(2, Math.floor((3 * (turn - 1)) / Math.max(1, turns)))]!,
      })),
  );
  const all = slips.reduce((sum, { slip }) => sum + slip.loss, 0);
  const parts = <Name>(names: readonly Name[], nameOf: (one: (typeof slips)[number]) => Name): Part<Name>[] =>
    names.map((name) => {
      const own = slips.filter((one) => nameOf(one) === name).map(({ slip }) => slip);
      const loss = own.reduce((sum, slip) => sum + slip.loss, 0);
      return {
        name,
        share: all > 0 ? loss / all : 0,
        loss: loss / Math.max(1, own.length),
        slips: own.toSorted((one, other) => other.loss - one.loss),
      };
    });
  return {
    groups: parts(ORDER, ({ group }) => group)
      .filter(({ slips }) => slips.length > 0)
      .sort((one, other) => other.share - one.share),
    phases: parts(PHASES, ({ phase }) => phase),
    sizes: [...new Set(games.map(({ players }) => players))].sort().map((players) => {
      const own = slips.filter(({ slip }) => slip.players === players);
      const played = games.filter((game) => game.players === players);
      return { players, mistakes: own.length / played.length };
    }),
  };
}
