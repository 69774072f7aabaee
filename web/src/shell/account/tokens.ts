/** What lets programs act for an account, and the mark of an account that is a bot's. */
import { ask } from '../api';

export interface Token {
  id: number;
  name: string;
  scopes: string[];
  since: string;
  /** When it was last used, give or take a day; null: never. */
  used_at: string | null;
}

export const tokens = (): Promise<{ tokens: Token[]; scopes: string[] }> => ask('/api/account/tokens');
/** Makes a token. Returns its text, which is told once. */
export const makeToken = async (name: string, scopes: readonly string[]): Promise<string> => (await ask<{ token: string }>('/api/account/tokens', { name, scopes })).token;
export const endToken = (id: number): Promise<void> => ask(`/api/account/tokens/${id}`, undefined, 'DELETE');
export const isBot = async (): Promise<boolean> => (await ask<{ program?: boolean }>('/api/account')).program === true;
/** Makes the account a bot's, for good. */
export const markAsBot = (): Promise<void> => ask('/api/account/program', {});
