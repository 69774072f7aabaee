/**
 * The connection of a page: a reconnecting WebSocket with its state, and the browser's network, timers and clock. Messages carry a key
 * and the server handles each key once, so those sent again after a reconnect are neither lost nor done twice.
 */
import { onDestroy } from 'svelte';
import { PROTOCOL } from '../protocol/messages';

export interface Incoming {
  type: string;
  key?: string;
}
const ANSWERS: readonly string[] = ['ack', 'error', 'why', 'ways'];

/** `absent`: no such table. `outdated`: the page and the server speak different versions of the protocol. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'absent' | 'outdated';

/** The part of a WebSocket that is used, so that tests and simulated tables can replace it. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
  /** Counts as lost although the browser has not noticed. */
  lost?(): void;
}

export type Later = (task: () => void, milliseconds: number) => () => void;

export interface Transport {
  open(): Socket;
  /** Returns the function that cancels the task. */
  later: Later;
  key(): string;
  /** Milliseconds on a monotonic clock. */
  now(): number;
}

/** `place`: the path of the socket, such as `tables/ID`. */
export function transportTo(place: string): Transport {
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/${place}/socket?protocol=${PROTOCOL}`;
  const later: Later = (task, milliseconds) => {
    const timer = setTimeout(task, milliseconds);
    return () => clearTimeout(timer);
  };
  return {
    open: () => new HeartbeatSocket(new WebSocket(address) as unknown as Socket, later),
    later,
    key: () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    now: () => performance.now(),
  };
}

/** WebSocket close codes: no such table, another version of the protocol, the server restarts. */
const ABSENT = 4404;
const OUTDATED = 4426;
const RESTARTS = 1012;
/** Milliseconds before the next attempts; the last one repeats. */
const BACKOFF = [250, 500, 1000, 2000, 4000];
/** Attempts a second apart while a server restarts, before the connection counts as lost. */
const RESTART_ATTEMPTS = 12;

export abstract class Connection<Message extends Incoming, Wish extends object> {
  connection = $state<ConnectionState>('connecting');
  #socket: Socket | null = null;
  #attempts = 0;
  #restartAttempts = 0;
  #closed = false;
  #live = false;
  #cancel: (() => void) | null = null;
  readonly #pending = new Map<string, Wish & { key: string }>();
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  abstract receive(message: Message): void;

  protected connectionChanged(state: ConnectionState): void {
    this.connection = state;
  }

  open(): void {
    const socket = this.#transport.open();
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempts = this.#restartAttempts = 0;
      this.#live = true;
      this.connectionChanged('open');
      for (const message of this.#pending.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data) as Message;
      if (message.key !== undefined && ANSWERS.includes(message.type)) this.#pending.delete(message.key);
      this.receive(message);
    };
    socket.onclose = ({ code }) => this.#lost(socket, code);
  }

  /** Sends now or after reconnecting. Returns the message's key. */
  protected transmit(wish: Wish): string {
    const message = { ...wish, key: this.#transport.key() };
    this.#pending.set(message.key, message);
    if (this.#live) this.#socket?.send(JSON.stringify(message));
    return message.key;
  }

  /** Follows the browser's online and offline events until the signal is aborted. */
  followNetwork(options: { signal: AbortSignal }): void {
    addEventListener('online', () => this.#reconnect(), options);
    addEventListener('offline', () => this.#socket?.lost?.(), options);
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
    this.#socket?.close();
  }

  #reconnect(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = null;
    this.open();
  }

  #lost(socket: Socket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#live = false;
    if (this.#closed) return;
    if (code === ABSENT) return this.connectionChanged('absent');
    if (code === OUTDATED) return this.connectionChanged('outdated');
    if (code === RESTARTS) this.#restartAttempts = RESTART_ATTEMPTS;
    const restarts = this.#restartAttempts > 0;
    if (restarts) this.#restartAttempts--;
    this.connectionChanged(restarts ? 'connecting' : 'lost');
    const wait = BACKOFF[Math.min(this.#attempts++, restarts ? 2 : BACKOFF.length - 1)] ?? 4000;
    this.#cancel = this.#transport.later(() => this.#reconnect(), wait);
  }
}

/** Opens a connection for as long as the calling component lives. */
export function useConnection<T extends Pick<Connection<Incoming, object>, 'open' | 'close' | 'followNetwork'>>(connection: T): T {
  const controller = new AbortController();
  connection.open();
  connection.followNetwork(controller);
  onDestroy(() => {
    controller.abort();
    connection.close();
  });
  return connection;
}

/** Milliseconds of silence before a ping. */
export const SILENCE = 3000;
/** Milliseconds for the answer, and for connecting: a dead connection is noticed within 8 seconds. */
export const PATIENCE = 4500;
const SILENT = 4408;
const HEARTBEAT = '{"type":"beat"}';

/**
 * A WebSocket with a heartbeat. Networks drop packets silently and the system notices only after minutes, so a silent connection is
 * pinged and counts as lost without an answer.
 */
export class HeartbeatSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly #socket: Socket;
  readonly #later: Later;
  #stop: () => void;

  constructor(socket: Socket, later: Later) {
    this.#socket = socket;
    this.#later = later;
    this.#stop = later(() => this.lost(), PATIENCE);
    socket.onopen = () => {
      this.#wait();
      this.onopen?.();
    };
    socket.onmessage = (event) => {
      this.#wait();
      if (event.data !== HEARTBEAT) this.onmessage?.(event);
    };
    socket.onclose = ({ code }) => this.#end(code);
  }

  send(text: string): void {
    this.#socket.send(text);
  }
  close(): void {
    this.#stop();
    this.#socket.close();
  }
  lost(): void {
    this.#end(SILENT);
    this.#socket.close();
  }

  #wait(): void {
    this.#stop();
    this.#stop = this.#later(() => {
      this.#socket.send(HEARTBEAT);
      this.#stop = this.#later(() => this.lost(), PATIENCE);
    }, SILENCE);
  }
  #end(code: number): void {
    this.#stop();
    const closed = this.onclose;
    this.onopen = this.onmessage = this.onclose = null;
    closed?.({ code });
  }
}
