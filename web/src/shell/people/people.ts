/** What somebody has come to: ratings, games that are over, and who is the best. */
import { ask } from '../api';

/** Which games are compared with each other. */
export interface Pool {
  game: string;
  players: number;
  /** The kind of clock, in a word. */
  tempo: string;
}
export interface Rating {
  rating: number;
  /** Give or take. */
  deviation: number;
  provisional: boolean;
}
export interface Standing extends Pool, Rating {
  games: number;
  won: number;
}
export interface Profile {
  name: string;
  since: string;
  you: boolean;
  ratings: Standing[];
  /** How often the reader came before them; null: nobody signed in, or oneself. */
  between: { won: number; lost: number; even: number } | null;
  /** The account is a bot's. */
  program?: true;
}
export interface Result {
  seat: number;
  name: string;
  /** The name of the account that sat there; null: a guest or a bot. */
  account: string | null;
  bot: string | null;
  rank: number;
  won: boolean;
  /** Whether it is whose games are listed. */
  theirs: boolean;
  before?: Rating;
  after?: Rating;
}
export interface Played extends Pool {
  table: string;
  rated: boolean;
  at: string;
  seats: Result[];
}

const query = (values: Record<string, string>): string => new URLSearchParams(values).toString();
const pathOf = ({ game, players, tempo }: Pool): string => `${game}/${players}/${tempo}`;

export const profileOf = (name: string): Promise<Profile> => ask(`/api/profile?${query({ name })}`);
export const gamesOf = (name: string, before?: string): Promise<{ games: Played[]; more: boolean }> =>
  ask(`/api/profile/games?${query({ name, ...(before === undefined ? {} : { before }) })}`);
/** How a rating has gone: as everybody begins, and after each game. */
export const curveOf = async (name: string, pool: Pool): Promise<Rating[]> => {
  const { start, points } = await ask<{ start: Rating; points: Rating[] }>(`/api/profile/curve/${pathOf(pool)}?${query({ name })}`);
  return [start, ...points];
};
export const pools = async (): Promise<(Pool & { people: number })[]> => (await ask<{ pools: (Pool & { people: number })[] }>('/api/ratings')).pools;
export const leadersOf = async (pool: Pool): Promise<(Standing & { name: string })[]> => (await ask<{ leaders: (Standing & { name: string })[] }>(`/api/ratings/${pathOf(pool)}`)).leaders;
/** How a game ended. */
export const resultOf = (table: string): Promise<Played> => ask(`/api/tables/${table}/result`);

/** Where somebody's profile is. */
export const profilePath = (name: string): string => `/people/${encodeURIComponent(name)}`;
/** Where the best are listed. */
export const leadersPath = (pool: Pool): string => `/ratings/${pathOf(pool)}`;

/** A rating as people write it: with a question mark while it is provisional. */
export const ratingText = ({ rating, provisional }: Rating): string => `${rating}${provisional ? '?' : ''}`;

/** What a game did to a rating, with its sign. */
export function changeText({ before, after }: Result): string {
  if (!before || !after) return '';
  const by = after.rating - before.rating;
  return by < 0 ? `\u2212${-by}` : by > 0 ? `+${by}` : '±0';
}
