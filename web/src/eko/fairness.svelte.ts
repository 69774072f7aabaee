/** How fair a board is: the server's report, as it is made. */
import { stream } from '../shell/api';
import { percent, signed } from '../shell/i18n.svelte';
import { failure } from '../shell/request.svelte';
import type { OwnLayout, SpaceName } from './protocol';

export type Tiles = OwnLayout['tiles'];
/** A share of the wins, 0 to 1, with its 95 % interval. */
export interface Share {
  share: number;
  low: number;
  high: number;
}
export const HEATS = ['occupied', 'attacked', 'built'] as const;
export type Heat = (typeof HEATS)[number];
export interface Report {
  players: number;
  games: number;
  verdict: 'fair' | 'unfair' | 'unclear';
  because: 'wins' | 'distances';
  /** By place in the order of turns. */
  order: Share[];
  /** Of one deal, by seat. */
  seats?: Share[];
  drawn: number;
  turns: { median: number };
  distances: { measure: string; site?: SpaceName; seats: number[]; gap: number }[];
  heat?: Record<Heat, Record<SpaceName, number>>;
}
/** A named layout; `title` and `text` by language. */
export interface NamedLayout {
  name: string;
  title: Record<string, string>;
  text: Record<string, string>;
  players: number;
  variants: string[];
  tiles: Tiles;
  report: Report;
}
interface Progress {
  played: number;
  games: number;
  report: Report | null;
}

export class Fairness {
  report = $state.raw<Report | null>(null);
  /** While games are played. */
  progress = $state.raw<Progress | null>(null);
  problem = $state<string | null>(null);
  #abort: AbortController | null = null;

  async play(layout: Tiles): Promise<void> {
    this.stop();
    const abort = (this.#abort = new AbortController());
    this.problem = null;
    this.progress = { played: 0, games: 1, report: null };
    try {
      for await (const line of stream<Progress>('/api/eko/fairness', { layout }, abort.signal)) {
        this.progress = line;
        if (line.report) this.report = line.report;
      }
      if (this.progress.report === null) this.problem = failure(null);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.problem = failure(error);
    }
    this.progress = null;
  }

  stop(): void {
    this.#abort?.abort();
    [this.#abort, this.progress] = [null, null];
  }
}

/** By how many points the first player has more than an equal share. */
export function advantage({ order, players }: Report): string {
  return signed(Math.round(100 * ((order[0]?.share ?? 0) - 1 / players)));
}

export function interval({ low, high }: Share): string {
  return `${percent(low)} – ${percent(high)}`;
}
