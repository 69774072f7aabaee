import { Connection, type Transport } from '../../net/connection.svelte';
import { type Change, patched } from '../../net/diff';
import type { ErrorMessage } from '../../net/protocol';
import type {
  TournamentFacts,
  TournamentGame,
  TournamentInfo,
  TournamentListed,
  TournamentStanding,
} from '../../protocol/messages';
import { titleOf } from '../../table/games';
import { loadedHome } from '../../table/homes.svelte';
import { planLine } from '../../ui/clock';
import { moment, plural, t } from '../../ui/i18n.svelte';

export const FORMS = ['robin', 'swiss', 'tables', 'arena'] as const;
export type TournamentForm = (typeof FORMS)[number];

export type TournamentSnapshot = Omit<TournamentInfo, 'id'>;

export type TournamentMessage =
  | ({ type: 'tournament' } & TournamentSnapshot)
  | { type: 'news'; change: Change }
  | ErrorMessage;

export interface Row extends TournamentStanding {
  number: number;
  name: string;
  left: boolean;
  mine: boolean;
  cells: readonly (Cell | null)[];
}
/** `points`: null: the game is running. */
export interface Cell {
  points: number | null;
  others: readonly number[];
}

export class LiveTournament extends Connection<TournamentMessage, never> {
  snapshot = $state.raw<TournamentSnapshot | null>(null);
  readonly #called: (table: string) => void;

  readonly rows: readonly Row[] = $derived(this.snapshot ? rowsOf(this.snapshot) : []);
  readonly rounds: readonly { number: number; games: readonly TournamentGame[] }[] = $derived(
    Object.entries(this.snapshot?.rounds ?? {})
      .map(([number, games]) => ({ number: Number(number), games }))
      .sort((a, b) => b.number - a.number),
  );
  /** The rounds that count in the standings: those whose games are all over. */
  readonly ended: number = $derived(this.rounds.filter(({ games }) => games.every(({ points }) => points)).length);
  readonly mine: TournamentGame | null = $derived(
    this.rounds[0]?.games.find(({ seats }) => seats.includes(this.snapshot?.own.entrant ?? 0)) ?? null,
  );

  /** A round that is still to be drawn has a place for this reader. */
  readonly canJoin: boolean = $derived.by(() => {
    if (!this.snapshot || this.snapshot.own.entrant !== undefined) return false;
    const { status, late, drawn, rounds, form } = this.snapshot.about;
    return status === 'open' || (status === 'running' && late && (form === 'arena' || drawn < rounds));
  });

  /** `called`: called when a game of this player begins. */
  constructor(transport: Transport, called: (table: string) => void) {
    super(transport);
    this.#called = called;
  }

  override receive(message: TournamentMessage): void {
    const before = this.snapshot;
    if (message.type === 'tournament') this.snapshot = message;
    else if (message.type === 'news') this.snapshot = patched(this.snapshot, message.change) as TournamentSnapshot;
    const table = this.snapshot?.own.table;
    if (before && table !== undefined && table !== before.own.table) this.#called(table);
  }
}

function rowsOf({ about, entrants, standings, rounds, own }: TournamentSnapshot): Row[] {
  const drawn = about.form === 'arena' ? 0 : Object.keys(rounds).length;
  return Object.entries(standings)
    .map(([key, standing]) => {
      const number = Number(key);
      const cells = Array.from({ length: drawn }, (_, round) => cellOf(rounds[String(round + 1)] ?? [], number));
      const { name = '', left = false } = entrants[key] ?? {};
      return { ...standing, number, name, left, mine: own.entrant === number, cells };
    })
    .sort((a, b) => a.rank - b.rank || a.number - b.number);
}

function cellOf(games: readonly TournamentGame[], number: number): Cell | null {
  const game = games.find(({ seats }) => seats.includes(number));
  if (!game) return null;
  const points = game.points?.[game.seats.indexOf(number)] ?? null;
  return { points, others: game.seats.filter((other) => other !== number) };
}

export function detailsOf(one: TournamentListed | TournamentFacts): string[] {
  return [
    titleOf(one.game),
    t(`tournament.form.${one.form}`),
    ...(one.players > 2 ? [plural('people.players', one.players)] : []),
    ...(one.minutes === undefined ? [] : [t('tournament.lasts', { n: one.minutes })]),
    ...(one.clock ? [planLine(one.clock)] : []),
    ...(one.rated ? [t('people.rated')] : []),
    ...(loadedHome(one.game)?.describeOptions(one.options) ?? []),
    ...(one.starts_at === undefined ? [] : [startOf(one.starts_at)]),
  ];
}

const startOf = (at: number): string => t('tournament.starts', { when: moment(new Date(at).toISOString()) });

/** In a word how far it is; without a round it was called off. */
export function statusOf({ status, drawn }: TournamentListed | TournamentFacts): string {
  return t(`tournament.status.${status === 'over' && drawn === 0 ? 'cancelled' : status}`);
}

/** Where a tournament is made: for everybody, or for the members of a club. */
export const newTournament = (club: string | null): string =>
  `/api${club === null ? '' : `/clubs/${club}`}/tournaments`;

/** Accounts that were deleted have no name. */
export const nameOf = (name: string | undefined): string => name || t('people.gone');
