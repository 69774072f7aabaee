/** The review of a finished game, asked for and followed while it is made. */

import { ask, Refused } from '../net/api';
import type { Later } from '../net/connection.svelte';
import { failure } from '../net/request.svelte';
import type { PlayedGame, PlayerReview, ReviewInfo } from '../protocol/messages';
import { noteReviewed } from '../ui/settings.svelte';

export type Progress<Found> = Omit<ReviewInfo, 'review'> & { review: Found | null };

/** A game of the reader with what its review found of the reader. */
export type Reviewed = Omit<PlayedGame, 'review'> & { review: PlayerReview };

export const reviewedOf = (games: readonly PlayedGame[]): Reviewed[] =>
  games.filter((game): game is Reviewed => game.review !== null);

/** Milliseconds between requests for its progress. */
export const POLL = 1000;

export class Following<Found> {
  answer = $state.raw<Progress<Found> | null>(null);
  problem = $state<string | null>(null);
  readonly #address: string;
  readonly #id: string;
  readonly #later: Later;
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(id: string, later: Later) {
    this.#id = id;
    this.#address = `/api/tables/${id}/review`;
    this.#later = later;
  }

  /** Asks for it if it is not there, and follows it until it is done. */
  async follow(): Promise<void> {
    noteReviewed(this.#id);
    try {
      const stored = await ask<Progress<Found>>(this.#address);
      const answer = stored.state === 'none' ? await ask<Progress<Found>>(this.#address, {}) : stored;
      [this.answer, this.problem] = [answer, null];
      if (answer.state !== 'done') this.#again();
    } catch (error) {
      if (error instanceof Refused && error.code === 'connection/lost') this.#again();
      else this.problem = failure(error);
    }
  }

  /** Asks for it once; null if there is none. */
  async look(): Promise<void> {
    this.answer = await ask<Progress<Found>>(this.#address).catch(() => null);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #again(): void {
    if (!this.#stopped) this.#cancel = this.#later(() => void this.follow(), POLL);
  }
}
