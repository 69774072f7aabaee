import { beforeAll, describe, expect, it } from 'vitest';
import { Refused } from '../net/api';
import { failure } from '../net/request.svelte';
import { fill, listed, loadTexts, maybe, plural, rulebook, setLanguage, spokenLanguage, t } from './i18n.svelte';
import { LANGUAGES } from './languages';

beforeAll(() => Promise.all(['eko', 'pages'].map(loadTexts)));

describe('plural forms', () => {
  const forms = {
    en: ['0 discs', '1 disc', '2 discs', '5 discs'],
    fr: ['0 disque', '1 disque', '2 disques', '5 disques'],
    de: ['0 Scheiben', '1 Scheibe', '2 Scheiben', '5 Scheiben'],
    cs: ['0 kamenů', '1 kámen', '2 kameny', '5 kamenů'],
  };
  it.each(Object.entries(forms))('are those of %s', async (language, words) => {
    await setLanguage(language);
    expect([0, 1, 2, 5].map((n) => plural('palette.back', n))).toEqual(words);
  });
});

it.each([
  ['en', 'This password is too short or too easy to guess.'],
  ['de', 'Dieses Passwort ist zu kurz oder zu leicht zu erraten.'],
  ['fr', 'Ce mot de passe est trop court ou trop facile à deviner.'],
  ['cs', 'Toto heslo je příliš krátké nebo snadno uhodnutelné.'],
])('says in %s why a password is refused', async (language, words) => {
  await setLanguage(language);
  expect(failure(new Refused('account/weak-password', 'This password is too easy to guess'))).toBe(words);
});

it('fills placeholders, and leaves those without a value', () => {
  expect(fill('{name} at {space}', { name: 'Ada' })).toBe('Ada at {space}');
});

it('joins names as the language does', async () => {
  await setLanguage('fr');
  expect(listed(['Ada', 'Bo', 'Cy'])).toBe('Ada, Bo et Cy');
});

it('returns null for a key without text', async () => {
  await setLanguage('de');
  expect(t('kind.castle')).toBe('Burg');
  expect(maybe('kind.palace')).toBeNull();
});

it.each([
  ['eko', 'E5.3'],
  ['ekko', 'K3.5'],
])('has the same rules of %s in every language', async (game, rule) => {
  const numbers = async (language: string) => (await rulebook(language, game)).map(({ id }) => id);
  const english = await numbers('en');
  expect(english).toContain(rule);
  for (const { tag } of LANGUAGES) expect(await numbers(tag)).toEqual(english);
});

it("learns a game's words in the language that was asked for, whatever arrives first", async () => {
  await Promise.all([setLanguage('fr'), loadTexts('ekko')]);
  expect(spokenLanguage()).toBe('fr');
  expect(t('ekko.ready')).toBe('Prêt');
  await Promise.all([loadTexts('ekko'), setLanguage('de')]);
  expect(spokenLanguage()).toBe('de');
  expect(maybe('ekko.ready')).not.toBeNull();
});

it('writes numbers as the language does', async () => {
  await setLanguage('de');
  expect(fill('{n}', { n: 1312 })).toBe('1.312');
  await setLanguage('en');
  expect(fill('{n} {space}', { n: 1312, space: '1312' })).toBe('1,312 1312');
});

it('works for a game without a catalogue', async () => {
  await loadTexts('chess');
  expect(t('home.new')).toBe('New game');
});
