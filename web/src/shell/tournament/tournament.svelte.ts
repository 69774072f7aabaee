/** A tournament as one page sees it: the line, and what was told. Headless. */
import type { Surroundings } from '../connection';
import { changed } from '../difference';
import { Online } from '../online.svelte';
import type { Game, Standing, Told, TournamentMessage } from './protocol';

/** An entrant with what they have come to. */
export interface Row extends Standing {
  number: number;
  name: string;
  left: boolean;
  mine: boolean;
  /** Round by round. */
  cells: readonly (Cell | null)[];
}
/** What a round brought somebody; points: null: their game goes on. others: whom they met. */
export interface Cell {
  points: number | null;
  others: readonly number[];
}

export class Room extends Online<TournamentMessage, never> {
  told = $state.raw<Told | null>(null);
  readonly #called: (table: string) => void;

  readonly rows: readonly Row[] = $derived(this.told ? rowsOf(this.told) : []);
  /** The rounds, the latest first. */
  readonly rounds: readonly { number: number; games: readonly Game[] }[] = $derived(
    Object.entries(this.told?.rounds ?? {})
      .map(([number, games]) => ({ number: Number(number), games }))
      .sort((a, b) => b.number - a.number),
  );
  /** My game of the latest round; null: I have none. */
  readonly mine: Game | null = $derived(this.rounds[0]?.games.find(({ seats }) => seats.includes(this.told?.own.entrant ?? 0)) ?? null);

  /** `called`: is told when a game of mine begins while I look on. */
  constructor(around: Surroundings, called: (table: string) => void) {
    super(around);
    this.#called = called;
  }

  override receive(message: TournamentMessage): void {
    const before = this.told;
    if (message.type === 'tournament') this.told = message;
    else if (message.type === 'news') this.told = changed(this.told, message.change) as Told;
    const table = this.told?.own.table;
    if (before && table !== undefined && table !== before.own.table) this.#called(table);
  }
}

function rowsOf({ entrants, standings, rounds, own }: Told): Row[] {
  const drawn = Object.keys(rounds).length;
  return Object.entries(standings)
    .map(([key, standing]) => {
      const number = Number(key);
      const cells = Array.from({ length: drawn }, (_, round) => cellOf(rounds[String(round + 1)] ?? [], number));
      const { name = '', left = false } = entrants[key] ?? {};
      return { ...standing, number, name, left, mine: own.entrant === number, cells };
    })
    .sort((a, b) => a.rank - b.rank || a.number - b.number);
}

function cellOf(games: readonly Game[], number: number): Cell | null {
  const game = games.find(({ seats }) => seats.includes(number));
  if (!game) return null;
  const points = game.points?.[game.seats.indexOf(number)] ?? null;
  return { points, others: game.seats.filter((other) => other !== number) };
}
