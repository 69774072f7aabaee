import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIRST, LANGUAGES } from '../shell/languages';

type Catalogue = Readonly<Record<string, string>>;

function stemsOf(english: Catalogue): string[] {
  return Object.keys(english).flatMap((key) => (key.endsWith('.one') ? [key.slice(0, -'.one'.length)] : []));
}

function categoriesOf(tag: string): string[] {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  return EVERY.filter((category) => pluralCategories.includes(category as Intl.LDMLPluralRule));
}

/** Keys that are missing, and keys that are never used. */
function wrongPlurals(tag: string, words: Catalogue, stems: readonly string[]): string[] {
  const wanted = categoriesOf(tag);
  return stems.flatMap((stem) => {
    const missing = wanted.filter((category) => !(`${stem}.${category}` in words)).map((category) => `${stem}.${category} is missing`);
    const idle = EVERY.filter((category) => !wanted.includes(category) && `${stem}.${category}` in words).map((category) => `${stem}.${category} is idle`);
    return [...missing, ...idle];
  });
}

const EVERY: readonly string[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

const HERE = import.meta.dirname;
const SOURCES = join(HERE, '..');
const TAGS = LANGUAGES.map(({ tag }) => tag);

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(join(HERE, file), 'utf8')) as Record<string, string>;
/** Games that have words of their own. */
const GAMES = readdirSync(HERE, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
/** The words for all pages, and the games' own. */
const catalogue = (language: string): Record<string, string> =>
  Object.assign({}, read(`${language}.json`), ...GAMES.map((game) => read(`${game}/${language}.json`))) as Record<string, string>;
const ENGLISH = catalogue(FIRST);
const STEMS = stemsOf(ENGLISH);
/** The key of a text; for one that depends on a number its stem. */
const keyOf = (key: string): string => STEMS.find((stem) => EVERY.some((category) => key === `${stem}.${category}`)) ?? key;
const keysOf = (words: Record<string, string>): string[] => [...new Set(Object.keys(words).map(keyOf))].sort();

function sources(wanted = (_name: string): boolean => true): string {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith('.test.ts') && wanted(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
    .join('\n');
}

/** How the keys of the browser's store begin, which are no texts. */
const STORE = 'ekoes.';

const code = sources();
/** Keys that stand in the sources as they are. */
const named = new Set([...code.matchAll(/'([a-z][\w./-]*)'/g)].map(([, key]) => key));
/** Beginnings of keys that are put together: t(`terrain.${…}`). */
const begun = [...new Set([...code.matchAll(/`([a-z][\w.-]*[.-])\$\{/g)].map(([, stem]) => stem ?? ''))].filter((stem) => !stem.startsWith(STORE));
/** Stems of texts that depend on a number. */
const counted = new Set([...code.matchAll(/plural\('([^']+)'/g)].map(([, stem]) => stem));

describe('the catalogues', () => {
  it('are those of the list', () => {
    for (const folder of ['.', ...GAMES]) {
      const files = readdirSync(join(HERE, folder)).filter((name) => name.endsWith('.json'));
      expect(files.sort()).toEqual(TAGS.map((tag) => `${tag}.json`).sort());
    }
  });

  it.each(TAGS)('%s has the keys of all languages', (language) => {
    expect(keysOf(catalogue(language))).toEqual(keysOf(ENGLISH));
  });

  it.each(TAGS)('%s has all plurals that its numbers ask for, and no other', (language) => {
    expect(STEMS.length).toBeGreaterThan(10);
    expect(wrongPlurals(language, catalogue(language), STEMS)).toEqual([]);
  });

  it.each(GAMES)("keep %s's words apart: no key twice, and none is needed before its page is there", (game) => {
    const own = Object.keys(read(`${game}/${FIRST}.json`));
    expect(own.filter((key) => key in read(`${FIRST}.json`))).toEqual([]);
    const elsewhere = sources((name) => !name.startsWith(`${game}/`));
    expect(own.filter((key) => !key.startsWith('refusal.') && elsewhere.includes(`'${key}'`))).toEqual([]);
  });

  it('hold no key that the page does not use', () => {
    const unused = Object.keys(ENGLISH).filter(
      (key) => !named.has(key) && !begun.some((stem) => key.startsWith(stem)) && !counted.has(keyOf(key)),
    );
    expect(unused).toEqual([]);
  });

  it('hold every key that the page names', () => {
    const known = ENGLISH;
    const wanted = [...code.matchAll(/\b(?:t|maybe)\('([^']+)'/g)].map(([, key]) => key ?? '');
    expect(wanted.length).toBeGreaterThan(80);
    expect(wanted.filter((key) => !(key in known))).toEqual([]);
    expect([...counted].filter((stem) => !(`${stem}.other` in known))).toEqual([]);
    expect(begun.filter((stem) => stem.endsWith('.') && !Object.keys(known).some((key) => key.startsWith(stem)))).toEqual([]);
  });
});

describe('plurals of languages that the page does not have yet', () => {
  const words = (...categories: string[]): Record<string, string> => Object.fromEntries(categories.map((category) => [`cards.${category}`, '{n}']));
  it.each<[string, string[], string[]]>([
    ['pl', ['one', 'few', 'many', 'other'], []],
    ['pl', ['one', 'few', 'other'], ['cards.many is missing']],
    ['ar', ['zero', 'one', 'two', 'few', 'many', 'other'], []],
    ['ar', ['one', 'few', 'other'], ['cards.zero is missing', 'cards.two is missing', 'cards.many is missing']],
    ['ja', ['other'], []],
    ['ja', ['one', 'other'], ['cards.one is idle']],
    ['cs', ['one', 'few', 'other'], ['cards.many is missing']],
    ['pt-BR', ['one', 'other'], ['cards.many is missing']],
  ])('%s with %j', (tag, categories, wrong) => {
    expect(wrongPlurals(tag, words(...categories), ['cards'])).toEqual(wrong);
  });
});
