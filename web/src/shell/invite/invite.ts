/** Invitations: somebody asks others by name for a game, whose table is made when all accept. */
import { ask } from '../api';
import type { ClockPlan } from '../clock';

export interface InvitedSeat {
  name: string;
  bot: string | null;
  yours: boolean;
  /** Nobody is asked there any more. */
  accepted: boolean;
}
/** An invitation that waits for an answer. `yours`: this browser's account has made it. */
export interface Invitation {
  id: string;
  by: string;
  yours: boolean;
  game: string;
  options: object;
  clock: ClockPlan | null;
  rated: boolean;
  seats: InvitedSeat[];
}
/** What the lobby says of invitations. */
export type InvitationMessage =
  | { type: 'challenge'; challenge: Invitation }
  | { type: 'challenge-gone'; id: string; reason: 'accepted' | 'declined' | 'cancelled' | 'expired' | 'failed'; table: string | null };

const PATH = '/api/challenges';

export const invite = (names: readonly string[], game: string, options: object): Promise<Invitation> =>
  ask(PATH, { game, options: { ...options, players: names.length + 1 }, seats: [{ kind: 'here' }, ...names.map((account) => ({ kind: 'account', account }))] });
export const accept = ({ id }: Invitation): Promise<{ table: string | null }> => ask(`${PATH}/${id}/accept`, {});
export const decline = ({ id }: Invitation): Promise<unknown> => ask(`${PATH}/${id}/decline`, {});
export const takeBack = ({ id }: Invitation): Promise<unknown> => ask(`${PATH}/${id}`, undefined, 'DELETE');

/** Who follows *Invite* elsewhere is on their way to the lobby: whom they mean. */
let meant: string | null = null;

export function mean(name: string): void {
  meant = name;
}
/** Whom somebody means who comes to the lobby; it is asked once. */
export function whomToInvite(): readonly string[] {
  const names = meant === null ? [] : [meant];
  meant = null;
  return names;
}
