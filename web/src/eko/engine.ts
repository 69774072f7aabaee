/** The engine of Ekö in this page, which game.ts loads with the pages that show boards. */
import { Analysis } from '../engine/analysis';
import boardRules from '../engine/boards.wasm?url';
import type { Boards } from '../engine/eko/boards';
import { Eko } from '../engine/eko/position';
import { PuzzleJudge } from '../engine/eko/puzzles';
import searchRules from '../engine/search.wasm?url';

export { HASH } from '../engine/records';

let started: { module: WebAssembly.Module; rules: Eko } | null = null;
let analysis: Promise<Analysis> | null = null;
let judge: PuzzleJudge | null = null;
let drawing: Promise<Boards> | null = null;

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

/** What draws random boards. Fails if it can't be loaded; the next call tries again. */
export function boards(): Promise<Boards> {
  drawing ??= Promise.all([WebAssembly.compileStreaming(fetch(boardRules)), import('../engine/eko/boards')]).then(
    ([module, { Boards }]) => new Boards(module),
    (error: unknown) => {
      drawing = null;
      throw error;
    },
  );
  return drawing;
}

/** The workers that search for this page. Fails if what they need can't be loaded; the next call tries again. */
export function searches(): Promise<Analysis> {
  const { module: rules } = begun();
  analysis ??= Promise.all([
    WebAssembly.compileStreaming(fetch(searchRules)),
    import('../../../src/ekoes/games/eko/bots/network.json'),
  ]).then(
    ([search, { default: networks }]) =>
      new Analysis(
        { rules, search },
        networks,
        () => new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' }),
      ),
    (error: unknown) => {
      analysis = null;
      throw error;
    },
  );
  return analysis;
}

function begun(): NonNullable<typeof started> {
  if (!started) throw new Error('the engine is not started');
  return started;
}
