/**
 * The sockets of a page: WebSockets, or where the network lets none through, server-sent events down and requests up, which carry the
 * same messages. Each attempt that fails decides how the next one goes.
 */
import { PROTOCOL } from '../protocol/messages';

/** The part of a WebSocket that is used, so that tests can replace it. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  /** Milliseconds of silence before a ping. */
  readonly silence?: number;
  send(text: string): void;
  close(): void;
}

/** Whether the next socket goes over HTTP. */
let overHttp = false;
/** Handshakes that failed since the last WebSocket was open, and how many of them mean that the network lets none through. */
let failures = 0;
let most = 1;
/** How many have to fail where one has been open: a server that restarts refuses some. */
const MOST_LATER = 12;
const LOST = 1006;
/** Milliseconds of silence before a ping over HTTP, and between two requests that tell the server that this page is there. */
const SILENCE = 10_000;
const SIGN_OF_LIFE = 20_000;

export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function openSocket(place: string): Socket {
  return overHttp ? new EventSocket(place) : openWebSocket(place);
}

function openWebSocket(place: string): Socket {
  const socket = new WebSocket(
    `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/${place}/socket?protocol=${PROTOCOL}`,
  );
  socket.addEventListener('open', () => ([failures, most] = [0, MOST_LATER]));
  return socket as unknown as Socket;
}

/** Decides how the next socket goes, after one that was lost. */
export function socketLost(socket: Socket, wasOpen: boolean): void {
  if (socket instanceof EventSocket) overHttp = false;
  else if (!wasOpen) overHttp = ++failures >= most;
}

class EventSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly silence = SILENCE;
  readonly #address: string;
  readonly #events: EventSource;
  /** Requests go one after the other, so that messages arrive in this order. */
  #sending: Promise<unknown> = Promise.resolve();
  #sentAt = performance.now();

  constructor(place: string) {
    this.#address = `/api/${place}/events/${randomKey()}`;
    this.#events = new EventSource(`${this.#address}?protocol=${PROTOCOL}`);
    this.#events.onopen = () => this.onopen?.();
    this.#events.onmessage = ({ data }: MessageEvent<string>) => {
      if (performance.now() - this.#sentAt > SIGN_OF_LIFE) this.send('{"type":"beat"}');
      this.onmessage?.({ data });
    };
    this.#events.onerror = () => this.#lost(LOST);
    this.#events.addEventListener('end', ({ data }: MessageEvent<string>) => this.#lost(Number(data)));
  }

  send(text: string): void {
    this.#sentAt = performance.now();
    this.#sending = this.#sending.then(async () => {
      if (this.#events.readyState === EventSource.CLOSED) return;
      const answer = await fetch(this.#address, { method: 'POST', body: text }).catch(() => null);
      if (!answer?.ok) this.#lost(LOST);
    });
  }
  close(): void {
    this.#events.close();
  }
  #lost(code: number): void {
    this.#events.close();
    this.onclose?.({ code });
  }
}
