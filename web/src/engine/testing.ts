/** For tests: the modules of the rules, and what Python's tests read too. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Book, type Place, readRecord, writeRecord } from './record';

const GOLDEN = new URL('../../../tests/golden/', import.meta.url);

export const moduleOf = (name: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, import.meta.url)));
export const goldenNames = (folder: string): string[] => readdirSync(new URL(`${folder}/`, GOLDEN)).sort();
export const golden = (folder: string, name: string): string =>
  readFileSync(new URL(`${folder}/${name}`, GOLDEN), 'utf8');

/** Golden games are written as they were read, and records with something changed are what Python says: as it writes them, or its error. */
export function testRecords<Action, P extends Place<Action>>(
  book: Book<Action, P>,
  folder: string,
  games: readonly string[],
  records: readonly { readonly text: string; readonly tried: readonly unknown[] }[],
): void {
  const rewritten = (text: string): string => writeRecord(readRecord(text, book), book);
  function read(text: string): [kind: string, what: string] {
    try {
      return ['written', rewritten(text)];
    } catch (error) {
      return ['error', (error as Error).message];
    }
  }

  it.each(games)('%s: is written as it was read', (name) => {
    const text = golden(folder, name);
    expect(rewritten(text)).toBe(text);
  });
  const tried = records.flatMap(({ text, tried }) =>
    (tried as [old: string, fresh: string, told: [string, string]][]).map(([old, fresh, told]) => ({
      text,
      old,
      fresh,
      told,
    })),
  );
  it.each(tried)('$old → $fresh: as Python reads it', ({ text, old, fresh, told: [kind, what] }) => {
    const [found, said] = read(old === '\n' ? text.replaceAll(old, fresh) : text.replace(old, () => fresh));
    expect([found, kind === 'error' ? said.slice(0, what.length) : said]).toEqual([kind, what]);
  });
}
