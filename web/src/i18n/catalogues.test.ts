import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIRST, LANGUAGES } from '../ui/languages';

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
    const missing = wanted
      .filter((category) => !(`${stem}.${category}` in words))
      .map((category) => `${stem}.${category} is missing`);
    const idle = EVERY.filter((category) => !wanted.includes(category) && `${stem}.${category}` in words).map(
      (category) => `${stem}.${category} is idle`,
    );
    return [...missing, ...idle];
  });
}

const EVERY: readonly string[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

const HERE = import.meta.dirname;
const SOURCES = join(HERE, '..');
const TAGS = LANGUAGES.map(({ tag }) => tag);

const read = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(HERE, file), 'utf8')) as Record<string, string>;
/** The folders of words that are loaded with some pages: `pages`, games, `eko/study`. */
const FOLDERS = readdirSync(HERE, { recursive: true, withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [relative(HERE, join(entry.parentPath, entry.name))] : [],
);
const catalogue = (language: string): Record<string, string> =>
  Object.assign({}, ...['.', ...FOLDERS].map((folder) => read(`${folder}/${language}.json`))) as Record<string, string>;
const ENGLISH = catalogue(FIRST);
const STEMS = stemsOf(ENGLISH);
/** The key of a text; for one that depends on a number its stem. */
const keyOf = (key: string): string =>
  STEMS.find((stem) => EVERY.some((category) => key === `${stem}.${category}`)) ?? key;
const keysOf = (words: Record<string, string>): string[] => [...new Set(Object.keys(words).map(keyOf))].sort();

const SOURCE = new Map(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => [name, readFileSync(join(SOURCES, name), 'utf8')]),
);

/** The files that a file imports, at once or later. */
function importsOf(name: string): string[] {
  const games = name === 'table/games.ts' ? GAMES.map((game) => `../${game}/game.ts`) : [];
  const named = [
    ...(SOURCE.get(name) ?? '').matchAll(/^\s*(?:import|export) (?!type)[^'()]*'(\.[^']+)'|import\('(\.[^']+)'\)/gm),
  ];
  return [...games, ...named.map(([, now, later]) => now ?? later ?? '')].flatMap((path) => {
    const file = normalize(join(dirname(name), path));
    return [file, `${file}.ts`].filter((one) => SOURCE.has(one));
  });
}

/** The files that are reached from `main.ts` without going through some. */
function reachedWithout(late: readonly string[]): string[] {
  const reached = new Set(['main.ts']);
  for (const name of reached) for (const one of importsOf(name)) if (!late.includes(one)) reached.add(one);
  return [...reached];
}

const GAMES = [...SOURCE.keys()].flatMap((name) => (name.endsWith('/game.ts') ? [dirname(name)] : []));
const pagesOf = (...pages: string[]): string[] =>
  GAMES.flatMap((game) => pages.map((page) => `${game}/E${game.slice(1)}${page}.svelte`));
const STUDY = [
  ...GAMES.flatMap((game) => [`${game}/analysis/`, `${game}/editor/`, `${game}/train/`, `${game}/Fairness.svelte`]),
  ...pagesOf('Review', 'Coach'),
];
const PAGES = [...(SOURCE.get('App.svelte') ?? '').matchAll(/^ {4}\w+: \(\) => import\('\.\/(.+)'\)/gm)].map(
  ([, file]) => file ?? '',
);
/** Beginnings of the names of the files that are loaded with the words of a folder, or after them; a game's are in its folder. */
const LOADED_WITH: Readonly<Record<string, readonly string[]>> = {
  study: STUDY,
  pages: [...PAGES, ...STUDY, ...pagesOf('New', 'Lesson')],
  table: [...STUDY, ...pagesOf('Page', 'Device', 'New', 'Lesson', 'Settings'), 'table/plain/'],
};

/** How the keys of the browser's store begin, which are no texts. */
const STORE = 'ekoes.';

const code = [...SOURCE.values()].join('\n');
/** Keys of words that a control has with those that explain it: says="option.rated". */
const said = [...code.matchAll(/\bsays="([\w.-]+)"/g)].map(([, key]) => key ?? '');
/** Keys that stand in the sources as they are. */
const named = new Set([
  ...[...code.matchAll(/'([a-z][\w./-]*)'/g)].map(([, key]) => key),
  ...said.flatMap((key) => [key, `${key}.help`]),
]);
/** Beginnings of keys that are put together: t(`terrain.${…}`), says="clock.up.{…}". */
const begun = [
  ...new Set([...code.matchAll(/(?:`|\bsays=")([a-z][\w.-]*[.-])\$?\{/g)].map(([, stem]) => stem ?? '')),
].filter((stem) => !stem.startsWith(STORE));
/** Stems of texts that depend on a number. */
const counted = new Set([...code.matchAll(/plural\(\s*'([^']+)'/g)].map(([, stem]) => stem));

describe('the catalogues', () => {
  it('are those of the list', () => {
    for (const folder of ['.', ...FOLDERS]) {
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

  it.each(FOLDERS)('%s has words that nothing needs before they are loaded', (folder) => {
    const own = Object.keys(read(`${folder}/${FIRST}.json`)).filter((key) => !key.startsWith('refusal.'));
    const late = LOADED_WITH[folder] ?? LOADED_WITH[folder.split('/')[1] ?? ''] ?? [`${folder}/`];
    const before = reachedWithout([...SOURCE.keys()].filter((name) => late.some((start) => name.startsWith(start))));
    expect(before.length).toBeGreaterThan(50);
    const code = before.map((name) => SOURCE.get(name)).join('\n');
    const used = (key: string): boolean =>
      [`'${key}'`, `'${keyOf(key)}'`, `"${key}"`].some((one) => code.includes(one));
    expect(own.filter(used)).toEqual([]);
  });

  it('hold no key that the page does not use', () => {
    const unused = Object.keys(ENGLISH).filter(
      (key) => !named.has(key) && !begun.some((stem) => key.startsWith(stem)) && !counted.has(keyOf(key)),
    );
    expect(unused).toEqual([]);
  });

  it('hold every key that the page names', () => {
    const known = ENGLISH;
    const wanted = [...said, ...[...code.matchAll(/\b(?:t|maybe)\('([^']+)'/g)].map(([, key]) => key ?? '')];
    expect(wanted.length).toBeGreaterThan(80);
    expect(wanted.filter((key) => !(key in known))).toEqual([]);
    expect([...counted].filter((stem) => !(`${stem}.other` in known))).toEqual([]);
    expect(
      begun.filter((stem) => stem.endsWith('.') && !Object.keys(known).some((key) => key.startsWith(stem))),
    ).toEqual([]);
  });
});

describe('plurals of languages that the page does not have yet', () => {
  const words = (...categories: string[]): Record<string, string> =>
    Object.fromEntries(categories.map((category) => [`cards.${category}`, '{n}']));
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
