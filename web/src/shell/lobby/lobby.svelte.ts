/** The lobby as one page sees it: the line, what was told, and what is looked for. Headless. */
import { planLine } from '../clock';
import type { Surroundings } from '../connection';
import { changed } from '../difference';
import type { Invitation } from '../invite/invite';
import { Online } from '../online.svelte';
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

/** When a table is due; one without a clock is so last, and keeps its place. */
const dueOf = ({ due = Number.MAX_SAFE_INTEGER }: OwnTable): number => due;

export class Lobby extends Online<LobbyMessage, LobbyWish> {
  told = $state.raw<Told | null>(null);
  /** What is looked for. */
  sought = $state.raw<Seek | null>(null);
  problem = $state.raw<Failure | null>(null);
  /** Invitations that wait for an answer, others' and one's own. */
  invitations = $state.raw<readonly Invitation[]>([]);
  /** How a guest is called here. */
  #name = '';
  readonly #paired: (table: string, game: string) => void;

  /** Own tables: first those that wait for me, of these what is due first. */
  readonly own: readonly Named<OwnTable>[] = $derived(
    inOrder(this.told?.own ?? {}).sort((a, b) => STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing) || dueOf(a) - dueOf(b)),
  );
  /** How many wait for me. */
  readonly awaiting = $derived(this.own.filter(({ standing }) => standing === 'yours').length);
  readonly #others: readonly Named<LobbyTable>[] = $derived(inOrder(this.told?.tables ?? {}).filter(({ id }) => !(id in (this.told?.own ?? {}))));
  readonly free: readonly Named<LobbyTable>[] = $derived(this.#others.filter(({ open }) => open));
  readonly running: readonly Named<LobbyTable>[] = $derived(this.#others.filter(({ open }) => !open));

  /** `paired`: is told where a game was found. */
  constructor(around: Surroundings, paired: (table: string, game: string) => void) {
    super(around);
    this.#paired = paired;
  }

  enter(name: string): void {
    this.#name = name;
    this.open();
  }

  call(name: string): void {
    if (name === this.#name) return;
    this.#name = name;
    this.connection.send({ type: 'hello', name });
  }
  seek(seek: Seek): void {
    [this.sought, this.problem] = [seek, null];
    this.connection.send({ type: 'seek', ...seek, ...(this.#name && { name: this.#name }) });
  }
  unseek(): void {
    this.sought = null;
    this.connection.send({ type: 'unseek' });
  }
  /** How many look for a game as it usually is, with so many players, a clock, rated or not; I am among them where I do. */
  waiting(game: string, { players, clock, rated }: Seek['options']): number {
    const key = clock && planLine(clock);
    const found = Object.values(this.told?.seeking ?? {}).find(
      (one) =>
        one.game === game &&
        one.players === players &&
        Object.keys(one.options).length === 0 &&
        (one.clock && planLine(one.clock)) === key &&
        one.rated === rated,
    );
    return found?.waiting ?? 0;
  }

  override receive(message: LobbyMessage): void {
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
      case 'challenge':
        return this.#note(message.challenge);
      case 'challenge-gone':
        return this.#settle(message.id, message.table);
      case 'error':
        [this.sought, this.problem] = [null, message];
    }
  }

  protected override lost(): void {
    this.invitations = [];
  }
  /** Takes in an invitation, or what one that is known has come to. */
  #note(invitation: Invitation): void {
    const is = ({ id }: Invitation): boolean => id === invitation.id;
    this.invitations = this.invitations.some(is) ? this.invitations.map((one) => (is(one) ? invitation : one)) : [...this.invitations, invitation];
  }
  #without(id: string): Invitation[] {
    return this.invitations.filter((one) => one.id !== id);
  }
  /** An invitation waits no more; where all have accepted the game begins. */
  #settle(id: string, table: string | null): void {
    const settled = this.invitations.find((one) => one.id === id);
    this.invitations = this.#without(id);
    if (settled && table !== null) this.#paired(table, settled.game);
  }

  /** A line that is new knows neither a name nor what is looked for. */
  #introduce(): void {
    if (this.#name) this.connection.send({ type: 'hello', name: this.#name });
    if (this.sought) this.seek(this.sought);
  }
}
