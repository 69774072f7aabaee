/** How fair a board is: the server's report, as it is made. */
import type { FairnessInfo, FairnessReport, ShareInfo } from '../protocol/messages';
import { stream } from '../shell/api';
import { percent, signed } from '../shell/i18n.svelte';
import { failure } from '../shell/request.svelte';
import type { OwnLayout } from './protocol';

export type Tiles = OwnLayout['tiles'];
export const HEATS = ['occupied', 'attacked', 'built'] as const;
export type Heat = (typeof HEATS)[number];

export class Fairness {
  report = $state.raw<FairnessReport | null>(null);
  /** While games are played. */
  progress = $state.raw<FairnessInfo | null>(null);
  problem = $state<string | null>(null);
  #abort: AbortController | null = null;

  async play(layout: Tiles): Promise<void> {
    this.stop();
    const abort = (this.#abort = new AbortController());
    this.problem = null;
    this.progress = { played: 0, games: 1, report: null };
    try {
      for await (const line of stream<FairnessInfo>('/api/eko/fairness', { layout }, abort.signal)) {
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
export function advantage({ order, players }: FairnessReport): string {
  return signed(Math.round(100 * ((order[0]?.share ?? 0) - 1 / players)));
}

export function interval({ low, high }: ShareInfo): string {
  return `${percent(low)} – ${percent(high)}`;
}
