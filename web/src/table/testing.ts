/** For tests: a transport whose sockets, timers and clock the test controls, and builders of a server's messages. */

import type { Transport } from '../net/connection.svelte';
import { type Change, checksum } from '../net/diff';
import type { Failure, Tried, Update } from '../net/protocol';
import type { Socket } from '../net/socket';
import type { SeatInfo, TableMessage } from '../protocol/messages';
import { NOTHING } from './agreements/agreement.svelte';
import type { OwnTable } from './table.svelte';

export class FakeServer<Sent extends { type: string; key?: string } = { type: string; key?: string }>
  implements Transport
{
  readonly sockets: Socket[] = [];
  sent: Sent[] = [];
  clock = 1000;
  /** The version of the latest table or update. */
  version = 0;
  #tasks = new Map<() => void, number>();
  #keys = 0;

  readonly open = (): Socket => {
    const socket: Socket = {
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (text) => void this.sent.push(JSON.parse(text) as Sent),
      close: () => undefined,
    };
    this.sockets.push(socket);
    return socket;
  };
  readonly later = (task: () => void, milliseconds: number): (() => void) => {
    const own = (): void => task();
    this.#tasks.set(own, this.clock + milliseconds);
    return () => void this.#tasks.delete(own);
  };
  readonly key = (): string => `key-${this.#keys++}`;
  readonly now = (): number => this.clock;

  get socket(): Socket {
    return this.sockets.at(-1)!;
  }
  /** When the scheduled tasks are due, from now. */
  get waits(): number[] {
    return [...this.#tasks.values()].map((at) => at - this.clock);
  }
  /** The latest message without its key. */
  get last(): unknown {
    const { key: _, ...rest } = this.sent.at(-1) ?? { key: '' };
    return rest;
  }

  say<Message extends { type: string }>(message: Message): void {
    if ((message.type === 'table' || message.type === 'update') && 'version' in message)
      this.version = message.version as number;
    this.socket.onmessage?.({ data: JSON.stringify(message) });
  }
  /** Sends a whole table. whole: what is not as it is at a table that is quiet and has just begun. */
  table(whole: { readonly [key in keyof TableMessage]?: unknown }): void {
    const begun = { type: 'table', id: 'abc', game: 'nim', version: 1, pace: 700, board: {}, options: {}, log: [] };
    this.say({ ...QUIET, ...begun, ...whole, type: 'table' });
  }
  update<State extends object>(
    state: State,
    log: { keep?: number; entries: unknown[] },
    own: readonly string[] = [],
  ): void {
    this.say(updateTo(state, { version: this.version + 1 }, log, own));
  }
  lose(code = 1006): void {
    this.socket.onclose?.({ code });
  }
  comeBack(): void {
    this.pass(5000);
    this.socket.onopen?.();
  }
  /** Puts the clock forward and runs the tasks that are due meanwhile. */
  pass(milliseconds: number): void {
    const end = this.clock + milliseconds;
    for (;;) {
      const [next] = [...this.#tasks].filter(([, at]) => at <= end).sort(([, a], [, b]) => a - b);
      if (!next) break;
      this.clock = next[1];
      this.#tasks.delete(next[0]);
      next[0]();
    }
    this.clock = end;
  }
}

/** A table that notes what a game of the page shows on it: how many decisions, and whether it follows. */
export class FakeTable implements OwnTable {
  connection: OwnTable['connection'] = 'open';
  readonly shown: [decisions: number, follows: boolean][] = [];
  readonly refusals: Failure[] = [];

  show({ log }: Tried['table'], follows: boolean): void {
    this.shown.push([log.length, follows]);
  }
  refuse(failure: Failure): void {
    this.refusals.push(failure);
  }
}

/** Opens a connection that the server accepts. */
export function opened<T extends { open(): void }>(connection: T, server: { socket: Socket }): T {
  connection.open();
  server.socket.onopen?.();
  return connection;
}

export function seat(number: number, name: string, more: Partial<SeatInfo> = {}): SeatInfo {
  return {
    seat: number,
    name,
    colour: number,
    kind: 'here',
    bot: null,
    taken: true,
    yours: false,
    online: true,
    ...more,
  };
}

/** A table without proposals, messages and votes. */
export const QUIET: Pick<TableMessage, 'chat' | 'agreements' | 'paused' | 'pace_votes'> = {
  chat: true,
  agreements: NOTHING,
  paused: false,
  pace_votes: [],
};

/** A table with one seat after so many decisions, as lessons and puzzles are answered with. */
export const soloMessage = (id: string, version: number): Tried['table'] => ({
  ...QUIET,
  type: 'table',
  board: {},
  id,
  game: 'any',
  version,
  pace: 0,
  seats: [seat(0, '', { yours: true, online: false })],
  options: {},
  state: { turn: version } as unknown as Tried['table']['state'],
  log: Array.from({ length: version }, (_, n) => ({ n: n + 1 })),
});

/** `own`: the keys that are not shared. */
export function updateTo<State extends object, Entry>(
  state: State,
  versions: { version: number; base?: number },
  log: { keep?: number; entries: Entry[] },
  own: readonly string[] = [],
): Update<State, Entry> {
  const parts = Object.entries(state) as [string, unknown][];
  const shared = parts.filter(([key]) => !own.includes(key));
  const change: Change = Object.fromEntries([
    ...own.map((key): [string, Change] => [key, null]),
    ...shared.map(([key, value]): [string, Change] => [key, [value]]),
  ]);
  const mine = Object.fromEntries(parts.filter(([key]) => own.includes(key))) as Partial<State>;
  return { type: 'update', ...versions, change, check: checksum(Object.fromEntries(shared)), ...log, own: mine };
}

/** Replaces the browser's local storage by an empty one. */
export function emptyStorage(): Map<string, string> {
  const stored = new Map<string, string>();
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
  });
  return stored;
}
