/** The rules of both games, for whoever uses them without the page (docs/reference/rules-in-typescript.md). */
export * from './eko/position';
export { EkoPlace, ekoBook } from './eko/book';
export { formatAction, parseAction } from './eko/notation';
export { Ekko, EkkoPosition, type PositionJson as EkkoPositionJson } from './ekko/position';
export * from './record';
