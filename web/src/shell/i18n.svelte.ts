/** Words in the reader's language: flat catalogues with `{name}` placeholders, one file for each language, loaded when it is needed. */
import type English from '../i18n/en.json';
import { directionOf, FIRST } from './languages';

/** The English words of the games that have a catalogue of their own: each adds its own (`declare module`). */
export interface GameWords {}
export type Key = keyof typeof English | { [Game in keyof GameWords]: keyof GameWords[Game] }[keyof GameWords];
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
let language = $state(FIRST);
const figures = $derived(new Intl.NumberFormat(language));
/** The language that was asked for last, and how often one was: what arrives later than a newer wish is dropped. */
let asked = FIRST;
let wishes = 0;
let words = $state.raw<Catalogue>({});

/** Loads a language and speaks it from then on. */
export async function speak(wanted: string): Promise<void> {
  asked = wanted;
  const wish = ++wishes;
  const loaded = await Promise.all([...folders].map((folder) => catalogues[`../i18n/${folder}${wanted}.json`]?.()));
  if (!loaded[0] || wish !== wishes) return;
  words = Object.assign({}, ...loaded) as Catalogue;
  language = wanted;
  if (typeof document !== 'undefined') Object.assign(document.documentElement, { lang: wanted, dir: directionOf(wanted) });
}

/** Learns the words of a game (`i18n/GAME`), where it has its own, in whatever language is spoken. */
export async function learn(game: string): Promise<void> {
  folders.add(`${game}/`);
  await speak(asked);
}

/** The numbered rules of a game in a language. */
export async function rulebook(wanted: string, game: string): Promise<RuleText[]> {
  return (await rulebooks[`../rules/${game}/${wanted}.json`]?.()) ?? [];
}

export function spokenLanguage(): string {
  return language;
}

/** A number as the language writes it. */
export function number(value: number): string {
  return figures.format(value);
}

/** First strong isolate, and its end. */
const [ISOLATE, END] = [String.fromCodePoint(0x2068), String.fromCodePoint(0x2069)];

/** A name, a number or a sign kept together among words that run the other way. */
function isolated(value: string): string {
  return directionOf(language) === 'rtl' ? `${ISOLATE}${value}${END}` : value;
}

/** Puts values into a text's placeholders. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : isolated(typeof value === 'number' ? number(value) : value);
  });
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

/** A text that depends on a number: a key for each category that the language has, `key.one`, `key.few`, … `key.other`. */
export function plural(key: string, n: number, values?: Values): string {
  const rule = new Intl.PluralRules(language).select(n);
  return maybe(`${key}.${rule}`, { n, ...values }) ?? maybe(`${key}.other`, { n, ...values }) ?? key;
}

/** Names joined as the language joins them: "Ada, Bo and Cy". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}
