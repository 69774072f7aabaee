import { Connection, type Transport } from '../../net/connection.svelte';
import { type Change, patched } from '../../net/diff';
import type { ErrorMessage, Unsent } from '../../net/protocol';
import type * as sent from '../../protocol/messages';
import { planLine } from '../../ui/clock';

export type LobbyTable = Omit<sent.LobbyTable, 'standing' | 'public' | 'due'>;
/** A table where this browser has a seat. due: when the clock that runs ends, in milliseconds since 1970. */
export type OwnTable = LobbyTable &
  Pick<sent.LobbyTable, 'due'> &
  Required<Pick<sent.LobbyTable, 'standing' | 'public'>>;
/** A game that players seek. */
export interface Sought {
  game: string;
  players: number;
  options: object;
  waiting: number;
  rated?: true;
  clock?: sent.ClockPlan;
}
/** Everything in the lobby by its id. */
export interface LobbySnapshot {
  tables: Record<string, LobbyTable>;
  own: Record<string, OwnTable>;
  people: Record<string, sent.LobbyPerson>;
  counts: { guests?: number; playing?: number };
  seeking: Record<string, Sought>;
  tournaments: Record<string, Omit<sent.TournamentListed, 'id'>>;
}
export type LobbyMessage =
  | ({ type: 'lobby' } & LobbySnapshot)
  | { type: 'news'; change: Change }
  | sent.PairedMessage
  | sent.SameNetworkMessage
  | sent.AckMessage
  | ErrorMessage;

export interface Seek {
  game: string;
  options: { players: number; rated?: true; clock?: sent.ClockPlan; calm?: true };
  bots?: sent.Bots;
}
type LobbyOrder = Unsent<sent.Hello | sent.Unseek> | (Seek & Pick<sent.Seek, 'type' | 'name' | 'gives_part'>);

export type Named<Table> = Table & { id: string };

const STANDINGS: readonly OwnTable['standing'][] = ['yours', 'waiting', 'others', 'over'];

/** The oldest first: new tables are appended, so that nothing moves. */
export function inOrder<Table extends LobbyTable>(tables: Record<string, Table>): Named<Table>[] {
  return Object.entries(tables)
    .map(([id, table]) => ({ ...table, id }))
    .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
}

const dueOf = ({ due = Number.MAX_SAFE_INTEGER }: OwnTable): number => due;

export class Lobby extends Connection<LobbyMessage, LobbyOrder> {
  snapshot = $state.raw<LobbySnapshot | null>(null);
  sought = $state.raw<Seek | null>(null);
  problem = $state.raw<ErrorMessage | null>(null);
  /** Somebody with this browser's address has sought the same rated game: they are not paired. */
  sameNetwork = $state(false);
  #name: string;
  readonly #paired: (table: string, game: string) => void;

  readonly own: readonly Named<OwnTable>[] = $derived(
    inOrder(this.snapshot?.own ?? {}).sort(
      (a, b) => STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing) || dueOf(a) - dueOf(b),
    ),
  );
  readonly awaiting = $derived(this.own.filter(({ standing }) => standing === 'yours').length);
  readonly #others: readonly Named<LobbyTable>[] = $derived(
    inOrder(this.snapshot?.tables ?? {}).filter(({ id }) => !(id in (this.snapshot?.own ?? {}))),
  );
  readonly free: readonly Named<LobbyTable>[] = $derived(this.#others.filter(({ open }) => open));
  readonly running: readonly Named<LobbyTable>[] = $derived(this.#others.filter(({ open }) => !open));

  /** `paired`: called when a game was found. */
  constructor(transport: Transport, name: string, paired: (table: string, game: string) => void) {
    super(transport);
    [this.#name, this.#paired] = [name, paired];
  }

  call(name: string): void {
    if (name === this.#name) return;
    this.#name = name;
    this.transmit({ type: 'hello', name });
  }
  seek(seek: Seek): void {
    [this.sought, this.problem, this.sameNetwork] = [seek, null, false];
    this.transmit({ type: 'seek', ...seek, gives_part: true, ...(this.#name && { name: this.#name }) });
  }
  unseek(): void {
    [this.sought, this.sameNetwork] = [null, false];
    this.transmit({ type: 'unseek' });
  }
  /** How many players seek a game with these options and else the defaults; including this player. */
  waiting(game: string, { players, clock, rated, ...options }: Seek['options']): number {
    const key = clock && planLine(clock);
    const found = Object.values(this.snapshot?.seeking ?? {}).find(
      (one) =>
        one.game === game &&
        one.players === players &&
        JSON.stringify(one.options) === JSON.stringify(options) &&
        (one.clock && planLine(one.clock)) === key &&
        one.rated === rated,
    );
    return found?.waiting ?? 0;
  }

  override receive(message: LobbyMessage): void {
    switch (message.type) {
      case 'lobby':
        this.snapshot = message;
        return this.#introduce();
      case 'news':
        this.snapshot = patched(this.snapshot, message.change) as LobbySnapshot;
        return;
      case 'same-network':
        this.sameNetwork = true;
        return;
      case 'paired':
        this.sought = null;
        return this.#paired(message.table, message.game);
      case 'error':
        [this.sought, this.problem] = [null, message];
    }
  }

  /** Introduces this browser again on a new connection. */
  #introduce(): void {
    if (this.#name) this.transmit({ type: 'hello', name: this.#name });
    if (this.sought) this.seek(this.sought);
  }
}
