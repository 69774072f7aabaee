/**
 * The line to a table: a web socket that comes back by itself, and intents that are sent again after it did. An intent carries a key
 * of its own and the server does each key once, so nothing that was decided is lost and nothing happens twice.
 */
/** What a game hears: messages with a type, and answers with the key of the intent that they answer. */
export interface Heard {
  type: string;
  key?: string;
}
const ANSWERS: readonly string[] = ['ack', 'error', 'why', 'ways'];

/** `absent`: the server knows no such table. `outdated`: this page is older, or newer, than the server. */
export type Line = 'connecting' | 'open' | 'lost' | 'absent' | 'outdated';

/** The part of a WebSocket that is used, so that tests can stand in for it. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
  /** Takes the line for lost though nobody has closed it. */
  lost?(): void;
}

export interface Surroundings {
  open(): Socket;
  later(task: () => void, milliseconds: number): () => void;
  key(): string;
}

/** How the server closes the line to a table that it does not have. */
const ABSENT = 4404;
/** How it closes the line of a page that speaks another version of the protocol. */
const OUTDATED = 4426;
/** How it closes a line as it goes, when another one is here soon. */
const RESTARTS = 1012;
/** Waits before the next attempts, in milliseconds; the last one goes on. */
const PATIENCE = [250, 500, 1000, 2000, 4000];
/** While a server restarts so many attempts are made a second apart, and nobody is told that the line is lost. */
const QUIET = 12;

/** A line of a game whose server says `Message` and whose pages ask for `Wish`. */
export class Connection<Message extends Heard, Wish extends object> {
  #socket: Socket | null = null;
  #attempts = 0;
  /** How many attempts more nobody has to be alarmed at. */
  #quiet = 0;
  #closed = false;
  #live = false;
  #cancel: (() => void) | null = null;
  readonly #pending = new Map<string, Wish & { key: string }>();
  readonly #around: Surroundings;
  readonly #onMessage: (message: Message) => void;
  readonly #onLine: (line: Line) => void;

  constructor(around: Surroundings, onMessage: (message: Message) => void, onLine: (line: Line) => void) {
    this.#around = around;
    this.#onMessage = onMessage;
    this.#onLine = onLine;
  }

  open(): void {
    const socket = this.#around.open();
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

  /** Sends now or as soon as the line is back. Returns the intent's key. */
  send(intent: Wish): string {
    const message = { ...intent, key: this.#around.key() };
    this.#pending.set(message.key, message);
    if (this.#live) this.#socket?.send(JSON.stringify(message));
    return message.key;
  }

  /** Tries at once instead of waiting (the browser says that the network is back). */
  hurry(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = null;
    this.open();
  }

  /** Takes the line for lost at once (the browser says that the network is away). */
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
    this.#cancel = this.#around.later(() => {
      this.#cancel = null;
      this.open();
    }, wait);
  }
}
