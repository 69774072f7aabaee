/** Requests of forms, and their failures in the reader's language. */

import { maybe, t } from '../ui/i18n.svelte';
import { Refused } from './api';

export function failure(error: unknown): string {
  if (!(error instanceof Refused)) return t('error.unknown', { code: String(error) });
  return maybe(`error.${error.code}`) ?? (error.message || t('error.unknown', { code: error.code }));
}

/** A request as a form or page shows it: whether it is under way, and what went wrong in the reader's language; of several the latest. */
export class Request {
  problem = $state<string | null>(null);
  busy = $state(false);
  #runs = 0;

  /** Returns whether it succeeded. */
  async run(request: () => Promise<unknown>): Promise<boolean> {
    const run = ++this.#runs;
    [this.busy, this.problem] = [true, null];
    try {
      await request();
      return true;
    } catch (error) {
      if (run === this.#runs) this.problem = failure(error);
      return false;
    } finally {
      if (run === this.#runs) this.busy = false;
    }
  }
}

/** Whether the server can't be reached. */
export const isLost = (error: unknown): boolean => error instanceof Refused && error.code === 'connection/lost';
