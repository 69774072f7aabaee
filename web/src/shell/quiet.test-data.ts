import type { TableMessage } from '../protocol/messages';

/** What tests seldom care about in a table: nobody proposes, chats or asks for another pace. */
export const QUIET: Pick<TableMessage, 'chat' | 'consent' | 'paused' | 'wishes'> = {
  chat: true,
  consent: { proposal: null, may: [], away: [], silent: [], kept: [], rest: null },
  paused: false,
  wishes: [],
};
