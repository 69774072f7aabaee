/**
 * Games of Ekö that are played without a server, alone against bots or by several people at one device. Rules and bots are the page's
 * own; after every decision the game is stored in this browser.
 */
import type { Action } from '../engine/eko/action';
import { EkoPlace, ekoBook, firstPosition } from '../engine/eko/book';
import type { PlacedTile, TileSet } from '../engine/eko/layout';
import type { PositionJson, Stack } from '../engine/eko/position';
import type { Level } from '../engine/eko/search';
import { type Outcome, writeRecord } from '../engine/record';
import { EKO } from '../engine/records';
import type { Json } from '../protocol/messages';
import { Refused } from '../shell/api';
import { ABSENT } from '../shell/connection.svelte';
import { newId } from '../shell/device';
import { keep, kept } from '../shell/deviceGames';
import { type Line, nodesOf } from '../shell/line';
import type { Foreseen, NewTable, Seat, SeatInfo, Tried } from '../shell/protocol';
import { server } from '../shell/server.svelte';
import { type Sent, SimulatedTable } from '../shell/simulated.svelte';
import { engine, searches } from './engine';
import { play, tableAfter } from './local';
import { ekoPreferences } from './preferences.svelte';
import type { Options, State } from './protocol';
import type { Table } from './table.svelte';

/** Milliseconds between the moves of bots, unless the player prefers others. */
const PACE = 900;
/** Where players end a game (E11.5). */
const GIVEN = 'E11.5';

/** A game as it is stored. ended: by its players. */
interface Kept {
  readonly start: PositionJson;
  readonly options: Options;
  readonly seats: readonly SeatInfo[];
  readonly decisions: readonly Foreseen[];
  readonly ended: Outcome | null;
}

/** Starts a game. Returns its id. */
export async function begin({ options, seats }: NewTable<Options>): Promise<string> {
  const { players, variants, setup } = options;
  return store({
    start: await drawn(options),
    options: { players, variants, setup },
    seats: seats.map(({ kind, name = '', colour, bot }, seat) =>
      seatInfo(seat, kind === 'bot' ? (bot ?? null) : null, name, colour ?? seat),
    ),
    decisions: [],
    ended: null,
  });
}

/** A first position as a record. */
export async function newRecord(options: Options): Promise<string> {
  return recordOf({ start: EkoPlace.at(engine().position(await drawn(options))), steps: [] });
}

async function drawn({ players, variants, setup, layout, tileset }: Options): Promise<PositionJson> {
  const tiles = (layout as readonly PlacedTile[] | undefined) ?? (await drawnTiles(players, variants));
  const own = tileset as TileSet | undefined;
  const isDraft = setup === 'draft';
  const stacks = isDraft ? {} : dealt(players, tiles, own);
  return firstPosition({
    players,
    tiles: [...tiles],
    ...(own && { tileset: own }),
    stacks,
    first: below(players),
    isDraft,
  });
}

function recordOf(
  line: Pick<Line<EkoPlace>, 'start' | 'steps'>,
  names: Readonly<Record<string, string>> = {},
  ended?: Outcome | null,
): string {
  const outcome = ended ?? (line.steps.at(-1)?.place ?? line.start).result;
  return writeRecord({ tags: names, nodes: nodesOf<Action, EkoPlace>(line), outcome }, ekoBook(engine()));
}

/** Goes on with a table of the server from where it is. Returns the id of the game. */
export function goOn({ state, seats, options }: Pick<Table, 'state' | 'seats' | 'options'>): Promise<string> {
  const { players, variants, setup, turn_limit } = options!;
  return store({
    start: state!.position,
    options: { players, variants, setup, ...(turn_limit !== undefined && { turn_limit }) },
    seats: seats.map(({ seat, name, colour, bot }) => seatInfo(seat, bot, name, colour)),
    decisions: [],
    ended: null,
  });
}

async function store(game: Kept): Promise<string> {
  const id = newId('eko');
  await keep(id, $state.snapshot(game));
  return id;
}

function seatInfo(seat: Seat, bot: string | null, name: string, colour: number): SeatInfo {
  const yours = bot === null;
  return { seat, name, colour, kind: yours ? 'here' : 'bot', bot, taken: true, yours, online: true };
}

