import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const HERE = import.meta.dirname;
const SOURCES = join(HERE, '..');
const LANGUAGES = ['en', 'fr', 'de', 'cs'];

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(join(HERE, file), 'utf8')) as Record<string, string>;
/** The words for all pages, and EKKO's own. */
const catalogue = (language: string): Record<string, string> => ({ ...read(`${language}.json`), ...read(`ekko/${language}.json`) });

function sources(wanted = (_name: string): boolean => true): string {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith('.test.ts') && wanted(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
    .join('\n');
}

const code = sources();
/** Keys that stand in the sources as they are. */
const named = new Set([...code.matchAll(/'([a-z][\w./-]*)'/g)].map(([, key]) => key));
/** Beginnings of keys that are put together: t(`terrain.${…}`). */
const begun = [...new Set([...code.matchAll(/`([a-z][\w.-]*[.-])\$\{/g)].map(([, stem]) => stem ?? ''))];
/** Stems of texts that depend on a number. */
const counted = new Set([...code.matchAll(/plural\('([^']+)'/g)].map(([, stem]) => stem));

describe('the catalogues', () => {
  it.each(LANGUAGES)('%s has the keys of all languages', (language) => {
    expect(Object.keys(catalogue(language)).sort()).toEqual(Object.keys(catalogue('en')).sort());
  });

  it("keep EKKO's words apart: no key twice, and none is needed before its page is there", () => {
    const own = Object.keys(read('ekko/en.json'));
    expect(own.filter((key) => key in read('en.json'))).toEqual([]);
    const elsewhere = sources((name) => !name.startsWith('ekko/'));
    expect(own.filter((key) => !key.startsWith('refusal.') && elsewhere.includes(`'${key}'`))).toEqual([]);
  });

  it('hold no key that the page does not use', () => {
    const unused = Object.keys(catalogue('en')).filter(
      (key) => !named.has(key) && !begun.some((stem) => key.startsWith(stem)) && !counted.has(key.replace(/\.(one|few|other)$/, '')),
    );
    expect(unused).toEqual([]);
  });

  it('hold every key that the page names', () => {
    const known = catalogue('en');
    const wanted = [...code.matchAll(/\b(?:t|maybe)\('([^']+)'/g)].map(([, key]) => key ?? '');
    expect(wanted.length).toBeGreaterThan(80);
    expect(wanted.filter((key) => !(key in known))).toEqual([]);
    expect([...counted].filter((stem) => !(`${stem}.other` in known))).toEqual([]);
    expect(begun.filter((stem) => stem.endsWith('.') && !Object.keys(known).some((key) => key.startsWith(stem)))).toEqual([]);
  });
});
