/**
 * The connection of a page: a reconnecting WebSocket with its state, and the browser's network, timers and clock. Messages carry a key
 * and the server handles each key once, so those sent again after a reconnect are neither lost nor done twice.
 */
import { HeartbeatSocket } from './heartbeat';
import { PROTOCOL } from './protocol';

export abstract class Channel<Message extends Heard, Wish extends object> {
  line = $state<Line>('connecting');
  protected readonly connection: Connection<Message, Wish>;

  constructor(transport: Transport) {
    this.connection = new Connection(
      transport,
      (message) => this.receive(message),
      (line) => {
        this.line = line;
        if (line !== 'open') this.lost();
      },
    );
  }

  open(): void {
    this.connection.open();
  }
  close(): void {
    this.connection.close();
  }
  reconnect(): void {
    this.connection.reconnect();
  }
  drop(): void {
    this.connection.drop();
  }

  abstract receive(message: Message): void;
  protected lost(): void {}
}

/** Follows the browser's online and offline events. Returns the function that stops it. */
export function followNetwork(one: () => { reconnect(): void; drop(): void }): () => void {
  const [back, away] = [(): void => one().reconnect(), (): void => one().drop()];
  addEventListener('online', back);
  addEventListener('offline', away);
  return () => {
    removeEventListener('online', back);
    removeEventListener('offline', away);
  };
}

function keyOf(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function tableTransport(id: string): Transport & { now(): number } {
  return transportTo(`tables/${id}`);
}

export function transportTo(place: string): Transport & { now(): number } {
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/${place}/socket?protocol=${PROTOCOL}`;
  const later: Transport['later'] = (task, milliseconds) => {
    const timer = setTimeout(task, milliseconds);
    return () => clearTimeout(timer);
  };
  return {
    open: () => new HeartbeatSocket(new WebSocket(address) as unknown as Socket, later),
    later,
    key: keyOf,
    now: () => performance.now(),
  };
}

export interface Heard {
  type: string;
  key?: string;
}
const ANSWERS: readonly string[] = ['ack', 'error', 'why', 'ways'];

/** `absent`: no such table. `outdated`: the page and the server speak different versions of the protocol. */
export type Line = 'connecting' | 'open' | 'lost' | 'absent' | 'outdated';

/** The part of a WebSocket that is used, so that tests can replace it. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
  lost?(): void;
}

export interface Transport {
  open(): Socket;
  later(task: () => void, milliseconds: number): () => void;
  key(): string;
}

/** WebSocket close codes: no such table, another version of the protocol, the server restarts. */
const ABSENT = 4404;
const OUTDATED = 4426;
const RESTARTS = 1012;
/** Milliseconds before the next attempts; the last one repeats. */
const PATIENCE = [250, 500, 1000, 2000, 4000];
/** Attempts a second apart while a server restarts, before the connection counts as lost. */
const QUIET = 12;

export class Connection<Message extends Heard, Wish extends object> {
  #socket: Socket | null = null;
  #attempts = 0;
  #quiet = 0;
  #closed = false;
  #live = false;
  #cancel: (() => void) | null = null;
  readonly #pending = new Map<string, Wish & { key: string }>();
  readonly #transport: Transport;
  readonly #onMessage: (message: Message) => void;
  readonly #onLine: (line: Line) => void;

  constructor(transport: Transport, onMessage: (message: Message) => void, onLine: (line: Line) => void) {
    this.#transport = transport;
    this.#onMessage = onMessage;
    this.#onLine = onLine;
  }

  open(): void {
    const socket = this.#transport.open();
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempts = this.#quiet = 0;
      this.#live = true;
      this.#onLine('open');
      for (const message of this.#pending.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data) as Message);
    socket.onclose = ({ code }) => this.#lost(socket, code);
  }

  /** Sends now or after reconnecting. Returns the message's key. */
  send(intent: Wish): string {
    const message = { ...intent, key: this.#transport.key() };
    this.#pending.set(message.key, message);
    if (this.#live) this.#socket?.send(JSON.stringify(message));
    return message.key;
  }

  reconnect(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = null;
    this.open();
  }

  drop(): void {
    this.#socket?.lost?.();
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
    this.#socket?.close();
  }

  #receive(message: Message): void {
    if (message.key !== undefined && ANSWERS.includes(message.type)) this.#pending.delete(message.key);
    this.#onMessage(message);
  }

  #lost(socket: Socket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#live = false;
    if (this.#closed) return;
    if (code === ABSENT) return this.#onLine('absent');
    if (code === OUTDATED) return this.#onLine('outdated');
    if (code === RESTARTS) this.#quiet = QUIET;
    const isQuiet = this.#quiet > 0;
    if (isQuiet) this.#quiet--;
    this.#onLine(isQuiet ? 'connecting' : 'lost');
    const wait = PATIENCE[Math.min(this.#attempts++, isQuiet ? 2 : PATIENCE.length - 1)] ?? 4000;
    this.#cancel = this.#transport.later(() => {
      this.#cancel = null;
      this.open();
    }, wait);
  }
}
