/** For tests: the rules of EKKO with its worker of bots. */
import { vi } from 'vitest';
import { Bots } from '../engine/ekko/bots';
import type { Question } from '../engine/ekko/worker';
import { startEngine } from './engine';

/** What bots were told. */
export const asks: Question['view'][] = [];

/** Answers as the worker of bots does, of which Node's are no `Worker`. */
class BotWorker extends EventTarget {
  #bots: Bots | null = null;

  postMessage(data: WebAssembly.Module | Question): void {
    if (data instanceof WebAssembly.Module) {
      this.#bots = new Bots(data);
      return;
    }
    const { key, asked, view, seat, level, word } = structuredClone(data);
    asks.push(view);
    const action = this.#bots![asked](view, seat, level, word);
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: { key, action } })));
  }
}

export function startRules(bytes: BufferSource): void {
  vi.stubGlobal('Worker', BotWorker);
  startEngine(new WebAssembly.Module(bytes));
}
