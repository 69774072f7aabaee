/** Words in the reader's language: flat catalogues with `{name}` placeholders, one file for each language, loaded when it is needed. */
import type EkkoEnglish from '../i18n/ekko/en.json';
import type English from '../i18n/en.json';
import type { Language } from './settings.svelte';

export type Key = keyof typeof English | keyof typeof EkkoEnglish;
export type Values = Readonly<Record<string, string | number>>;
type Catalogue = Readonly<Record<string, string>>;

export interface RuleText {
  id: string;
  title?: string;
  text: string;
}

const catalogues = import.meta.glob<Catalogue>('../i18n/**/*.json', { import: 'default' });
const rulebooks = import.meta.glob<RuleText[]>('../rules/*/*.json', { import: 'default' });

/** The folders whose words are spoken: the page's own, and those of the games that were learned. */
const folders = new Set(['']);
let language = $state<Language>('en');
/** The language that was asked for last, and how often one was: what arrives later than a newer wish is dropped. */
let asked: Language = 'en';
let wishes = 0;
let words = $state.raw<Catalogue>({});

/** Loads a language and speaks it from then on. */
export async function speak(wanted: Language): Promise<void> {
  asked = wanted;
  const wish = ++wishes;
  const loaded = await Promise.all([...folders].map((folder) => catalogues[`../i18n/${folder}${wanted}.json`]?.()));
  if (!loaded[0] || wish !== wishes) return;
  words = Object.assign({}, ...loaded) as Catalogue;
  language = wanted;
  if (typeof document !== 'undefined') document.documentElement.lang = wanted;
}

/** Learns the words of a game (`i18n/GAME`), in whatever language is spoken. */
export async function learn(game: string): Promise<void> {
  folders.add(`${game}/`);
  await speak(asked);
}

/** The numbered rules of a game in a language. */
export async function rulebook(wanted: Language, game = 'eko'): Promise<RuleText[]> {
  return (await rulebooks[`../rules/${game}/${wanted}.json`]?.()) ?? [];
}

export function spokenLanguage(): Language {
  return language;
}

/** Puts values into a text's placeholders. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text of a key. */
export function t(key: Key, values?: Values): string {
  return fill(words[key] ?? key, values);
}

/** The text of a key that is put together at run time, or null where the catalogue has none. */
export function maybe(key: string, values?: Values): string | null {
  const text = words[key];
  return text === undefined ? null : fill(text, values);
}

/** A text that depends on a number: the keys `key.one`, `key.few`, `key.other` as the language's plural demands. */
export function plural(key: string, n: number, values?: Values): string {
  const rule = new Intl.PluralRules(language).select(n);
  return maybe(`${key}.${rule}`, { n, ...values }) ?? maybe(`${key}.other`, { n, ...values }) ?? key;
}

/** Names joined as the language joins them: "Ada, Bo and Cy". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}
