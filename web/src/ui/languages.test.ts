import { describe, expect, it } from 'vitest';
import { bestTag, FIRST, LANGUAGES, regionalTag } from './languages';
import { spoken } from './settings.svelte';

describe('the best language', () => {
  it.each<[string[], string[], string | null]>([
    [['cs'], ['en', 'cs'], 'cs'],
    [['CS-cz'], ['en', 'cs'], 'cs'],
    [['csb'], ['en', 'cs'], null],
    [['fr-CA'], ['en', 'fr'], 'fr'],
    [['pt-PT'], ['en', 'pt-BR'], 'pt-BR'],
    [['pt'], ['en', 'pt-BR'], 'pt-BR'],
    [['pt-PT'], ['pt-BR', 'pt-PT'], 'pt-PT'],
    [['zh-Hant-TW'], ['zh', 'zh-Hant'], 'zh-Hant'],
    [['zh-TW'], ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
    [['zh-CN'], ['zh-Hant', 'zh-Hans'], 'zh-Hans'],
    [['pt-BR', 'de-AT', 'fr'], ['en', 'fr', 'de', 'cs'], 'de'],
    [['*', 'not a tag', 'de'], ['en', 'de'], 'de'],
    [[], ['en'], null],
  ])('of %j among %j is %s', (wanted, known, best) => {
    expect(bestTag(wanted, known)).toBe(best);
  });
});

it.each([
  ['en', ['de-AT', 'en-GB', 'en-US'], 'en-GB'],
  ['de', ['de-AT', 'en-GB'], 'de-AT'],
  ['zh-Hant', ['zh-CN', 'zh-TW'], 'zh-TW'],
  ['fr', ['en-GB'], 'fr'],
  ['cs', ['*', 'not a tag'], 'cs'],
])('writes dates in %s to one who prefers %j as %s does', (language, wanted, tag) => {
  expect(regionalTag(language, wanted)).toBe(tag);
});

it("is the preferred one, then the browser's, then English", () => {
  expect(spoken('cs', ['de-AT'])).toBe('cs');
  expect(spoken(null, ['pt-BR', 'de-AT', 'fr'])).toBe('de');
  expect(spoken(null, ['pt-BR'])).toBe('en');
  expect(spoken('csb', ['csb'])).toBe('en');
});

describe('the list', () => {
  it('names each language once, by a tag in its usual form', () => {
    const tags = LANGUAGES.map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(tags.length);
    expect(Intl.getCanonicalLocales(tags)).toEqual(tags);
    expect(FIRST).toBe(tags[0]);
  });
  it('has a name and a direction for each', () => {
    for (const { name, dir } of LANGUAGES)
      expect([name.trim() !== '', ['ltr', 'rtl'].includes(dir)]).toEqual([true, true]);
  });
});
