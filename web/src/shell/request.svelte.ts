/** Requests of forms, and their failures in the reader's language. */
import type { Created } from '../protocol/messages';
import { ask, Refused } from './api';
import { created, entryOf, loadHome, noteGame } from './games';
import { maybe, t } from './i18n.svelte';
import type { NewTable } from './protocol';
import { go } from './route.svelte';
import { loadServer } from './server.svelte';

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

  /** Creates a table and opens it. `view`: the end of its address. */
  table(plan: NewTable, view = ''): Promise<boolean> {
    return this.run(() => open(plan, view));
  }

  /** Starts a game against bots. */
  quick(game: string): Promise<boolean> {
    return this.run(async () => {
      const [{ games }, home] = await Promise.all([loadServer(), loadHome(game)]);
      const about = games.find(({ name }) => name === game);
      if (about) await open(home.quickTable(about));
    });
  }
}

/** Whether the server can't be reached. */
export const isLost = (error: unknown): boolean => error instanceof Refused && error.code === 'connection/lost';

/** Whether it is a new game in which all players are bots or at this device, and no clock runs. */
function needsNobody({ seats, options, record }: NewTable): boolean {
  const { clock, rated } = options as { clock?: object; rated?: boolean };
  return !clock && !rated && record === undefined && seats.every(({ kind }) => kind !== 'open');
}

async function open(plan: NewTable, view = ''): Promise<void> {
  let table: Created;
  try {
    table = await ask<Created>('/api/tables', plan);
  } catch (error) {
    const device = isLost(error) && needsNobody(plan) ? entryOf(plan.game)?.device : undefined;
    if (!device) throw error;
    return go(`/t/${await (await device()).begin(plan as NewTable<never>)}`);
  }
  const { id, url } = table;
  noteGame(id, plan.game);
  created.add(id);
  go(url + view);
}
