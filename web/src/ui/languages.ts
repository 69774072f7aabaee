/** The languages of the page, from the list that the server and the tests read too. */
import list from '../../../src/ekoes/languages.json';

export interface Language {
  /** BCP 47: `de`, `pt-BR`, `zh-Hant`. */
  tag: string;
  name: string;
  dir: 'ltr' | 'rtl';
}

export const LANGUAGES = list as readonly Language[];
/** The fallback language. */
export const FIRST = LANGUAGES[0]?.tag ?? 'en';

export function directionOf(tag: string): Language['dir'] {
  return LANGUAGES.find((language) => language.tag === tag)?.dir ?? 'ltr';
}

/** The known tag that is closest to the first of a reader's preferences that has one: `zh-TW` reads `zh-Hant`, `pt-PT` reads `pt-BR`. */
export function bestTag(wanted: readonly string[], known: readonly string[]): string | null {
  for (const tag of wanted) {
    const ranks = known.map((other) => kinship(likely(tag), likely(other)));
    const best = Math.max(0, ...ranks);
    if (best > 0) return known[ranks.indexOf(best)] ?? null;
  }
  return null;
}

/** A language with the region of the first of a reader's preferences in it and its script; without one, as it is. */
export function regionalTag(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => kinship(likely(language), likely(tag)) > 2) ?? language;
}

/** 0: different languages; more for the same script, and for the same region. */
function kinship(one: Intl.Locale | null, other: Intl.Locale | null): number {
  if (!one || one.language !== other?.language) return 0;
  return 1 + 2 * Number(one.script === other.script) + Number(one.region === other.region);
}

/** With the script and the region that the language is likely written in; null: not a valid tag. */
function likely(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return null;
  }
}
