/** New tables: on the server, or at this device where the server is lost and nobody else is needed. */

import { ask } from '../net/api';
import { created, noteGame } from '../net/known';
import type { NewTable } from '../net/protocol';
import { isLost, Request } from '../net/request.svelte';
import { loadServer } from '../net/server.svelte';
import type { Created } from '../protocol/messages';
import { go } from '../ui/route.svelte';
import { entryOf, loadHome } from './games';

/** The request of a form or button that begins a game. */
export class Begin extends Request {
  /** Creates a table and opens it. `view`: the end of its address. `club`: whose members alone may sit down. */
  table(plan: NewTable, view = '', club: string | null = null): Promise<boolean> {
    return this.run(() => open(plan, view, club === null ? '' : `/clubs/${club}`));
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

/** Whether it is a new game in which all players are bots or at this device, and no clock runs. */
function needsNobody({ seats, options, record }: NewTable): boolean {
  const { clock, rated } = options as { clock?: object; rated?: boolean };
  return !clock && !rated && record === undefined && seats.every(({ kind }) => kind !== 'open');
}

async function open(plan: NewTable, view = '', place = ''): Promise<void> {
  let table: Created;
  try {
    table = await ask<Created>(`/api${place}/tables`, { ...plan, gives_part: true });
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

/** The table at which whoever comes sits down at once, as a button of the lobby said; read once. */
let wanted: string | null = null;

export function sitOnArrival(table: string): void {
  wanted = table;
}

export function sitsOnArrival(table: string): boolean {
  const came = wanted !== null && wanted === table;
  if (came) wanted = null;
  return came;
}
