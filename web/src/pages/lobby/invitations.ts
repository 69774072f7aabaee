import { ask } from '../../net/api';
import { noteGame } from '../../net/known';
import type { Accepted, ChallengeInfo } from '../../protocol/messages';
import { go, route } from '../../ui/route.svelte';

const PATH = '/api/challenges';

export const invite = (names: readonly string[], game: string, options: object): Promise<ChallengeInfo> =>
  ask(PATH, {
    game,
    options: { ...options, players: names.length + 1 },
    seats: [{ kind: 'here' }, ...names.map((account) => ({ kind: 'account', account }))],
    gives_part: true,
  });
export const accept = ({ id }: ChallengeInfo): Promise<Accepted> => ask(`${PATH}/${id}/accept`, {});
export const decline = ({ id }: ChallengeInfo): Promise<unknown> => ask(`${PATH}/${id}/decline`, {});
export const takeBack = ({ id }: ChallengeInfo): Promise<unknown> => ask(`${PATH}/${id}`, undefined, 'DELETE');

/** Opens the table of a game that begins. */
export function enter(table: string, game: string): void {
  if (route.now.page === 'table' && route.now.id === table) return;
  noteGame(table, game);
  go(`/t/${table}`);
}

/** Whom a link on another page asks the lobby to invite on arrival; read once. */
let meant: string | null = null;

export function inviteOnArrival(name: string): void {
  meant = name;
}
export function invitedOnArrival(): readonly string[] {
  const names = meant === null ? [] : [meant];
  meant = null;
  return names;
}
