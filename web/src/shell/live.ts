/** The real surroundings of a table in a browser: its network, timers and clock. */
import type { Socket, Surroundings } from './connection';
import { Watched } from './heartbeat';
import { PROTOCOL } from './protocol';

function keyOf(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The line to the table of an id, with a clock in milliseconds that never goes back. */
export function surroundings(id: string): Surroundings & { now(): number } {
  return around(`tables/${id}`);
}

/** The line to a place of the server. */
export function around(place: string): Surroundings & { now(): number } {
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/${place}/socket?protocol=${PROTOCOL}`;
  const later: Surroundings['later'] = (task, milliseconds) => {
    const timer = setTimeout(task, milliseconds);
    return () => clearTimeout(timer);
  };
  return {
    open: () => new Watched(new WebSocket(address) as unknown as Socket, later),
    later,
    key: keyOf,
    now: () => performance.now(),
  };
}
