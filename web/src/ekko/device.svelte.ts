/** Games of EKKO in calm turns that are played without a server. Wrong cards are refused (K4.3), so that records are sequences (K6.3). */
import { EkkoPlace, ekkoBook } from '../engine/ekko/book';
import type { Level } from '../engine/ekko/bots';
import { CHANCE, type EkkoPosition, type PositionJson } from '../engine/ekko/position';
import { writeRecord } from '../engine/record';
import { EKKO } from '../engine/records';
import { below, randomWord } from '../net/chance';
import type { NewTable, Seat, SeatDecision, SeatInfo, Tried } from '../net/protocol';
import { DeviceGame, type KeptGame, later, seatInfo, seatsFor, storeGame } from '../table/deviceGame.svelte';
import { nodesOf, wholeTable } from '../table/line';
import type { Sent } from '../table/localTable.svelte';
import { after, type Calm, calmTable, handOf, NotNow, publicState, type Step, sequence, undecided } from './calm';
import { askBot, engine } from './engine';
import { lines, shuffled } from './local';
import { ekkoPreferences } from './preferences.svelte';
import { type Options, quietState, type State } from './protocol';
import type { EkkoTableState } from './table.svelte';

const SECOND = 1000;

interface Kept extends KeptGame<Step, Options> {
  readonly start: PositionJson;
}

/** Starts a game. Returns its id. */
export function begin(plan: NewTable<Options>): Promise<string> {
  const { players, target } = plan.options;
  return store(engine().start(players, below(players), target).toJson(), plan.options, seatsFor(plan));
}

/** Goes on with a table of the server: with its points, and a new deal of the round, as the server alone knows the other hands. */
export function goOn({ state, seats, options }: Pick<EkkoTableState, 'state' | 'seats' | 'options'>): Promise<string> {
  const { scores, turn, players, target } = state!.position;
  const start = { ...engine().start(players, turn.dealer, target).toJson(), scores };
  const own = seats.map(({ seat, name, colour, bot }) => seatInfo(seat, bot, name, colour));
  return store({ ...start, turn: { ...start.turn, round: turn.round } }, options!, own);
}

/** A first position as a record. */
export function newRecord({ players, target }: Options): Promise<string> {
  const start = new EkkoPlace(engine().start(players, below(players), target));
  return Promise.resolve(
    writeRecord({ tags: {}, nodes: nodesOf({ start, steps: [] }), outcome: undefined }, ekkoBook(engine())),
  );
}

function store(start: PositionJson, options: Options, seats: SeatInfo[]): Promise<string> {
  const isAlone = seats.filter(({ yours }) => yours).length === 1;
  const window = isAlone ? options.window : null;
  return storeGame<Kept>('ekko', {
    start,
    options: { ...options, calm: true, misplays: false, turn_clock: null, window },
    seats,
  });
}

export class EkkoDeviceGame extends DeviceGame<Step, Options, Kept> {
  #start: EkkoPosition | null = null;
  /** The table after each decision. */
  #tables: { steps: readonly Step[]; after: readonly Calm[] } = { steps: [], after: [] };
  /** When the time for a mirror ends that a person got at a decision. */
  #window = { of: -1, ends: 0 };

  constructor(id: string) {
    super('ekko', id, EKKO.TABLE_ENDS.resignation, ekkoPreferences);
  }

