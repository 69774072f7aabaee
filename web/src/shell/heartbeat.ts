/**
 * A socket that is known to be alive: where nothing is heard, the other end is asked for a sign of life, and where none comes the line
 * counts as lost, though nobody has closed it. Networks drop packets without a word, and the system notices only after minutes.
 */
import type { Socket } from './connection';

/** After so long a silence a sign of life is asked for, in milliseconds. */
export const QUIET = 3000;
/** So long it may take, and an attempt to connect as well: a line that has died is told within 8 seconds. */
export const PATIENCE = 4500;

/** How a line that says nothing is closed. */
const SILENT = 4408;
const BEAT = '{"type":"beat"}';

export class Watched implements Socket {
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
  /** Takes the line for lost, as when the system says that there is no network. */
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
