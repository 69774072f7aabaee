/** For tests: the rules of EKKO with its worker. */
import { vi } from 'vitest';
import { type Keyed, type Question, Thinker } from '../engine/ekko/thinker';
import { moduleOf } from '../engine/testing';
import { startEngine } from './engine';

/** What the worker was asked. */
export const asks: Question[] = [];

/** Answers as the worker does, of which Node's are no `Worker`. */
class EkkoWorker extends EventTarget {
  #thinker: Thinker | null = null;

  postMessage(data: WebAssembly.Module | Keyed<Question>): void {
    if (data instanceof WebAssembly.Module) {
      this.#thinker = new Thinker(data);
      return;
    }
    const { key, of } = structuredClone(data);
    asks.push(of);
    const answer = this.#thinker!.answer(of);
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: { key, of: answer } })));
  }
}

export function startRules(): void {
  vi.stubGlobal('Worker', EkkoWorker);
  startEngine(moduleOf('ekko'));
}
