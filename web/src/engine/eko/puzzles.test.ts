import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { moduleOf } from '../testing';
import { EkoPlace } from './book';
import { Eko, type PositionJson } from './position';
import { PuzzleJudge } from './puzzles';
import verdicts from './verdicts.json';

const module = moduleOf('eko');
const eko = new Eko(module);
const judge = new PuzzleJudge(module);

const FILE = new URL('../../../../src/ekoes/games/eko/puzzles.jsonl.gz', import.meta.url);
interface Line {
  readonly id: string;
  readonly theme: string;
  readonly position: PositionJson;
}
const lines = gunzipSync(readFileSync(FILE))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

it.each(verdicts)('tries of the puzzle $id are judged as in Python', ({ id, tries }) => {
  const { theme, position } = lines.find((line) => line.id === id)!;
  const start = EkoPlace.at(eko.position(position));
  const after = (words: string): EkoPlace =>
    words.split(' ').reduce((place, word) => place.play(start.actors[0]!, place.parse(word)), start);
  expect(tries.map(([words]) => [words, judge.judge(theme, start.position, after(words!).position)])).toEqual(tries);
});
