/** First positions, which the page draws as a server does. */
import boardRules from '../engine/boards.wasm?url';
import type { SetUp } from '../engine/eko/boards';
import type { PositionJson } from '../engine/eko/position';
import { randomWord } from '../net/chance';
import { once } from '../net/once';
import { engine } from './engine';
import type { Options } from './protocol';

const boards = once(async () => {
  const [module, { Boards }] = await Promise.all([
    WebAssembly.compileStreaming(fetch(boardRules)),
    import('../engine/eko/boards'),
  ]);
  return new Boards(module);
});

/** A first position, the server's for the same seed. Fails if the module that draws it can't be loaded; the next call tries again. */
export async function drawn(
  options: Pick<Options, 'players'> & Partial<Options>,
  seed: number | bigint = options.seed ?? randomWord(),
): Promise<PositionJson> {
  return (await boards()).setUp(engine(), { variants: [], setup: 'standard', ...options } as SetUp, BigInt(seed));
}