/** Tiles of a random board (tools/eko_boards.py). */
async function drawnTiles(players: number, variants: readonly string[]): Promise<PlacedTile[]> {
  const { default: boards } = await import('./boards.json');
  const drawn = (boards as Record<string, Record<string, string[]>>)[players]![[...variants].sort().join(' ')]!;
  return drawn[below(drawn.length)]!.split(' ').map((word): PlacedTile => {
    const [tile, q, r, rot] = word.split(',');
    return [tile!, Number(q), Number(r), Number(rot)];
  });
}

/** All discs at random places (E3.1). */
function dealt(players: number, tiles: readonly PlacedTile[], tileset: TileSet | undefined): Record<string, Stack> {
  const { terrain, coordinates } = engine().layout(players, tiles, tileset);
  const sand = coordinates.filter((_, space) => terrain[space] === 'sand');
  for (let last = sand.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [sand[last], sand[other]] = [sand[other]!, sand[last]!];
  }
  return Object.fromEntries(
    sand.map((space, n) => [space, { owner: Math.floor(n / EKO.DISCS), height: 1, emperor: n % EKO.DISCS === 0 }]),
  );
}

const below = (count: number): number => Math.floor(Math.random() * count);

export class DeviceGame extends SimulatedTable<Foreseen> {
  #game: Kept | null = null;
  #start: EkoPlace | null = null;
  #version = 0;
  /** Whether the last turn of a player is held open until they end it. */
  #holds = false;
  #offers: readonly Seat[] = [];
  #rematch: State['rematch'] = { agreed: [], table: null };
  /** Ends the thinking of a bot. */
  #thinking: AbortController | null = null;

  constructor(readonly id: string) {
    super(id);
  }

