/** The ids of games that this page plays without a server. */
import { randomKey } from './socket';

const MARK = 'device';

/** An id for a new game, which says where it is and which game it is. */
export const newId = (game: string): string => `${MARK}-${game}-${randomKey()}`;

/** The game that a table of this browser plays; null: it is a table of the server. */
export function gameOnDevice(id: string): string | null {
  const [mark, game] = id.split('-');
  return mark === MARK ? (game ?? null) : null;
}