  get record(): string {
    const start = this.#start!;
    const steps = sequence(this.#tableAfter(this.decisions), start) as unknown as readonly SeatDecision[];
    const line = lines.play(new EkkoPlace(start), steps);
    const outcome = this.recorded((line.steps.at(-1)?.place ?? line.start).result);
    return writeRecord({ tags: this.names, nodes: nodesOf(line), outcome }, ekkoBook(engine()));
  }

  /** null of a game that goes on from a server: its earlier rounds are missing. */
  override get imported(): NewTable | null {
    return this.#start!.round > 1 ? null : super.imported;
  }

  /** What all saw after so many entries of the log; once the game is over all hands are open. */
  stateAfter(n: number): Promise<State> {
    const { after } = this.#tables;
    const table = after.find(({ log }) => log.length >= n) ?? after.at(-1)!;
    const { position } = table;
    const hands = this.known.seats.map(({ seat }) => [String(seat), position.cardsOf(seat)]);
    const isLast = table === after.at(-1);
    const { stage, rounds } = publicState(table);
    return Promise.resolve({
      ...quietState(position.toView(), Object.fromEntries(hands) as State['hands']),
      stage: isLast ? stage : 'race',
      rounds,
    });
  }

  protected override loaded({ start }: Kept): void {
    this.#start = engine().position(start);
  }
  protected override ask(decisions: readonly Step[]): Tried {
    let refusal: Tried['refusal'] = null;
    let table: Calm;
    try {
      table = this.#tableAfter(decisions);
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
      refusal = error.failure;
      table = this.#tableAfter(this.decisions);
    }
    return { refusal, table: this.#message(table) };
  }
  protected override decisionOf({ seat, action }: Sent): Step | null {
    this.offers = [];
    if (seat === undefined || !action) return null;
    const { type, on, round, ...rest } = action as { type: string; on?: number; round?: number };
    return { seat, action: { type, ...rest } as Step['action'] };
  }
  protected override begin(plan: NewTable<Options>): Promise<string> {
    return begin(plan);
  }
  protected override next(signal: AbortSignal): Promise<readonly Step[]> | null {
    const table = this.#tableAfter(this.decisions);
    const { stage, position } = table;
    const { seats } = this.known;
    const isBot = (seat: Seat | undefined): seat is Seat => seat !== undefined && seats[seat]?.bot != null;
    switch (stage) {
      case 'waiting':
        return Promise.resolve([{ seat: CHANCE, action: { type: 'deal', order: shuffled() } }]);
      case 'look': {
        const ready = seats.filter(({ seat }) => isBot(seat) && !table.ready.includes(seat));
        return ready.length === 0
          ? null
          : Promise.resolve(ready.map(({ seat }): Step => ({ seat, action: { type: 'ready' } })));
      }
      case 'race':
        return isBot(position.actor) ? this.paced(this.#turn(table, position.actor)) : null;
      case 'effect':
        return isBot(table.claim?.seat)
          ? this.paced(Promise.resolve([{ seat: table.claim.seat, action: { type: 'effect', effect: 'draw' } }]))
          : null;
      case 'window':
      case 'leaving': {
        const asked = undecided(table);
        const deciding = asked.filter(isBot);
        if (deciding.length > 0) {
          const mirrors = this.#mirrors(table, deciding);
          return deciding.length === asked.length ? this.paced(mirrors) : mirrors;
        }
        return this.#windowOf(table) === null ? null : this.#timeOut(asked, signal);
      }
      default:
        return null;
    }
  }

  #tableAfter(decisions: readonly Step[]): Calm {
    const { steps, after: known } = this.#tables;
    let common = 0;
    while (common < steps.length && steps[common] === decisions[common]) common++;
    const tables = known.slice(0, common + 1);
    if (tables.length === 0) tables.push(calmTable(this.#start!, this.known.options.open_hands === true));
    for (const step of decisions.slice(common)) tables.push(after(tables.at(-1)!, step));
    this.#tables = { steps: decisions, after: tables };
    return tables.at(-1)!;
  }
  #message(table: Calm): Tried['table'] {
    const { seats, options, ended } = this.known;
    const of = ended ? null : this.#windowOf(table);
    if (of !== null && this.#window.of !== table.log.length)
      this.#window = { of: table.log.length, ends: Date.now() + of };
    const hands = seats.filter(({ yours }) => yours).map(({ seat }) => [seat, handOf(table, seat, options.hints)]);
    const state: State = {
      ...publicState(table),
      of,
      remaining: of === null ? null : Math.max(0, this.#window.ends - Date.now()),
      rematch: this.agreed,
      ...(ended && { outcome: ended, stage: 'over' }),
    };
    const { hands: _, ...shared } = state;
    const own = { hands: Object.fromEntries(hands) as State['hands'] };
    const whole = wholeTable('ekko', { id: this.id, seats, options }, [], null, shared);
    return { ...whole, own, log: [...table.log], pace: this.pace } as unknown as Tried['table'];
  }
  /** Milliseconds that a person who plays alone has for a mirror; null: no clock runs. */
  #windowOf({ stage, position }: Calm): number | null {
    const { seats, options } = this.known;
    const asks = stage === 'window' || (stage === 'leaving' && !seats[position.leaving!]?.yours);
    return asks && options.window !== null ? options.window * SECOND : null;
  }

  async #turn({ position }: Calm, seat: Seat): Promise<readonly Step[]> {
    const level = this.known.seats[seat]!.bot as Level;
    const chosen = await askBot('decide', position.toSeen(seat), seat, level, randomWord());
    return [{ seat, action: chosen as Step['action'] }];
  }
  /** What bots decide about a mirror. Each thinks, whether it holds it or not: the time that they take says nothing (K7.6). */
  async #mirrors({ position }: Calm, asked: readonly Seat[]): Promise<readonly Step[]> {
    const thinking = asked.map(async (seat): Promise<Step> => {
      const level = this.known.seats[seat]!.bot as Level;
      const notices = below(100) >= EKKO.BOTS[level].misses;
      const mirror = await askBot('mirror', position.toSeen(seat), seat, level, randomWord());
      return { seat, action: (notices && mirror ? mirror : { type: 'pass' }) as Step['action'] };
    });
    return Promise.all(thinking);
  }
  async #timeOut(asked: readonly Seat[], signal: AbortSignal): Promise<readonly Step[]> {
    await later(this.#window.ends - Date.now());
    return signal.aborted ? [] : asked.map((seat) => ({ seat, action: { type: 'pass' } }));
  }
}
