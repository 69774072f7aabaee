/** The engine of EKKO in this page, which game.ts loads with the pages that play sequences. */
import type { Action } from '../engine/ekko/action';
import type { Level } from '../engine/ekko/bots';
import { Ekko, type PositionJson, type SeenJson } from '../engine/ekko/position';
import type { Answer, Keyed, Question } from '../engine/ekko/thinker';
import { ENOUGH, type Values } from '../engine/ekko/values';
import { Refused } from '../net/api';
import { startedBy } from '../table/rules';

export { HASH } from '../engine/records';

let worker: Worker | null = null;
let questions = 0;
/** Milliseconds between two looks at values. */
const EVERY = 200;

export const { startEngine, engine, rulesModule } = startedBy((module) => new Ekko(module));

/** What a bot decides, in a worker: for its turn, or about the mirror of the top card, where undefined is to pass. */
export async function askBot(
  asked: 'decide' | 'mirror',
  view: SeenJson,
  seat: number,
  level: Level,
  word: bigint,
): Promise<Action | undefined> {
  return (await ask({ asked, view, seat, level, word })).action;
}

/** Values the decisions of a position in a worker, until more would not help, or until the signal. */
export async function valueDecisions(
  position: PositionJson,
  take: (values: Values, final: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  let sent = 0;
  for (let next: PositionJson | null = position; ; next = null) {
    const { values } = await ask({ asked: 'values', position: next });
    if (signal.aborted || !values) return;
    const final = values.deals >= ENOUGH;
    if (final || performance.now() - sent >= EVERY) {
      take(values, final);
      sent = performance.now();
    }
    if (final) return;
  }
}

function ask(question: Question): Promise<Answer> {
  if (!worker) {
    worker = new Worker(new URL('../engine/ekko/worker.ts', import.meta.url), { type: 'module' });
    worker.postMessage(rulesModule());
  }
  const [thinking, key, answered] = [worker, ++questions, new AbortController()];
  const { signal } = answered;
  return new Promise<Answer>((resolve, reject) => {
    const hear = ({ data }: MessageEvent<Keyed<Answer>>): void => {
      if (data.key === key) resolve(data.of);
    };
    thinking.addEventListener('message', hear, { signal });
    // its script could not be loaded; the next question starts another one
    const fail = (): void => {
      if (worker === thinking) worker = null;
      reject(new Refused('connection/lost', ''));
    };
    thinking.addEventListener('error', fail, { signal });
    thinking.postMessage({ key, of: question } satisfies Keyed<Question>);
  }).finally(() => answered.abort());
}
