/** The engine of Ekö in this page, which game.ts loads with the pages that show boards. */
import { Analysis } from '../engine/analysis';
import boardRules from '../engine/boards.wasm?url';
import type { SetUp } from '../engine/eko/boards';
import { Eko, type PositionJson } from '../engine/eko/position';
import { PuzzleJudge } from '../engine/eko/puzzles';
import searchRules from '../engine/search.wasm?url';
import { randomWord } from '../net/chance';
import { once } from '../net/once';
import type { Options } from './protocol';

export { HASH } from '../engine/records';

let started: { module: WebAssembly.Module; rules: Eko } | null = null;
let judge: PuzzleJudge | null = null;

export function startEngine(module: WebAssembly.Module): void {
  started ??= { module, rules: new Eko(module) };
}

/** Throws before it is started. */
export function engine(): Eko {
  return begun().rules;
}

export function puzzleJudge(): PuzzleJudge {
  return (judge ??= new PuzzleJudge(begun().module));
}

const boards = once(async () => {
  const [module, { Boards }] = await Promise.all([
    WebAssembly.compileStreaming(fetch(boardRules)),
    import('../engine/eko/boards'),
  ]);
  return new Boards(module);
});

/** A first position, for equal seeds the server's. Fails if what draws it can't be loaded; the next call tries again. */
export async function drawn(
  options: Pick<Options, 'players'> & Partial<Options>,
  seed: number | bigint = options.seed ?? randomWord(),
): Promise<PositionJson> {
  return (await boards()).setUp(engine(), { variants: [], setup: 'standard', ...options } as SetUp, BigInt(seed));
}

/** The workers that search for this page. Fails if what they need can't be loaded; the next call tries again. */
export const searches = once(async () => {
  const [search, { default: networks }] = await Promise.all([
    WebAssembly.compileStreaming(fetch(searchRules)),
    import('../../../src/ekoes/games/eko/bots/network.json'),
  ]);
  return new Analysis(
    { rules: begun().module, search },
    networks,
    () => new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' }),
  );
});

function begun(): NonNullable<typeof started> {
  if (!started) throw new Error('the engine is not started');
  return started;
}
