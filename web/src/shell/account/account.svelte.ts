/** Who this browser is: a guest, or an account that is signed in here; and all that an account can ask for. */
import { ask } from '../api';
import { keep } from '../settings.svelte';
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

/** The name of the account; null: a guest; undefined: not known yet. */
let name = $state<string | null | undefined>(undefined);

export const signedIn = (): string | null | undefined => name;

/** Asks the server who this browser is. */
export async function learnAccount(): Promise<void> {
  name = (await ask<{ name: string | null }>('/api/account')).name;
}

/** Makes this guest an account. Returns its recovery codes, which are told once. */
export async function signUp(wish: { name: string; password: string }): Promise<string[]> {
  const { codes } = await ask<{ codes: string[] }>('/api/account', wish);
  arrived(wish.name);
  return codes;
}

export async function signIn(wish: { name: string; password: string }): Promise<void> {
  await ask('/api/account/sign-in', wish);
  await learnAccount();
  arrived(name ?? wish.name);
}

/** Signs in by a recovery code; the password is the new one. */
export async function recover(wish: { name: string; code: string; password: string }): Promise<void> {
  await ask('/api/account/recover', wish);
  await learnAccount();
  arrived(name ?? wish.name);
}

/** Its name is the one that is offered wherever this browser sits down. */
function arrived(called: string): void {
  name = called;
  keep('ekoes.name', called);
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

/** What lets another device take a seat, for some minutes. */
export const passOf = (table: string, seat: number): Promise<{ pass: string; seconds: number }> => ask(`/api/tables/${table}/seats/${seat}/pass`, {});
/** Takes the seat of a pass. Returns where it is. */
export const usePass = async (pass: string): Promise<string> => (await ask<{ url: string }>('/api/passes', { pass })).url;
