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

/**
 * The best known tag for a reader's preferences: the same tag, else a shorter one (`zh-Hant-TW`, `zh-Hant`, `zh`), else the same language
 * as written elsewhere (`pt-PT` reads `pt-BR`), in the same script if possible.
 */
export function bestTag(wanted: readonly string[], known: readonly string[]): string | null {
  for (const tag of wanted) {
    const found = sameOrShorter(tag, known) ?? sameLanguage(tag, known);
    if (found !== null) return found;
  }
  return null;
}

function sameOrShorter(tag: string, known: readonly string[]): string | null {
  const parts = tag.toLowerCase().split('-');
  for (let length = parts.length; length > 0; length--) {
    const wanted = parts.slice(0, length).join('-');
    const found = known.find((other) => other.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}

function sameLanguage(tag: string, known: readonly string[]): string | null {
  const wanted = likely(tag);
  if (!wanted) return null;
  const related = known.filter((other) => likely(other)?.language === wanted.language);
  return related.find((other) => likely(other)?.script === wanted.script) ?? related[0] ?? null;
}

/** With the script that the language is likely written in; null: not a valid tag. */
function likely(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return null;
  }
}
