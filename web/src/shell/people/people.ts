import { ask } from '../api';
import { titleOf } from '../games';
import { maybe, plural, t } from '../i18n.svelte';
import type { Pool } from '../protocol';
import { botName, colourName } from '../seats';

export interface Rating {
  rating: number;
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
  /** `answers`: those that were rated; `right`: at the first try. */
  puzzles: (Rating & { game: string; answers: number; right: number })[];
  between: { won: number; lost: number; even: number } | null;
  program?: true;
}
export interface Result {
  seat: number;
  name: string;
  account: string | null;
  bot: string | null;
  /** Unknown in lists. */
  colour?: number;
  rank: number;
  won: boolean;
  /** The seat of the profile's owner. */
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

export const pathOf = ({ game, players, tempo }: Pool): string => `${game}/${players}/${tempo}`;

export const profileOf = (name: string): Promise<Profile> => ask(`/api/profile?name=${encodeURIComponent(name)}`);

const ratings = new Map<string, Promise<Rating | null>>();

/** The rating of an account in a game, of those for this number of players the most played; asked for once, after a failure again. */
export function ratingOf(name: string, game: string, players: number): Promise<Rating | null> {
  const key = `${game}/${players}/${name}`;
  const asked = ratings.get(key) ?? profileOf(name).then((profile) => profile.ratings.find((one) => one.game === game && one.players === players) ?? null);
  ratings.set(key, asked);
  asked.catch(() => ratings.delete(key));
  return asked;
}

export const profilePath = (name: string): string => `/people/${encodeURIComponent(name)}`;
export const leadersPath = (pool: Pool): string => `/ratings/${pathOf(pool)}`;

/** With a question mark while it is provisional. */
export const ratingText = ({ rating, provisional }: Rating): string => `${rating}${provisional ? '?' : ''}`;

export function changeText({ before, after }: Pick<Result, 'before' | 'after'>): string {
  if (!before || !after) return '';
  const by = after.rating - before.rating;
  return by < 0 ? `\u2212${-by}` : by > 0 ? `+${by}` : '±0';
}

export const poolName = ({ game, players, tempo }: Pool): string =>
  t('people.pool', { game: titleOf(game), players: plural('people.players', players), tempo: maybe(`people.tempo.${tempo}`) ?? tempo });

export function outcomeOf({ seats }: Played): string {
  const own = seats.find(({ theirs }) => theirs);
  if (!own) return '';
  if (own.won) return t('people.won');
  return t(seats.every(({ rank }) => rank === 0) ? 'people.drawn' : 'people.lost');
}

export const resultName = ({ seat, name, bot, colour = seat }: Result): string => name || (bot === null ? colourName(colour) : botName(bot));
