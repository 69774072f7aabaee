/** The engine of Ekö in this page, which game.ts loads with the pages that show boards. */
import { Eko } from '../engine/eko/position';

let started: Eko | null = null;

export function startEngine(module: WebAssembly.Module): void {
  started ??= new Eko(module);
}

/** Throws before it is started. */
export function engine(): Eko {
  if (!started) throw new Error('the engine is not started');
  return started;
}
