/** The engine of EKKO in this page, which game.ts loads with the pages that play sequences. */
import type { Action } from '../engine/ekko/action';
import type { Level } from '../engine/ekko/bots';
import { Ekko, type SeenJson } from '../engine/ekko/position';
import type { Answer, Question } from '../engine/ekko/worker';

export { HASH } from '../engine/records';

let started: { module: WebAssembly.Module; rules: Ekko } | null = null;
let worker: Worker | null = null;
let questions = 0;

export function startEngine(module: WebAssembly.Module): void {
  started ??= { module, rules: new Ekko(module) };
}

/** Throws before it is started. */
export function engine(): Ekko {
  return begun().rules;
}

/** What a bot decides, in a worker: for its turn, or about the mirror of the top card, where undefined is to pass. */
export function askBot(
  asked: Question['asked'],
  view: SeenJson,
  seat: number,
  level: Level,
  word: bigint,
): Promise<Action | undefined> {
  const { module } = begun();
  if (!worker) {
    worker = new Worker(new URL('../engine/ekko/worker.ts', import.meta.url), { type: 'module' });
    worker.postMessage(module);
  }
  const [thinking, key] = [worker, ++questions];
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent<Answer>): void => {
      if (data.key !== key) return;
      thinking.removeEventListener('message', hear);
      resolve(data.action);
    };
    thinking.addEventListener('message', hear);
    thinking.postMessage({ key, asked, view, seat, level, word } satisfies Question);
  });
}

function begun(): NonNullable<typeof started> {
  if (!started) throw new Error('the engine is not started');
  return started;
}
