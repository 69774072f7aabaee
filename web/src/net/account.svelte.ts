import type { AccountInfo, NewAccount } from '../protocol/messages';
import { follow, go } from '../ui/route.svelte';
import { ownName, Stored } from '../ui/settings.svelte';
import { ask } from './api';

/** null: a guest; undefined: not known yet. */
let name = $state<string | null | undefined>(undefined);

export const signedIn = (): string | null | undefined => name;

/** The tables of which this browser has made a link to its seat, the latest first. */
export const passedOn = new Stored<readonly string[]>('ekoes.passed-on', []);

/** The page from which a link has led to the account page. */
let before: string | null = null;

export function toSignIn(event: MouseEvent): void {
  before = location.pathname + location.hash;
  follow(event);
}
export function leaveSignIn(): void {
  before = null;
}
export function backFromSignIn(): void {
  if (before !== null) go(before);
}

export async function loadAccount(): Promise<void> {
  name = (await ask<AccountInfo>('/api/account')).name;
}

/** Returns the recovery codes, which are shown once. */
export async function signUp(credentials: { name: string; password: string }): Promise<readonly string[]> {
  const { codes } = await ask<NewAccount>('/api/account', credentials);
  arrived(credentials.name);
  return codes;
}

/** By the password, or with a recovery code by a new one. */
export async function signIn(credentials: { name: string; password: string; code?: string }): Promise<void> {
  await ask(`/api/account/${credentials.code === undefined ? 'sign-in' : 'recover'}`, credentials);
  await loadAccount();
  arrived(name ?? credentials.name);
}

function arrived(called: string): void {
  name = ownName.value = called;
}

export async function signOut(): Promise<void> {
  await ask('/api/account/sign-out', {});
  name = null;
}

export async function deleteAccount(password: string): Promise<void> {
  await ask('/api/account/delete', { password });
  name = null;
}

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
