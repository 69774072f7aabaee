import { describe, expect, it } from 'vitest';
import { mainLine, readRecord } from '../record';
import { golden, goldenNames, moduleOf, testRecords } from '../testing';
import { ekkoBook } from './book';
import { Ekko } from './position';
import records from './records.json';

const FOLDER = 'ekko/games';
const book = ekkoBook(new Ekko(moduleOf('ekko')));

describe('records of EKKO', () => {
  testRecords(
    book,
    FOLDER,
    goldenNames(FOLDER).filter((name) => !name.startsWith('live-')),
    records,
  );

  it('of live tables are refused', () => {
    const text = golden(FOLDER, 'live-four-players-to-12.txt');
    expect(() => readRecord(text, book)).toThrow(/^line \d: the tags give no first position: the game of a live table/);
  });

  it('have the times and the places of decisions', () => {
    const [{ text }] = records as unknown as [{ text: string }];
    const { nodes } = readRecord(text, book);
    const line = mainLine(nodes).map((number) => nodes[number]!);
    expect(line.slice(0, 3).map(({ milliseconds }) => milliseconds)).toEqual([undefined, 1250, undefined]);
    expect([line.at(-1)!.place.number, line.at(-1)!.place.result]).toEqual([2, undefined]);
    expect(line.find(({ place }) => place.position.phase === 'deal')!.place.position.roundEnd).toEqual({
      points: [0, 1, 1],
      sizes: expect.any(Array),
      reason: 'last-card',
      by: 0,
    });
  });
});
