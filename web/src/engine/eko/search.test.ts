import { describe, expect, it } from 'vitest';
import networks from '../../../../src/ekoes/games/eko/bots/network.json';
import { moduleOf } from '../testing';
import type { Action } from './action';
import { Eko, type PositionJson } from './position';
import { type Info, LEVELS, type Level, Search } from './search';
import searches from './searches.json';

const eko = new Eko(moduleOf('eko'));
const search = new Search(moduleOf('search'), networks, 1);

interface Found {
  readonly position: PositionJson;
  readonly iterations: readonly [number, number];
  readonly found: Info;
  readonly played: readonly Action[];
  readonly then: Info;
  readonly drawing: readonly Action[];
  readonly drawn: Info;
  readonly most: number;
  readonly word: string;
  readonly bots: Readonly<Record<Level, Action>>;
  readonly greedy: Action;
}

describe.each(searches as unknown as Found[])(
  'position $#',
  ({ position: json, iterations: [first, second], found, played, then, drawing, drawn, most, word, bots, greedy }) => {
    const position = eko.position(json);

    it('is searched as in Python, in whatever slices, and so is one after it, in the same tree', () => {
      search.moveTo(position);
      for (let slice = 10; slice <= first; slice += 10) expect(search.run(slice)).toBe(true);
      expect(search.info(3)).toEqual(found);
      search.moveTo(played.reduce((at, action) => at.play(action), position));
      search.run(second);
      expect(search.info(3)).toEqual(then);
    });

    it('is searched with the decision that repeats it for the third time', () => {
      search.moveTo(position, drawing);
      search.run(first);
      expect(search.info(3)).toEqual(drawn);
    });

    it('is played by bots as in Python', () => {
      expect(LEVELS).toEqual(Object.keys(bots));
      for (const level of LEVELS) {
        search.moveTo(position, [], false);
        search.run(Math.min(search.limit(level), most));
        expect(search.choose(level, BigInt(word))).toEqual(bots[level]);
      }
      expect(search.chooseGreedily(BigInt(word))).toEqual(greedy);
    });
  },
);
