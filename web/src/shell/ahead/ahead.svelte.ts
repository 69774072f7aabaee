/**
 * Thinking ahead: a table that one person plays on alone, all its seats. To the page of the game it is a table: what that sends is
 * answered here, by the server, which plays on from the real table by all decisions each time. Nothing is kept but those.
 */
import { ask, Refused } from '../api';
import type { Socket, Surroundings } from '../connection';
import { following, type AnyTable } from '../following';
import { surroundings } from '../live';
import type { Failure, Foreseen, Seat } from '../protocol';

/** Where the table would stand after some decisions. refusal: why the rules refuse the latest one. */
export interface Thought {
  refusal: Omit<Failure, 'type' | 'key'> | null;
  table: AnyTable;
  ways?: unknown;
}
/** How the server is asked, so that tests can stand in for it. of: a piece whose ways are asked for besides. */
export type Think = (decisions: readonly Foreseen[], of?: unknown) => Promise<Thought>;

/** Thinks ahead from a version of a table. */
export function thinkFrom(id: string, version: number): Think {
  return (decisions, of) => ask(`/api/tables/${id}/ahead`, { version, decisions, ...(of !== undefined && { of }) });
}

/** What a table's page sends. */
interface Sent {
  type: string;
  key: string;
  seat?: Seat;
  action?: object;
  of?: unknown;
}
export type Trouble = 'lost' | 'stale';

/** Milliseconds after which a server that could not be asked at the start is asked again. */
export const AGAIN = 3000;

export class Ahead {
  readonly id: string;
  /** Whose decisions will be made. */
  readonly seat: Seat;
  /** What was decided ahead. */
  decisions = $state.raw<readonly Foreseen[]>([]);
  /** How each of them is written down. */
  notations = $state.raw<readonly string[]>([]);
  /** The server could not be asked, or the real table has gone on. */
  trouble = $state<Trouble | null>(null);
  /** The line as it can be kept: up to the last decision of one's own. */
  readonly line: readonly Foreseen[] = $derived(this.decisions.slice(0, this.decisions.findLastIndex(({ seat }) => seat === this.seat) + 1));
  #shown: AnyTable | null = null;
  #socket: Socket | null = null;
  readonly #think: Think;

  constructor(id: string, seat: Seat, think: Think) {
    [this.id, this.seat, this.#think] = [id, seat, think];
  }

  /** Where the table that is played on gets its line from. */
  get around(): Surroundings & { now(): number } {
    return { ...surroundings(this.id), open: () => this.#open() };
  }

  /** Begins anew. */
  again(): Promise<void> {
    return this.#goTo([]);
  }
  /** Takes the latest decision back. */
  back(): Promise<void> {
    return this.#goTo(this.decisions.slice(0, -1));
  }

  #open(): Socket {
    const socket: Socket = { onopen: null, onmessage: null, onclose: null, send: (text) => void this.#hear(JSON.parse(text) as Sent), close: () => (this.#socket = null) };
    this.#socket = socket;
    queueMicrotask(() => {
      socket.onopen?.();
      void this.#begin(socket);
    });
    return socket;
  }

  /** Begins; without an answer there would be no board to try anything on, so the server is asked until it gives one. */
  async #begin(socket: Socket): Promise<void> {
    await this.again();
    if (this.trouble === 'lost' && this.#socket === socket) setTimeout(() => this.#socket === socket && void this.#begin(socket), AGAIN);
  }

  async #hear({ type, key, seat, action, of }: Sent): Promise<void> {
    if (type === 'ways') return this.#waysOf(key, of);
    if (type === 'undo') await this.back();
    else if (seat !== undefined && action && (type === 'act' || type === 'why')) return this.#try(key, type, { seat, action });
    this.#tell({ type: 'ack', key, version: this.#shown?.version ?? 0 });
  }

  /** Does something, or asks why it can't be done. */
  #try(key: string, type: 'act' | 'why', { seat, action }: Foreseen): Promise<void> {
    return this.#asked(async () => {
      const decisions = [...this.decisions, { seat, action }];
      const thought = await this.#think(decisions);
      const { refusal } = thought;
      if (type === 'why') return this.#tell({ type: 'why', key, refusal: refusal && { code: refusal.refusal ?? refusal.code, rule: refusal.rule ?? null, message: refusal.message } });
      if (refusal) return this.#tell({ type: 'error', key, ...refusal });
      this.#show(thought, decisions);
      this.#tell({ type: 'ack', key, version: thought.table.version });
    });
  }

  /** Tells where a piece can go. */
  #waysOf(key: string, of: unknown): Promise<void> {
    return this.#asked(async () => {
      const { ways, table } = await this.#think(this.decisions, of);
      this.#tell({ type: 'ways', key, version: table.version, ways });
    });
  }

  #goTo(decisions: readonly Foreseen[]): Promise<void> {
    return this.#asked(async () => {
      this.#shown = null;
      this.#show(await this.#think(decisions), decisions);
    });
  }

  async #asked(what: () => Promise<void>): Promise<void> {
    try {
      await what();
      this.trouble = null;
    } catch (error) {
      this.trouble = error instanceof Refused && error.code === 'table/stale' ? 'stale' : 'lost';
    }
  }

  /** Shows the table: what has just been decided as an update, so that it is seen to move. */
  #show({ table: told }: Thought, decisions: readonly Foreseen[]): void {
    // nobody is away from a table that is for one alone
    const table = { ...told, seats: told.seats.map((seat) => ({ ...seat, online: true })) };
    const before = this.#shown;
    [this.#shown, this.decisions] = [table, decisions];
    this.notations = table.log.map((entry) => (entry as { notation?: string }).notation ?? '');
    this.#tell(before === null ? table : following(before, table));
  }

  #tell(message: object): void {
    this.#socket?.onmessage?.({ data: JSON.stringify(message) });
  }
}
