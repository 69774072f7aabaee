/** The script of a worker of EKKO, which is sent the module first. */
import { type Answer, type Keyed, type Question, Thinker } from './thinker';

let thinker: Thinker;

self.onmessage = ({ data }: MessageEvent<WebAssembly.Module | Keyed<Question>>) => {
  if (data instanceof WebAssembly.Module) thinker = new Thinker(data);
  else postMessage({ key: data.key, of: thinker.answer(data.of) } satisfies Keyed<Answer>);
};
