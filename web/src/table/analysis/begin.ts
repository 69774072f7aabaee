import { ask } from '../../net/api';
import { isLost } from '../../net/request.svelte';
import type { BoardInfo, StartPlan } from '../../protocol/messages';
import { entryOf } from '../games';

/** Has the server make the record with which a board begins: of a new game, a position, or a game that pages can't read. */
export async function begin(game: string, plan: StartPlan): Promise<BoardInfo> {
  try {
    return await ask<BoardInfo>(`/api/${game}/analysis`, plan);
  } catch (error) {
    const device = isLost(error) && plan.options ? entryOf(game)?.device : undefined;
    if (!device) throw error;
    return { record: await (await device()).newRecord(plan.options as never), n: 0 };
  }
}
