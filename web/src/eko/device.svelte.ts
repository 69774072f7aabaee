/** Games of Ekö that are played without a server. */
import type { Action } from '../engine/eko/action';
import { EkoPlace, ekoBook } from '../engine/eko/book';
import type { PositionJson } from '../engine/eko/position';
import type { Level } from '../engine/eko/search';
import { type Outcome, writeRecord } from '../engine/record';
import { EKO } from '../engine/records';
import { below, randomWord } from '../net/chance';
import type { NewTable, Seat, SeatDecision, SeatInfo, Tried } from '../net/protocol';
import type { Json } from '../protocol/messages';
import { DeviceGame, type KeptGame, seatInfo, seatsFor, storeGame } from '../table/deviceGame.svelte';
import { type Line, nodesOf } from '../table/line';
import type { Sent } from '../table/localTable.svelte';
import { drawn } from './drawn';
import { engine, searches } from './engine';
import { play, tableAfter } from './local';
import { ekoPreferences } from './preferences.svelte';
import type { Options, State } from './protocol';
import type { EkoTableState } from './table.svelte';

interface Kept extends KeptGame<SeatDecision, Options> {
  readonly start: PositionJson;
}

/** Starts a game. Returns its id. */
export async function begin(plan: NewTable<Options>): Promise<string> {
  const { players, variants, setup } = plan.options;
  return storeGame<Kept>('eko', {
    start: await drawn(plan.options),
    options: { players, variants, setup },
    seats: seatsFor(plan),
  });
}

/** A first position as a record. seed: as the server draws one from it. */
export async function newRecord(options: Options, seed?: bigint): Promise<string> {
  return recordOf({ start: EkoPlace.at(engine().position(await drawn(options, seed))), steps: [] });
}

function recordOf(
  line: Pick<Line<EkoPlace>, 'start' | 'steps'>,
  tags: Readonly<Record<string, string>> = {},
  outcome?: Outcome,
): string {
  return writeRecord({ tags, nodes: nodesOf<Action, EkoPlace>(line), outcome }, ekoBook(engine()));
}

/** Continues a table of the server from its position. Returns the id of the game. */
export function goOn({ state, seats, options }: Pick<EkoTableState, 'state' | 'seats' | 'options'>): Promise<string> {
  const { players, variants, setup, turn_limit } = options!;
  return storeGame<Kept>('eko', {
    start: state!.position,
    options: { players, variants, setup, ...(turn_limit !== undefined && { turn_limit }) },
    seats: seats.map(({ seat, name, colour, bot }) => seatInfo(seat, bot, name, colour)),
  });
}

export class EkoDeviceGame extends DeviceGame<SeatDecision, Options, Kept> {
  #start: EkoPlace | null = null;
  /** Whether the last turn of a player is held open until they end it. */
  #holds = false;

  constructor(id: string) {
    super('eko', id, EKO.TABLE_ENDS.resignation, ekoPreferences);
  }

  get record(): string {
    const limit = this.known.options.turn_limit;
    const tags = { ...this.names, ...(limit && { TurnLimit: `${limit}` }) };
    const line = this.#line(this.decisions);
    return recordOf(line, tags, this.recorded((line.steps.at(-1)?.place ?? line.start).result));
  }

  stateAfter(n: number): Promise<State> {
    return Promise.resolve(this.#tableAfter(this.#line(this.decisions.slice(0, n))).state);
  }

  protected override loaded({ start, options }: Kept): void {
    this.#start = EkoPlace.at(engine().position(start), options.turn_limit);
  }
  protected override ask(decisions: readonly SeatDecision[]): Tried {
    const line = this.#line(decisions);
    const table = this.#tableAfter(line);
    const { seats, ended } = this.known;
    const held = this.#holds && !ended ? heldBy(line, seats) : null;
    const state: State = {
      ...table.state,
      ...(held !== null && { held, asked: [], undo: [held] }),
      ...(ended && { outcome: ended, asked: [], undo: [] }),
      draw_offers: this.offers,
      rematch: this.agreed,
    };
    const whole = { ...table, state, pace: this.pace };
    return { refusal: line.refusal, table: whole as unknown as Tried['table'] };
  }
  override order(sent: Sent): void {
    const { type, action, hold = false } = sent;
    if (action) [this.#holds, this.offers] = [hold, []];
    else if (type === 'undo' || type === 'end_turn') this.#holds = false;
    if (type === 'undo') void this.back();
    else super.order(sent);
  }
  protected override begin(plan: NewTable<Options>): Promise<string> {
    return begin(plan);
  }
  protected override next(signal: AbortSignal): Promise<readonly SeatDecision[]> | null {
    const { seats } = this.known;
    const line = this.#line(this.decisions);
    const place = line.steps.at(-1)?.place ?? line.start;
    const seat = place.result ? undefined : place.actors.find((one) => seats[one]?.bot);
    if (seat === undefined || (this.#holds && heldBy(line, seats) !== null)) return null;
    const chosen = decision(place, seats[seat]!.bot!, signal);
    return this.paced(chosen.then((action) => [{ seat, action: action as unknown as Record<string, Json> }]));
  }

  #line(decisions: readonly SeatDecision[]): Line<EkoPlace> {
    return play(this.#start!, decisions);
  }
  #tableAfter(line: Line<EkoPlace>): ReturnType<typeof tableAfter> {
    const { seats, options } = this.known;
    return tableAfter(line, { id: this.id, seats, options });
  }
}

/** The decision of a bot. */
async function decision(place: EkoPlace, bot: string, signal: AbortSignal): Promise<Action> {
  const legal = place.position.legal();
  if (bot === 'random' || legal.length === 1) return legal[below(legal.length)]!;
  const asked = { position: place.position.toJson(), drawn: place.drawn };
  return (await searches()).choose(asked, bot as Level, randomWord(), signal);
}

/** The seat whose turn has ended with the last decision, which can still be taken back. */
function heldBy({ start, steps }: Line<EkoPlace>, seats: readonly SeatInfo[]): Seat | null {
  const last = steps.at(-1);
  const before = (steps.at(-2)?.place ?? start).position;
  if (!last || last.place.result || before.phase === 'place' || !seats[last.entry.seat]?.yours) return null;
  const { position } = last.place;
  return position.turnNumber !== before.turnNumber ? last.entry.seat : null;
}
