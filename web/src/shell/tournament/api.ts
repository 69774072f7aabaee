/** What can be asked of tournaments. */
import { ask } from '../api';
import type { Listed, Plan } from './protocol';

const at = (id: string, ...rest: (string | number)[]): string => ['/api/tournaments', id, ...rest].join('/');

export const tournaments = async (): Promise<(Listed & { id: string })[]> => (await ask<{ tournaments: (Listed & { id: string })[] }>('/api/tournaments')).tournaments;
/** Makes a tournament. Returns where it is. */
export const makeTournament = async (plan: Plan): Promise<string> => (await ask<{ url: string }>('/api/tournaments', plan)).url;
export const join = (id: string): Promise<unknown> => ask(at(id, 'entrants'), {});
/** Leaves, or takes somebody out. */
export const leave = (id: string, number: number): Promise<unknown> => ask(at(id, 'entrants', number), undefined, 'DELETE');
export const start = (id: string): Promise<unknown> => ask(at(id, 'start'), {});
export const end = (id: string): Promise<unknown> => ask(at(id, 'end'), {});
/** The tournament that a table belongs to; null: none. */
export const tournamentOf = (table: string): Promise<{ id: string; name: string } | null> =>
  ask<{ tournament: { id: string; name: string } | null }>(`/api/tables/${table}/tournament`).then(
    ({ tournament }) => tournament,
    () => null,
  );
