/** The script of a worker in which the bots of EKKO decide. */
import type { Action } from './action';
import { Bots, type Level } from './bots';
import type { SeenJson } from './position';

/** A question to a bot. `asked`: whether it plays the mirror, or what else it does; `key` comes back with the answer. */
export interface Question {
  readonly key: number;
  readonly asked: 'decide' | 'mirror';
  readonly view: SeenJson;
  readonly seat: number;
  readonly level: Level;
  readonly word: bigint;
}
export interface Answer {
  readonly key: number;
  readonly action: Action | undefined;
}

let bots: Bots;

self.onmessage = ({ data }: MessageEvent<WebAssembly.Module | Question>) => {
  if (data instanceof WebAssembly.Module) {
    bots = new Bots(data);
    return;
  }
  const { key, asked, view, seat, level, word } = data;
  postMessage({ key, action: bots[asked](view, seat, level, word) } satisfies Answer);
};
