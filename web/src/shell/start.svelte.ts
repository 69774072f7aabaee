/** Starting a table: the request, and what went wrong in the reader's language. */
import { createTable, Refused } from './api';
import { madeTable } from './games';
import { maybe, t } from './i18n.svelte';
import type { NewTable } from './protocol';
import { go } from './route.svelte';

/** A failure in words. */
export function failure(error: unknown): string {
  if (!(error instanceof Refused)) return t('error.unknown', { code: String(error) });
  return maybe(`error.${error.code}`) ?? (error.message || t('error.unknown', { code: error.code }));
}

export class Start {
  problem = $state<string | null>(null);
  busy = $state(false);

  /** Makes a table and goes there. view: the end of its address. Returns whether it was made. */
  async table(wish: NewTable, view = ''): Promise<boolean> {
    this.busy = true;
    try {
      const { id, url } = await createTable(wish);
      madeTable(id, wish.game);
      go(url + view);
      return true;
    } catch (error) {
      this.problem = failure(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