  /** The record of the game. */
  get record(): string {
    const { seats, ended } = this.#known;
    const names = seats.flatMap(({ name, bot }, seat) => (name || bot ? [[`Seat${seat}`, name || bot]] : []));
    return recordOf(this.#line(this.decisions), Object.fromEntries(names) as Record<string, string>, ended);
  }

  stateAfter(n: number): Promise<State> {
    return Promise.resolve(this.#tableAfter(this.#line(this.decisions.slice(0, n))).state);
  }

  protected override async prepare(): Promise<void> {
    if (this.#game) return;
    const game = await kept<Kept>(this.id);
    if (!game) throw new Refused('table/not-found', '');
    [this.#game, this.decisions] = [game, game.decisions];
    this.#start = EkoPlace.at(engine().position(game.start), game.options.turn_limit);
  }
  protected override failed(error: unknown): boolean {
    if (error instanceof Refused) this.disconnect(ABSENT);
    return !(error instanceof Refused) && super.failed(error);
  }

  protected override ask(decisions: readonly Foreseen[]): Promise<Tried> {
    const line = this.#line(decisions);
    const table = this.#tableAfter(line);
    const { seats, ended } = this.#known;
    const held = this.#holds && !ended ? heldBy(line, seats) : null;
    const state: State = {
      ...table.state,
      ...(held !== null && { held, asked: [], undo: [held] }),
      ...(ended && { outcome: { ...ended, winners: [...ended.winners] }, asked: [], undo: [] }),
      draw_offers: [...this.#offers],
      rematch: this.#rematch,
    };
    const version = line.refusal ? this.version : ++this.#version;
    const whole = { ...table, state, version, pace: ekoPreferences.pace ?? PACE };
    return Promise.resolve({ refusal: line.refusal, table: whole as unknown as Tried['table'] });
  }
  protected override decisionOf({ seat, action, hold = false }: Sent): Foreseen | null {
    [this.#holds, this.#offers] = [hold, []];
    return seat === undefined || !action ? null : { seat, action };
  }
  protected override async order(sent: Sent & { offer?: boolean; name?: string }): Promise<void> {
    const { type, seat = 0, name = '' } = sent;
    const { seats, options } = this.#known;
    if (type === 'undo') {
      this.#holds = false;
      return this.back();
    }
    if (type === 'end_turn') this.#holds = false;
    else if (type === 'rename') this.#change({ seats: seats.with(seat, { ...seats[seat]!, name }) });
    else if (type === 'resign') this.#resign(seat);
    else if (type === 'draw') {
      this.#offers = [...this.#offers.filter((other) => other !== seat), ...(sent.offer ? [seat] : [])];
      if (seats.every(({ yours, seat: other }) => !yours || this.#offers.includes(other)))
        this.#change({ ended: { winners: [], reason: 'agreement', rule: GIVEN } });
    } else if (type === 'rematch') {
      const agreed = [...new Set([...this.#rematch.agreed, seat])];
      const everybody = seats.every(({ yours, seat: other }) => !yours || agreed.includes(other));
      const plans = seats.map(({ kind, bot, name, colour }) => ({
        kind: kind as 'here' | 'bot',
        name,
        colour,
        ...(bot && { bot }),
      }));
      const table = everybody ? await begin({ game: 'eko', options, seats: plans }) : null;
      this.#rematch = { agreed, table };
    }
    await this.goTo(this.decisions);
  }
  protected override shown(): void {
    this.#change({ decisions: this.decisions });
    void keep(this.id, this.#known);
    void this.#answer();
  }
  protected override closed(): void {
    super.closed();
    this.#thinking?.abort();
  }

  get #known(): Kept {
    return this.#game!;
  }
  #line(decisions: readonly Foreseen[]): Line<EkoPlace> {
    return play(this.#start!, decisions);
  }
  #tableAfter(line: Line<EkoPlace>): ReturnType<typeof tableAfter> {
    const { seats, options } = this.#known;
    return tableAfter(line, { id: this.id, seats, options });
  }
  /** What changes is stored when it is shown. */
  #change(change: Partial<Kept>): void {
    this.#game = { ...this.#known, ...change };
  }
  #resign(seat: Seat): void {
    const { seats } = this.#known;
    if (seats.length === 2) this.#change({ ended: { winners: [1 - seat], reason: 'resignation', rule: GIVEN } });
    else this.#change({ seats: seats.with(seat, seatInfo(seat, standIn(), seats[seat]!.name, seats[seat]!.colour)) });
  }

  /** Lets the bot decide whose turn it is. */
  async #answer(): Promise<void> {
    this.#thinking?.abort();
    const { seats, ended } = this.#known;
    const line = this.#line(this.decisions);
    const place = line.steps.at(-1)?.place ?? line.start;
    const seat = place.result || ended ? undefined : place.actors.find((one) => seats[one]?.bot);
    if (seat === undefined || (this.#holds && heldBy(line, seats) !== null)) return;
    const { signal } = (this.#thinking = new AbortController());
    const pause = new Promise((resolve) => setTimeout(resolve, ekoPreferences.pace ?? PACE));
    try {
      const [action] = await Promise.all([decision(place, seats[seat]!.bot!, signal), pause]);
      if (!signal.aborted) await this.play({ seat, action: action as unknown as Record<string, Json> });
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    }
  }
}

/** Who plays for a player who gives up, where others play on. */
const standIn = (): string => server()!.games.find(({ name }) => name === 'eko')!.stand_in;

/** The decision of a bot. */
async function decision(place: EkoPlace, bot: string, signal: AbortSignal): Promise<Action> {
  const legal = place.position.legal();
  if (bot === 'random' || legal.length === 1) return legal[below(legal.length)]!;
  const [word] = crypto.getRandomValues(new BigUint64Array(1));
  const asked = { position: place.position.toJson(), drawn: place.drawn };
  return (await searches()).choose(asked, bot as Level, word!, signal);
}

/** Whose turn has ended with the last decision, which can still be taken back. */
function heldBy({ start, steps }: Line<EkoPlace>, seats: readonly SeatInfo[]): Seat | null {
  const last = steps.at(-1);
  const before = (steps.at(-2)?.place ?? start).position;
  if (!last || last.place.result || before.phase === 'place' || !seats[last.entry.seat]?.yours) return null;
  const { position } = last.place;
  return position.turnNumber !== before.turnNumber ? last.entry.seat : null;
}
