/** Texts that depend on a number: which keys a language needs for each. Pure; for the tests and whoever translates. */

type Catalogue = Readonly<Record<string, string>>;

/** The stems of the texts of a catalogue in English that depend on a number. */
export function stemsOf(english: Catalogue): string[] {
  return Object.keys(english).flatMap((key) => (key.endsWith('.one') ? [key.slice(0, -'.one'.length)] : []));
}

/** The categories of number that a language tells apart: `one`, `few`, … `other`. */
export function categoriesOf(tag: string): string[] {
  return new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
}

/** What is wrong with the plurals of a catalogue: keys that are missing, and keys that nobody will ever ask for. */
export function wrongPlurals(tag: string, words: Catalogue, stems: readonly string[]): string[] {
  const wanted = categoriesOf(tag);
  return stems.flatMap((stem) => {
    const missing = wanted.filter((category) => !(`${stem}.${category}` in words)).map((category) => `${stem}.${category} is missing`);
    const idle = EVERY.filter((category) => !wanted.includes(category) && `${stem}.${category}` in words).map((category) => `${stem}.${category} is idle`);
    return [...missing, ...idle];
  });
}

/** All categories that there are in any language. */
export const EVERY: readonly string[] = ['zero', 'one', 'two', 'few', 'many', 'other'];
