/** The rules of both games, for whoever uses them without the page (docs/reference/rules-in-typescript.md). */
export * from './eko/position';
export { EkoPlace, ekoBook } from './eko/book';
export { formatAction, parseAction } from './eko/notation';
export { PuzzleJudge, type Verdict } from './eko/puzzles';
export { LEVELS, Search, type Info, type Level, type Networks, type Variation } from './eko/search';
export { Ekko, EkkoPosition, type PositionJson as EkkoPositionJson } from './ekko/position';
export { EkkoPlace, ekkoBook } from './ekko/book';
export { Analysis, type Evaluation, type Port } from './analysis';
export { mainLine, readRecord, RecordError, writeRecord, type GameRecord, type Outcome, type RecordNode } from './record';
