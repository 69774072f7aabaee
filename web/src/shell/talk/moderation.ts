import { ask } from '../api';
import type { ChatLine, PersonAt } from '../protocol';

export type RelationKind = 'block' | 'follow';
export interface Relation {
  id: number;
  name: string;
  since: string;
  here?: boolean;
}
export const relations = async (kind: RelationKind): Promise<Relation[]> => (await ask<{ people: Relation[] }>(`/api/ties/${kind}`)).people;
export const relate = (kind: RelationKind, table: string, person: PersonAt): Promise<Relation> => ask(`/api/ties/${kind}`, { table, ...person });
export const unrelate = (kind: RelationKind, id: number): Promise<void> => ask(`/api/ties/${kind}/${id}`, undefined, 'DELETE');

export const report = (table: string, person: PersonAt, reason: string, words: string): Promise<{ id: number }> => ask('/api/reports', { table, ...person, reason, words });

export interface Report {
  id: number;
  table: string;
  name: string;
  line: number | null;
  reason: string;
  words: string;
  lines: ChatLine[];
  at: string;
  resolved_at: string | null;
  verdict: string | null;
}
export const isModerator = async (): Promise<boolean> => (await ask<{ moderator: boolean }>('/api/moderation')).moderator;
export const reports = async (state: 'open' | 'all'): Promise<Report[]> => (await ask<{ reports: Report[] }>(`/api/moderation/reports?state=${state}`)).reports;
/** `hours`: how long the reported user is silenced; null: not at all. */
export const resolve = (id: number, words: string, hours: number | null): Promise<void> => ask(`/api/moderation/reports/${id}`, { words, hours });
