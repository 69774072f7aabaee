import { describe, expect, it } from 'vitest';
import { mainLine, readRecord } from '../record';
import { goldenNames, moduleOf, testRecords } from '../testing';
import { ekoBook } from './book';
import { Eko } from './position';
import records from './records.json';

const FOLDER = 'games';
const book = ekoBook(new Eko(moduleOf('eko')));

describe('records of Ekö', () => {
  testRecords(book, FOLDER, goldenNames(FOLDER), records);

  it('have the times and the places of decisions', () => {
    const [{ text }] = records as unknown as [{ text: string }];
    const record = readRecord(text, book);
    const line = mainLine(record.nodes);
    expect(line.map((number) => record.nodes[number]!.milliseconds)).toEqual([
      1250,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    const last = record.nodes[line.at(-1)!]!.place;
    expect([last.number, last.repetition, last.result]).toEqual([4, 1, undefined]);
  });
});
