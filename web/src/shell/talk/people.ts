/** Other people: whom this browser's account blocks or follows, what is reported, and what moderators do about it. */
import { ask } from '../api';
import type { ChatLine, Somebody } from '../protocol';

export type TieKind = 'block' | 'follow';
export interface Tie {
  id: number;
  name: string;
  since: string;
  /** Of whom is followed: whether they are at this server now. */
  here?: boolean;
}
export const ties = async (kind: TieKind): Promise<Tie[]> => (await ask<{ people: Tie[] }>(`/api/ties/${kind}`)).people;
export const tie = (kind: TieKind, table: string, person: Somebody): Promise<Tie> => ask(`/api/ties/${kind}`, { table, ...person });
export const untie = (kind: TieKind, id: number): Promise<void> => ask(`/api/ties/${kind}/${id}`, undefined, 'DELETE');

export const report = (table: string, person: Somebody, reason: string, words: string): Promise<{ id: number }> => ask('/api/reports', { table, ...person, reason, words });

export interface Report {
  id: number;
  table: string;
  name: string;
  /** The line that it is about; null: it is about the person. */
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
/** hours: for so long who was reported may say nothing; null: they may go on. */
export const resolve = (id: number, words: string, hours: number | null): Promise<void> => ask(`/api/moderation/reports/${id}`, { words, hours });
