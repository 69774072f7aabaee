/** Ratings and results in words. */
import { titleOf } from '../games';
import { maybe, plural, spokenLanguage, t } from '../i18n.svelte';
import { botName, colourName } from '../seats';
import type { Played, Pool, Result } from './people';

/** Which games: title, number of players, kind of clock. */
export const poolName = ({ game, players, tempo }: Pool): string =>
  t('people.pool', { game: titleOf(game), players: plural('people.players', players), tempo: maybe(`people.tempo.${tempo}`) ?? tempo });

/** How a game ended for whose games are listed. */
export function outcomeOf({ seats }: Played): string {
  const own = seats.find(({ theirs }) => theirs);
  if (!own) return '';
  if (own.won) return t('people.won');
  return t(seats.every(({ rank }) => rank === 0) ? 'people.drawn' : 'people.lost');
}

/** The name of who sat at a seat; a bot's, or the seat's colour, where there is none. */
export const resultName = ({ seat, name, bot }: Result): string => name || (bot === null ? colourName(seat) : botName(bot));

export const dayOf = (at: string): string => new Date(at).toLocaleDateString(spokenLanguage(), { dateStyle: 'medium' });
