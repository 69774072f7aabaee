import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mainLine, readRecord, writeRecord } from '../record';
import { ekkoBook } from './book';
import { Ekko } from './position';
import records from './records.json';

const GOLDEN = new URL('../../../../tests/golden/ekko/games/', import.meta.url);
const book = ekkoBook(new Ekko(new WebAssembly.Module(readFileSync(new URL('../ekko.wasm', import.meta.url)))));
const rewritten = (text: string): string => writeRecord(readRecord(text, book), book);

describe('records of EKKO', () => {
  it.each(readdirSync(GOLDEN).filter((name) => !name.startsWith('live-')))('%s: is written as it was read', (name) => {
    const text = readFileSync(new URL(name, GOLDEN), 'utf8');
    expect(rewritten(text)).toBe(text);
  });

  it.each(
    records.flatMap(({ text, tried }) =>
      tried.map(
        ([old, fresh, told]) =>
          ({ text, old, fresh, told }) as { text: string; old: string; fresh: string; told: string[] },
      ),
    ),
  )('$old → $fresh: as Python reads it', ({ text, old, fresh, told: [kind, what] }) => {
    const read = (): string => rewritten(text.replace(old, () => fresh));
    if (kind === 'written') return expect(read()).toBe(what);
    expect(read).toThrow();
    try {
      read();
    } catch (error) {
      expect((error as Error).message.slice(0, what!.length)).toBe(what);
    }
  });

  it('of live tables are refused', () => {
    const text = readFileSync(new URL('live-four-players-to-12.txt', GOLDEN), 'utf8');
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
