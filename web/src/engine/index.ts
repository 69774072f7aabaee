/** The rules of both games, for whoever uses them without the page (docs/reference/rules-in-typescript.md). */

export { Analysis, type Evaluation, type Port } from './analysis';
export { EkkoPlace, ekkoBook } from './ekko/book';
export { Bots as EkkoBots, type Level as EkkoLevel } from './ekko/bots';
export { Ekko, EkkoPosition, type PositionJson as EkkoPositionJson, type SeenJson } from './ekko/position';
export { Boards, type SetUp } from './eko/boards';
export { EkoPlace, ekoBook } from './eko/book';
export { formatAction, parseAction } from './eko/notation';
export * from './eko/position';
export { PuzzleJudge, type Verdict } from './eko/puzzles';
export { type Info, LEVELS, type Level, type Networks, Search, type Variation } from './eko/search';
export {
  type GameRecord,
  mainLine,
  type Outcome,
  RecordError,
  type RecordNode,
  readRecord,
  writeRecord,
} from './record';
export type { Modules } from './searcher';
