import { ask } from '../../net/api';
import type { GameResult, Profile, RatingInfo, SeatResult } from '../../protocol/messages';
import { maybe, plural, t } from '../../ui/i18n.svelte';
import type { Pool } from '../../ui/route.svelte';
import { titleOf } from '../games';
import { botName, colourName } from '../seats';

export type RelationKind = 'block' | 'follow';

export const pathOf = ({ game, players, tempo }: Pool): string => `${game}/${players}/${tempo}`;

export const profileOf = (name: string): Promise<Profile> => ask(`/api/profile?name=${encodeURIComponent(name)}`);

const ratings = new Map<string, Promise<RatingInfo | null>>();

/** The rating of an account in a game, of those for this number of players the most played; asked for once, after a failure again. */
export function ratingOf(name: string, game: string, players: number): Promise<RatingInfo | null> {
  const key = `${game}/${players}/${name}`;
  const asked =
    ratings.get(key) ??
    profileOf(name).then(
      (profile) => profile.ratings.find((one) => one.game === game && one.players === players) ?? null,
    );
  ratings.set(key, asked);
  asked.catch(() => ratings.delete(key));
  return asked;
}

export const profilePath = (name: string): string => `/people/${encodeURIComponent(name)}`;
export const leadersPath = (pool: Pool): string => `/ratings/${pathOf(pool)}`;

/** With a question mark while it is provisional. */
export const ratingText = ({ rating, provisional }: RatingInfo): string => `${rating}${provisional ? '?' : ''}`;

export function changeText({ before, after }: Pick<SeatResult, 'before' | 'after'>): string {
  if (!before || !after) return '';
  const by = after.rating - before.rating;
  return by < 0 ? `\u2212${-by}` : by > 0 ? `+${by}` : '±0';
}

export const poolName = ({ game, players, tempo }: Pool): string =>
  t('people.pool', {
    game: titleOf(game),
    players: plural('people.players', players),
    tempo: maybe(`people.tempo.${tempo}`) ?? tempo,
  });

export function outcomeOf({ seats }: GameResult): string {
  const own = seats.find(({ theirs }) => theirs);
  if (!own) return '';
  if (own.won) return t('status.won');
  return t(seats.every(({ rank }) => rank === 0) ? 'people.drawn' : 'status.lost');
}

export const resultName = ({
  seat,
  name,
  bot,
  colour = seat,
}: Pick<SeatResult, 'seat' | 'name' | 'bot'> & { colour?: number }): string =>
  name || (bot === null ? colourName(colour) : botName(bot));
