/** The engine of Ekö in this page, which game.ts loads with the pages that show boards. */
import { Eko } from '../engine/eko/position';
import { HASH } from '../engine/records';
import { reload } from '../shell/server.svelte';

let started: Eko | null = null;

export function startEngine(module: WebAssembly.Module): void {
  started ??= new Eko(module);
}

/** Loads an old page anew, once. Throws if the server has other rules than the page. rules: the server's hash of them. */
export async function checkRules(rules: string): Promise<void> {
  if (rules === HASH) return;
  await reload();
  throw new Error('the server has other rules');
}

/** Throws before it is started. */
export function engine(): Eko {
  if (!started) throw new Error('the engine is not started');
  return started;
}
