/**
 * A WebSocket with a heartbeat. Networks drop packets silently and the system notices only after minutes, so a silent connection is
 * pinged and counts as lost without an answer.
 */
import type { Socket } from './connection.svelte';

/** Milliseconds of silence before a ping. */
export const QUIET = 3000;
/** Milliseconds for the answer, and for connecting: a dead connection is noticed within 8 seconds. */
export const PATIENCE = 4500;

const SILENT = 4408;
const BEAT = '{"type":"beat"}';

export class HeartbeatSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly #socket: Socket;
  readonly #later: (task: () => void, milliseconds: number) => () => void;
  #stop: () => void;

  constructor(socket: Socket, later: (task: () => void, milliseconds: number) => () => void) {
    this.#socket = socket;
    this.#later = later;
    this.#stop = later(() => this.lost(), PATIENCE);
    socket.onopen = () => {
      this.#listen();
      this.onopen?.();
    };
    socket.onmessage = (event) => {
      this.#listen();
      if (event.data !== BEAT) this.onmessage?.(event);
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

  #listen(): void {
    this.#stop();
    this.#stop = this.#later(() => {
      this.#socket.send(BEAT);
      this.#stop = this.#later(() => this.lost(), PATIENCE);
    }, QUIET);
  }
  #end(code: number): void {
    this.#stop();
    const tell = this.onclose;
    this.onopen = this.onmessage = this.onclose = null;
    tell?.({ code });
  }
}
