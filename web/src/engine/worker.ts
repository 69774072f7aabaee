/** The script of a worker of `Analysis`. */
import { type Request, Searcher } from './searcher';

const searcher = new Searcher((answer) => postMessage(answer));
self.onmessage = ({ data }: MessageEvent<Request>) => searcher.handle(data);
