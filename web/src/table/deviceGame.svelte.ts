/**
 * Games that are played without a server, alone against bots or by several people at one device. Rules and bots are the page's own; after
 * every decision the game is stored in this browser.
 */
import type { Outcome } from '../engine/record';
import { Refused } from '../net/api';
import { newId } from '../net/device';
import type { NewTable, Seat, SeatInfo } from '../net/protocol';
import { server } from '../net/server.svelte';
import { go } from '../ui/route.svelte';
import { isSite } from '../ui/site';
import { ofBoard } from './analysis/address';
import { keep, kept } from './deviceGames';
import { LocalTable, type Sent } from './localTable.svelte';

/** The pace of bots, unless the player prefers another. */
const PACE = 900;

/** A game as it is stored. ended: by its players. */
export interface KeptGame<Decision, Options> {
  readonly options: Options;
  readonly seats: readonly SeatInfo[];
  readonly decisions: readonly Decision[];
  readonly ended: Outcome | null;
}

/** Stores a new game. Returns its id. */
export async function storeGame<Kept extends KeptGame<unknown, unknown>>(
  game: string,
  content: Omit<Kept, 'decisions' | 'ended'>,
): Promise<string> {
  const id = newId(game);
  const whole: object = { ...content, decisions: [], ended: null };
  await keep(id, $state.snapshot(whole) as object);
  return id;
}

/** The seats of a new game. */
export function seatsFor({ seats }: Pick<NewTable, 'seats'>): SeatInfo[] {
  return seats.map(({ kind, name = '', colour, bot }, seat) =>
    seatInfo(seat, kind === 'bot' ? (bot ?? null) : null, name, colour ?? seat),
  );
}

export function seatInfo(seat: Seat, bot: string | null, name: string, colour: number): SeatInfo {
  const yours = bot === null;
  return { seat, name, colour, kind: yours ? 'here' : 'bot', bot, taken: true, yours, online: true };
}

export abstract class DeviceGame<
  Decision extends object,
  Options extends object,
  Kept extends KeptGame<Decision, Options>,
