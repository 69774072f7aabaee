/**
 * The connection of a page: a reconnecting socket with its state, and the browser's network, timers and clock. Messages carry a key
 * and the server handles each key once, so those sent again after a reconnect are neither lost nor done twice.
 */
import { onDestroy } from 'svelte';
import { openSocket, randomKey, type Socket, socketLost } from './socket';

export interface Incoming {
  type: string;
  key?: string;
}
const ANSWERS: readonly string[] = ['ack', 'error'];

/** `absent`: no such table. `outdated`: the page and the server speak different versions of the protocol. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'absent' | 'outdated';

export type Later = (task: () => void, milliseconds: number) => () => void;

export interface Clock {
  /** Returns the function that cancels the task. */
  later: Later;
  /** Milliseconds on a monotonic clock. */
  now(): number;
}

export interface Transport extends Clock {
  open(): Socket;
  /** Called when a socket is lost and another one will be opened. */
  lost?: (socket: Socket, wasOpen: boolean) => void;
  /** Whether a silent socket is pinged: networks drop packets silently, and the system notices only after minutes. */
  beats?: boolean;
  key(): string;
}

export const CLOCK: Clock = {
  later: (task, milliseconds) => {
    const timer = setTimeout(task, milliseconds);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};

/** `place`: the path of the socket, such as `tables/ID`. */
export function transportTo(place: string): Transport {
  return {
    open: () => openSocket(place),
    lost: socketLost,
    beats: true,
    key: randomKey,
    ...CLOCK,
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
/** Milliseconds of silence before a ping. */
export const SILENCE = 3000;
/** Milliseconds for the answer, and for connecting: a dead connection is noticed within 8 seconds. */
export const PATIENCE = 4500;
/** Milliseconds without an answer after which the page says that it waits. */
export const SLOW = 1000;
/** Milliseconds without a connection after which it is called a lasting failure. */
export const LASTING = 20_000;
const SILENT = 4408;
const HEARTBEAT = '{"type":"beat"}';

export abstract class Connection<Message extends Incoming, Order extends object> {
  connection = $state<ConnectionState>('connecting');
  #socket: Socket | null = null;
  /** Whether it has been without a server for long. */
  isLasting = $state(false);
  /** Whether something that was sent has waited long for its answer. */
  isSlow = $state(false);
  #attempts = 0;
  /** When the connection was lost, or first tried. */
  #lostAt: number | null = null;
  #restartAttempts = 0;
  #live = false;
  /** Cancels the next attempt. */
  #cancel: (() => void) | null = null;
  /** Cancels the next ping, or the wait for its answer. */
  #unwatch: (() => void) | null = null;
  readonly #pending = new Map<string, Order & { key: string }>();
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
    this.#lostAt ??= this.#transport.now();
    if (this.#transport.beats) this.#expect(socket);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#hear(socket);
      this.#attempts = this.#restartAttempts = 0;
      this.#live = true;
      this.#lostAt = null;
      this.isLasting = false;
      this.connectionChanged('open');
      for (const message of this.#pending.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#hear(socket);
      if (data === HEARTBEAT) return;
      const message = JSON.parse(data) as Message;
      if (message.key !== undefined && ANSWERS.includes(message.type)) this.#pending.delete(message.key);
      if (this.#pending.size === 0) this.isSlow = false;
      this.receive(message);
    };
    socket.onclose = ({ code }) => this.#lost(socket, code);
  }

  /** Sends now or after reconnecting. Returns the message's key. */
  protected transmit(order: Order): string {
    const message = { ...order, key: this.#transport.key() };
    this.#pending.set(message.key, message);
    if (this.#live && this.#socket) {
      this.#socket.send(JSON.stringify(message));
      if (this.#transport.beats) this.#expect(this.#socket);
    }
    this.#transport.later(() => (this.isSlow ||= this.#pending.has(message.key)), SLOW);
    return message.key;
  }

  /** Follows the browser's online and offline events until the signal is aborted. */
  followNetwork(options: { signal: AbortSignal }): void {
    addEventListener('online', () => this.#reconnect(), options);
    addEventListener('offline', () => this.#socket && this.#transport.beats && this.#drop(this.#socket), options);
  }

  close(): void {
    const socket = this.#socket;
    for (const stop of [this.#cancel, this.#unwatch]) stop?.();
    this.#socket = this.#cancel = null;
    socket?.close();
  }

  /** Counts the socket as lost if nothing arrives in time. */
  #expect(socket: Socket): void {
    this.#unwatch?.();
    this.#unwatch = this.#transport.later(() => this.#drop(socket), PATIENCE);
  }
  #hear(socket: Socket): void {
    this.#unwatch?.();
    if (!this.#transport.beats) return;
    this.#unwatch = this.#transport.later(() => {
      socket.send(HEARTBEAT);
      this.#expect(socket);
    }, socket.silence ?? SILENCE);
  }
  /** Counts the socket as lost although the browser has not noticed. */
  #drop(socket: Socket): void {
    this.#lost(socket, SILENT);
    socket.close();
  }

  #reconnect(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = null;
    this.open();
  }

  #lost(socket: Socket, code: number): void {
    if (socket !== this.#socket) return;
    this.#unwatch?.();
    this.#socket = null;
    // a network that lets no WebSocket through is no alarm: the next attempt goes another way
    const isFirst = !this.#live && this.#attempts === 0 && this.connection === 'connecting';
    const wasOpen = this.#live;
    this.#live = false;
    if (code === ABSENT) return this.connectionChanged('absent');
    if (code === OUTDATED) return this.connectionChanged('outdated');
    this.#transport.lost?.(socket, wasOpen);
    this.#lostAt ??= this.#transport.now();
    this.isLasting = this.#transport.now() - this.#lostAt >= LASTING;
    if (code === RESTARTS) this.#restartAttempts = RESTART_ATTEMPTS;
    const restarts = this.#restartAttempts > 0;
    if (restarts) this.#restartAttempts--;
    this.connectionChanged(restarts || isFirst ? 'connecting' : 'lost');
    const wait = BACKOFF[Math.min(this.#attempts++, restarts ? 2 : BACKOFF.length - 1)] ?? 4000;
    this.#cancel = this.#transport.later(() => this.#reconnect(), wait);
  }
}

/** Opens a connection for as long as the calling component lives. */
export function useConnection<T extends Pick<Connection<Incoming, object>, 'open' | 'close' | 'followNetwork'>>(
  connection: T,
): T {
  const controller = new AbortController();
  connection.open();
  connection.followNetwork(controller);
  onDestroy(() => {
    controller.abort();
    connection.close();
  });
  return connection;
}
