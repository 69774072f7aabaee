import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mainLine, readRecord, writeRecord } from '../record';
import { ekoBook } from './book';
import { Eko } from './position';
import records from './records.json';

const GOLDEN = new URL('../../../../tests/golden/games/', import.meta.url);
const book = ekoBook(new Eko(new WebAssembly.Module(readFileSync(new URL('../eko.wasm', import.meta.url)))));
const rewritten = (text: string): string => writeRecord(readRecord(text, book), book);

/** What reading gives, as records.json has it: the record as it is written, or what is wrong with it. */
function read(text: string): [string, string] {
  try {
    return ['written', rewritten(text)];
  } catch (error) {
    return ['error', (error as Error).message];
  }
}

describe('records of Ekö', () => {
  it.each(readdirSync(GOLDEN).sort())('%s: is written as it was read', (name) => {
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
    const damaged = old === '\n' ? text.replaceAll(old, fresh) : text.replace(old, () => fresh);
    const [found, said] = read(damaged);
    expect(found).toBe(kind);
    if (kind === 'error') expect(said.slice(0, what!.length)).toBe(what);
    else expect(said).toBe(what);
  });

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
