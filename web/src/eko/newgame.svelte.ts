/** A game that is being set up: seats, variants, set-up and seed, kept for the next time. */
import type { BoardWish } from './api';
import type { NewTable, Setup, Variant } from './protocol';
import { VARIANTS } from './protocol';
import { seatOf, type SeatWish } from '../shell/seatwish';
import { keep, recall } from '../shell/settings.svelte';

interface Kept {
  players: number;
  seats: SeatWish[];
  variants: Variant[];
  setup: Setup;
}

const KEY = 'ekoes.newgame';
const FIRST: Kept = {
  players: 2,
  seats: [0, 1, 2, 3].map((colour) => ({ kind: colour === 0 ? 'here' : 'bot greedy', name: '', colour })),
  variants: [],
  setup: 'standard',
};

export class NewGame {
  players = $state(FIRST.players);
  seats = $state<SeatWish[]>(structuredClone(FIRST.seats));
  variants = $state.raw<Variant[]>([]);
  setup = $state<Setup>('standard');
  seed = $state<number | null>(null);
  #deals = $state(0);
  #dealt: number | null = null;

  constructor() {
    const kept = recall<Partial<Kept>>(KEY, {});
    this.players = kept.players ?? FIRST.players;
    if (kept.seats?.length === 4) this.seats = kept.seats;
    this.variants = kept.variants ?? [];
    this.setup = kept.setup ?? 'standard';
  }

  /** The board to look at; a new deal asks again. */
  readonly wish: BoardWish = $derived.by(() => {
    void this.#deals;
    const { players, variants, setup, seed } = this;
    return { players, variants, setup, ...(seed !== null && { seed }) };
  });

  get table(): NewTable {
    const { players, variants, setup } = this;
    const seed = this.seed ?? this.#dealt;
    return {
      game: 'eko',
      options: { players, variants, setup, ...(seed !== null && { seed }) },
      seats: this.seats.slice(0, players).map(seatOf),
    };
  }

  /** The seed of the board that is shown, so that just this one is played. */
  dealt(seed: number): void {
    this.#dealt = seed;
  }
  deal(): void {
    this.seed = null;
    this.#deals++;
  }
  setSeed(text: string): void {
    const seed = Number.parseInt(text, 10);
    this.seed = Number.isSafeInteger(seed) && seed >= 0 ? seed : null;
  }
  setPlayers(players: number): void {
    this.players = players;
  }
  setVariants(variants: readonly Variant[]): void {
    this.variants = [...variants];
  }
  toggle(variant: Variant): void {
    const on = !this.variants.includes(variant);
    this.variants = VARIANTS.filter((other) => (other === variant ? on : this.variants.includes(other)));
  }
  keep(): void {
    const { players, seats, variants, setup } = this;
    keep(KEY, { players, seats, variants, setup });
  }
}
