/** The script of a worker of `Analysis`. */
import { Searcher, type Request } from './searcher';

const searcher = new Searcher((answer) => postMessage(answer));
onmessage = ({ data }: MessageEvent<Request>) => searcher.handle(data);
