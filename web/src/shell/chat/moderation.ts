import type { ChatLine } from '../protocol';

export type RelationKind = 'block' | 'follow';
export interface Relation {
  id: number;
  name: string;
  here?: boolean;
}
export interface Report {
  id: number;
  /** null: reported from a profile. */
  table: string | null;
  name: string;
  line: number | null;
  reason: string;
  words: string;
  lines: ChatLine[];
  at: string;
}
