import { ask } from '../api';
import { store } from '../settings.svelte';
import type { SeatInfo } from '../protocol';

export interface Device {
  id: string;
  about: string;
  seen_at: string;
  this: boolean;
}
export interface OwnTable {
  id: string;
  game: string;
  at: string;
  seats: SeatInfo[];
}

/** null: a guest; undefined: not known yet. */
let name = $state<string | null | undefined>(undefined);

export const signedIn = (): string | null | undefined => name;

export async function loadAccount(): Promise<void> {
  name = (await ask<{ name: string | null }>('/api/account')).name;
}

/** Returns the recovery codes, which are shown once. */
export async function signUp(wish: { name: string; password: string }): Promise<string[]> {
  const { codes } = await ask<{ codes: string[] }>('/api/account', wish);
  arrived(wish.name);
  return codes;
}

export async function signIn(wish: { name: string; password: string }): Promise<void> {
  await ask('/api/account/sign-in', wish);
  await loadAccount();
  arrived(name ?? wish.name);
}

export async function recover(wish: { name: string; code: string; password: string }): Promise<void> {
  await ask('/api/account/recover', wish);
  await loadAccount();
  arrived(name ?? wish.name);
}

/** The name is offered wherever this browser takes a seat. */
function arrived(called: string): void {
  name = called;
  store('ekoes.name', called);
}

export async function signOut(): Promise<void> {
  await ask('/api/account/sign-out', {});
  name = null;
}

export async function deleteAccount(password: string): Promise<void> {
  await ask('/api/account/delete', { password });
  name = null;
}

export const changePassword = (old: string, password: string): Promise<void> => ask('/api/account/password', { old, password });
export const freshCodes = async (password: string): Promise<string[]> => (await ask<{ codes: string[] }>('/api/account/codes', { password })).codes;
export const devices = async (): Promise<Device[]> => (await ask<{ devices: Device[] }>('/api/account/devices')).devices;
export const endDevice = (id: string): Promise<void> => ask(`/api/account/devices/${id}`, undefined, 'DELETE');
export const ownTables = async (): Promise<OwnTable[]> => (await ask<{ tables: OwnTable[] }>('/api/account/tables')).tables;
export const EXPORT = '/api/account/export';

/** A one-time token by which another device takes a seat. */
export const passOf = (table: string, seat: number): Promise<{ pass: string; seconds: number }> => ask(`/api/tables/${table}/seats/${seat}/pass`, {});
/** Returns the address of the table. */
export const usePass = async (pass: string): Promise<string> => (await ask<{ url: string }>('/api/passes', { pass })).url;

export interface Token {
  id: number;
  name: string;
  scopes: string[];
  since: string;
  /** Accurate to a day; null: never. */
  used_at: string | null;
}

export const tokens = (): Promise<{ tokens: Token[]; scopes: string[] }> => ask('/api/account/tokens');
/** Returns the token, which is shown once. */
export const makeToken = async (name: string, scopes: readonly string[]): Promise<string> => (await ask<{ token: string }>('/api/account/tokens', { name, scopes })).token;
export const endToken = (id: number): Promise<void> => ask(`/api/account/tokens/${id}`, undefined, 'DELETE');
export const isBot = async (): Promise<boolean> => (await ask<{ program?: boolean }>('/api/account')).program === true;
/** Marks the account as a bot, for good. */
export const markAsBot = (): Promise<void> => ask('/api/account/program', {});

const BROWSERS = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

export function deviceName(about: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap((list) => list.find(([sign]) => sign.test(about))?.[1] ?? []);
  return found.join(', ') || about.slice(0, 40) || '?';
}
