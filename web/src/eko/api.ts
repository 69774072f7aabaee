import { ask } from '../shell/api';
import type { Preview, Setup, State, Variant } from './protocol';

export interface BoardWish {
  players: number;
  variants: Variant[];
  setup: Setup;
  seed?: number;
}

export const preview = (wish: BoardWish): Promise<Preview> => ask('/api/eko/preview', wish);
export const positionAfter = async (id: string, n: number): Promise<State> =>
  (await ask<{ n: number; state: State }>(`/api/tables/${id}/positions/${n}`)).state;
