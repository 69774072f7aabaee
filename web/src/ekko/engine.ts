/** The engine of EKKO in this page, which game.ts loads with the pages that play sequences. */
import { Ekko } from '../engine/ekko/position';

export { HASH } from '../engine/records';

let rules: Ekko | null = null;

export function startEngine(module: WebAssembly.Module): void {
  rules ??= new Ekko(module);
}

/** Throws before it is started. */
export function engine(): Ekko {
  if (!rules) throw new Error('the engine is not started');
  return rules;
}
