import type { Accepted, ChallengeInfo } from '../../protocol/messages';
import { ask } from '../api';
import { noteGame } from '../known';
import { go, route } from '../route.svelte';

const PATH = '/api/challenges';

export const invite = (names: readonly string[], game: string, options: object): Promise<ChallengeInfo> =>
  ask(PATH, {
    game,
    options: { ...options, players: names.length + 1 },
    seats: [{ kind: 'here' }, ...names.map((account) => ({ kind: 'account', account }))],
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

/** What a link on another page asks the lobby, or a table, to do on arrival; each is read once. */
let meant: string | null = null;

export function inviteOnArrival(name: string): void {
  meant = name;
}
export function invitedOnArrival(): readonly string[] {
  const names = meant === null ? [] : [meant];
  meant = null;
  return names;
}

let wanted: string | null = null;

export function sitOnArrival(table: string): void {
  wanted = table;
}

export function sitsOnArrival(table: string): boolean {
  const came = wanted !== null && wanted === table;
  if (came) wanted = null;
  return came;
}