> extends LocalTable<Decision> {
  protected offers: readonly Seat[] = [];
  protected agreed: { agreed: Seat[]; table: string | null } = { agreed: [], table: null };
  #game: Kept | null = null;
  /** Ends what the table waits for. */
  #waiting: AbortController | null = null;

  /** rule: by which players end a game. */
  constructor(
    readonly game: string,
    readonly id: string,
    private readonly rule: string,
    private readonly preferences: { readonly pace: number | null },
  ) {
    super();
  }

  /** The record of the game. */
  abstract get record(): string;
  get recordAddress(): string {
    return `data:text/plain;charset=utf-8,${encodeURIComponent(this.record)}`;
  }
  /** The request by which its finished game becomes a table of the server; null: it can't, or there is none. */
  get imported(): NewTable | null {
    return isSite || this.known.ended?.rule === ''
      ? null
      : { game: this.game, options: {}, seats: this.plans, record: this.record, imported: true };
  }
  /** Opens the game on an analysis board. */
  async review(): Promise<void> {
    go((await ofBoard(this.game, this.record)).address);
  }
  /** Called once the game is loaded. */
  protected abstract loaded(game: Kept): void;
  /** What bots and the table itself decide next, after a pause; null: it waits for people, or the game is over. */
  protected abstract next(signal: AbortSignal): Promise<readonly Decision[]> | null;
  protected abstract begin(plan: NewTable<Options>): Promise<string>;

  /** Milliseconds between the moves of bots. */
  protected get pace(): number {
    return this.preferences.pace ?? PACE;
  }
  /** What bots decide, not before their pace. */
  protected async paced<Decided>(decided: Promise<Decided>): Promise<Decided> {
    const [result] = await Promise.all([decided, later(this.pace)]);
    return result;
  }
  protected get known(): Kept {
    return this.#game!;
  }
  /** The outcome in the record: by the rules alone, bots would play on without the only person. */
  protected recorded(result: Outcome | undefined): Outcome | undefined {
    const ended = this.known.ended ?? result;
    return ended?.rule === '' ? undefined : ended;
  }
  /** The names of players for a record. */
  protected get names(): Record<string, string> {
    const named = this.known.seats.flatMap(({ name, bot }, seat) => {
      const called = name || bot;
      return called ? [[`Seat${seat}`, called] as const] : [];
    });
    return Object.fromEntries(named);
  }
  /** The seats of a new game of the same players. */
  protected get plans(): NewTable['seats'] {
    return this.known.seats.map(({ kind, bot, name, colour }) => ({
      kind: kind as 'here' | 'bot',
      name,
      colour,
      ...(bot && { bot }),
    }));
  }
  /** What changes is stored when it is shown. */
  protected change(change: Partial<KeptGame<Decision, Options>>): void {
    this.#game = { ...this.known, ...change };
  }

  protected override async prepare(): Promise<void> {
    if (this.#game) return;
    const game = await kept<Kept>(this.id);
    if (!game) throw new Refused('table/not-found', '');
    [this.#game, this.decisions] = [game, game.decisions];
    this.loaded(game);
  }
  protected override failed(error: unknown): boolean {
    if (error instanceof Refused) this.absent();
    return !(error instanceof Refused) && super.failed(error);
  }
  override order(sent: Sent & { offer?: boolean; name?: string }): void {
    const { type, seat = 0, name = '' } = sent;
    const { seats } = this.known;
    if (sent.action) return super.order(sent);
    if (type === 'rename') this.change({ seats: seats.with(seat, { ...seats[seat]!, name }) });
    else if (type === 'resign') this.#resign(seat);
    else if (type === 'draw') {
      this.offers = [...this.offers.filter((other) => other !== seat), ...(sent.offer ? [seat] : [])];
      if (seats.every(({ yours, seat: other }) => !yours || this.offers.includes(other)))
        this.change({ ended: { winners: [], reason: 'agreement', rule: this.rule } });
    } else if (type === 'rematch') this.#rematch(seat);
    void this.goTo(this.decisions);
  }
  protected override shown(): void {
    this.change({ decisions: this.decisions });
    void keep(this.id, this.known);
    void this.#goOn();
  }
  override stop(): void {
    super.stop();
    this.#waiting?.abort();
  }

  #rematch(seat: Seat): void {
    const { seats, options } = this.known;
    const agreed = [...new Set([...this.agreed.agreed, seat])];
    this.agreed = { agreed, table: null };
    if (!seats.every(({ yours, seat: other }) => !yours || agreed.includes(other))) return;
    void this.begin({ game: this.game, options, seats: this.plans }).then((table) => {
      this.agreed = { agreed, table };
      return this.goTo(this.decisions);
    });
  }
  #resign(seat: Seat): void {
    const { seats } = this.known;
    const { name, colour } = seats[seat]!;
    const others = seats.filter((info) => info.seat !== seat);
    const winners = others.map((info) => info.seat);
    if (others.length === 1) this.change({ ended: { winners, reason: 'resignation', rule: this.rule } });
    else if (!others.some(({ yours }) => yours)) this.change({ ended: { winners, reason: 'resignation', rule: '' } });
    else this.change({ seats: seats.with(seat, seatInfo(seat, this.#standIn, name, colour)) });
  }
  /** Who plays for a player who gives up, where others play on. */
  get #standIn(): string {
    return server()!.games.find(({ name }) => name === this.game)!.stand_in;
  }

  async #goOn(): Promise<void> {
    this.#waiting?.abort();
    if (this.known.ended) return;
    const { signal } = (this.#waiting = new AbortController());
    try {
      const decisions = await this.next(signal);
      if (decisions && !signal.aborted) await this.play(...decisions);
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    }
  }
}

/** Milliseconds later. */
export const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
