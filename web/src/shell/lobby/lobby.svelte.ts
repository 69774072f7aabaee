/** The lobby as one page sees it: the line, what was told, and what is looked for. Headless. */
import { planLine, type ClockPlan } from '../clock';
import { Connection, type Line, type Surroundings } from '../connection';
import { changed } from '../difference';
import type { Failure } from '../protocol';
import type { LobbyMessage, LobbyTable, LobbyWish, OwnTable, Seek, Told } from './protocol';

/** A table with its id. */
export type Named<Table> = Table & { id: string };

const STANDINGS: readonly OwnTable['standing'][] = ['yours', 'waiting', 'others', 'over'];

/** Tables by id as a list, the oldest first: what comes takes its place at the end, and nothing jumps. */
function inOrder<Table extends LobbyTable>(tables: Record<string, Table>): Named<Table>[] {
  return Object.entries(tables)
    .map(([id, table]) => ({ ...table, id }))
    .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
}

export class Lobby {
  line = $state<Line>('connecting');
  told = $state.raw<Told | null>(null);
  /** What is looked for. */
  sought = $state.raw<Seek | null>(null);
  problem = $state.raw<Failure | null>(null);
  /** How a guest is called here. */
  #name = '';
  readonly #connection: Connection<LobbyMessage, LobbyWish>;
  readonly #paired: (table: string, game: string) => void;

  /** Own tables: first those that wait for me. */
  readonly own: readonly Named<OwnTable>[] = $derived(
    inOrder(this.told?.own ?? {}).sort((a, b) => STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing)),
  );
  readonly #others: readonly Named<LobbyTable>[] = $derived(inOrder(this.told?.tables ?? {}).filter(({ id }) => !(id in (this.told?.own ?? {}))));
  readonly open: readonly Named<LobbyTable>[] = $derived(this.#others.filter(({ open }) => open));
  readonly running: readonly Named<LobbyTable>[] = $derived(this.#others.filter(({ open }) => !open));

  /** `paired`: is told where a game was found. */
  constructor(around: Surroundings, paired: (table: string, game: string) => void) {
    this.#paired = paired;
    this.#connection = new Connection(
      around,
      (message) => this.receive(message),
      (line) => {
        this.line = line;
      },
    );
  }

  enter(name: string): void {
    this.#name = name;
    this.#connection.open();
  }
  close(): void {
    this.#connection.close();
  }
  hurry(): void {
    this.#connection.hurry();
  }
  drop(): void {
    this.#connection.drop();
  }

  call(name: string): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#connection.send({ type: 'hello', name });
  }
  seek(seek: Seek): void {
    [this.sought, this.problem] = [seek, null];
    this.#connection.send({ type: 'seek', ...seek, ...(this.#name && { name: this.#name }) });
  }
  unseek(): void {
    this.sought = null;
    this.#connection.send({ type: 'unseek' });
  }
  /** How many look for a game as it usually is, with so many players and a clock; I am among them where I do. */
  waiting(game: string, players: number, clock: ClockPlan | null = null): number {
    const key = clock && planLine(clock);
    const found = Object.values(this.told?.seeking ?? {}).find(
      (one) => one.game === game && one.players === players && Object.keys(one.options).length === 0 && (one.clock ? planLine(one.clock) : null) === key,
    );
    return found?.waiting ?? 0;
  }

  receive(message: LobbyMessage): void {
    switch (message.type) {
      case 'lobby':
        this.told = message;
        return this.#introduce();
      case 'news':
        this.told = changed(this.told, message.change) as Told;
        return;
      case 'paired':
        this.sought = null;
        return this.#paired(message.table, message.game);
      case 'error':
        [this.sought, this.problem] = [null, message];
    }
  }

  /** A line that is new knows neither a name nor what is looked for. */
  #introduce(): void {
    if (this.#name) this.#connection.send({ type: 'hello', name: this.#name });
    if (this.sought) this.seek(this.sought);
  }
}
