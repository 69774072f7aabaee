import type { ServerInfo } from '../protocol/messages';
import { ask } from './api';
import { once } from './once';

let about = $state.raw<ServerInfo | null>(null);
let bots = $state.raw<readonly string[]>([]);

/** Milliseconds between requests while bots are being prepared. */
export const POLL = 3000;

export function server(): ServerInfo | null {
  return about;
}

/** Throws `Refused` if the server can't be reached; the next call asks again. */
export const loadServer = once(async () => {
  const answer = await ask<ServerInfo>('/api/meta');
  followBots(answer);
  return (about = answer);
});

/** The bots that the server still compiles after its first start. */
export function preparing(): readonly string[] {
  return bots;
}

function followBots({ preparing = [] }: Partial<Pick<ServerInfo, 'preparing'>>): void {
  bots = preparing;
  if (bots.length > 0)
    setTimeout(
      () => void ask<ServerInfo>('/api/meta').then(followBots, () => followBots({ preparing: [...bots] })),
      POLL,
    );
}

/** An address that others can open: the page of this machine uses its address in the network. */
export function address(path: string): string {
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  return `${(isOwn && about?.address) || `${location.origin}/`}${path}`;
}

export function longestName(): number | undefined {
  return about?.limits.name;
}
