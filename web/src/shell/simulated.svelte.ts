/**
 * A table that one person plays alone: a lesson, a real table played on to prepare conditional moves, or an analysis board. To the page of the game it
 * is an ordinary table; its messages are answered here, by playing all decisions so far: in the page, or on the server where the rules are
 * there alone.
 */
import type { Json, TableMessage } from '../protocol/messages';
import { type Transport, transportTo } from './connection.svelte';
import { type Change, checksum } from './diff';
import type { Seat, Tried } from './protocol';
import type { Socket } from './socket';

/** A message of the page. hold: whether a turn that this ends can be taken back until its player ends it. */
export interface Sent {
  type: string;
  key: string;
  seat?: Seat;
  action?: Json;
  hold?: boolean;
}

/** Milliseconds between attempts until the server answers for the first time. */
export const RETRY = 3000;

export abstract class SimulatedTable<Decision extends object, Reply extends Tried = Tried> {
  decisions = $state.raw<readonly Decision[]>([]);
  lost = $state(false);
  #table: TableMessage | null = null;
  #socket: Socket | null = null;
  #replays = 0;
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  get transport(): Transport {
    return { ...transportTo(`tables/${this.#id}`), beats: false, open: () => this.#open() };
  }

  again(): Promise<void> {
    return this.goTo([]);
  }
  back(): Promise<void> {
    return this.goTo(this.decisions.slice(0, -1));
  }

  /** Carries out decisions that nobody made at the board. */
  protected async play(...more: readonly Decision[]): Promise<void> {
    await this.#asking(async () => {
      const decisions = [...this.decisions, ...more];
      const reply = await this.ask(decisions);
      if (this.accept(reply)) this.#show(reply, decisions);
    });
  }
  protected get version(): number {
    return this.#table?.version ?? 0;
  }
  protected abstract ask(decisions: readonly Decision[]): Promise<Reply>;
  protected abstract decisionOf(sent: Sent): Decision | null;
  /** Carries out a message that is no decision. */
  protected async order({ type }: Sent): Promise<void> {
    if (type === 'undo') await this.back();
  }
  /** Returns whether the decision counts. */
  protected accept(_reply: Reply): boolean {
    return true;
  }
  protected prepare(): Promise<void> {
    return Promise.resolve();
  }
  /** Returns whether to ask again. */
  protected failed(_error: unknown): boolean {
    this.lost = true;
    return true;
  }

  #open(): Socket {
    const socket: Socket = {
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (text) => void this.#receive(JSON.parse(text) as Sent),
      close: () => this.closed(),
    };
    this.#socket = socket;
    queueMicrotask(() => {
      socket.onopen?.();
      void this.#begin(socket);
    });
    return socket;
  }
  /** Called when the page of the table is left. */
  protected closed(): void {
    this.#socket = null;
  }
  /** code: of a WebSocket. */
  protected disconnect(code: number): void {
    this.#socket?.onclose?.({ code });
  }
  async #begin(socket: Socket): Promise<void> {
    const retry = await this.#asking(async () => {
      await this.prepare();
      await this.#replay(this.decisions);
    });
    if (retry && this.#socket === socket) setTimeout(() => this.#socket === socket && void this.#begin(socket), RETRY);
  }

  async #receive(sent: Sent): Promise<void> {
    const { type, key } = sent;
    const decision = type === 'act' || type === 'intent' ? this.decisionOf(sent) : null;
    if (decision) return void (await this.#asking(async () => this.#act(key, decision)));
    await this.order(sent);
    this.#send({ type: 'ack', key, version: this.version });
  }
  async #act(key: string, decision: Decision): Promise<void> {
    const decisions = [...this.decisions, decision];
    const reply = await this.ask(decisions);
    if (reply.refusal) return this.#send({ type: 'error', key, ...reply.refusal });
    if (this.accept(reply)) this.#show(reply, decisions);
    this.#send({ type: 'ack', key, version: reply.table.version });
  }

  /** One decision more is animated; the latest call counts. */
  protected async goTo(decisions: readonly Decision[]): Promise<void> {
    await this.#asking(() => this.#replay(decisions));
  }
  async #replay(decisions: readonly Decision[]): Promise<void> {
    const turn = ++this.#replays;
    const reply = await this.ask(decisions);
    if (turn !== this.#replays) return;
    this.accept(reply);
    const isNext =
      decisions.length === this.decisions.length + 1 && this.decisions.every((one, n) => one === decisions[n]);
    if (!isNext) this.#table = null;
    this.#show(reply, decisions);
  }
  /** Returns whether it failed and should be asked again. */
  async #asking(what: () => Promise<void>): Promise<boolean> {
    try {
      await what();
      this.lost = false;
      return false;
    } catch (error) {
      return this.failed(error);
    }
  }

  /** Sends the latest decision as an update, so that it is animated. */
  #show({ table: bare }: Reply, decisions: readonly Decision[]): void {
    // at a table played alone all players count as connected
    const table = { ...bare, seats: bare.seats.map((seat) => ({ ...seat, online: true })) };
    const before = this.#table;
    [this.#table, this.decisions] = [table, decisions];
    this.shown(table);
    this.#send(before === null ? table : updateFrom(before, table));
  }
  protected shown(_table: TableMessage): void {}

  #send(message: object): void {
    this.#socket?.onmessage?.({ data: JSON.stringify(message) });
  }
}

/** What one reader is to find at a table: a lesson, the task of a chapter, or a puzzle. */
export abstract class Exercise<Reply extends Tried = Tried> extends SimulatedTable<object, Reply> {
  readonly game: string;
  /** Whether the reader is to decide. */
  abstract readonly open: boolean;
  /** Highlighted on the board. */
  abstract readonly marks: readonly (string | number)[];
  /** What tests and styles know its page by. */
  abstract readonly data: Readonly<Record<`data-${string}`, string>>;

  constructor(game: string, id: string) {
    super(id);
    this.game = game;
  }
  protected override decisionOf({ action }: { action?: Json }): object | null {
    return action ?? null;
  }
  /** Called with a try that the rules refuse. */
  tried(_action: object): void {}
}

/** One table as an update of an earlier one, so that the page animates the difference. */
function updateFrom(before: TableMessage, { version, state, own, log }: TableMessage): object {
  const removed = Object.keys(before.state).filter((key) => !(key in state));
  const change: Change = Object.fromEntries([
    ...Object.entries(state).map(([key, value]): [string, Change] => [key, [value]]),
    ...removed.map((key): [string, Change] => [key, null]),
  ]);
  return {
    type: 'update',
    version,
    base: before.version,
    change,
    check: checksum(state),
    ...(own && { own }),
    keep: before.log.length,
    entries: log.slice(before.log.length),
  };
}
