/** Texts in the reader's language: flat catalogues with `{name}` placeholders, one file per folder and language, loaded on demand. */
import type English from '../i18n/en.json';
import type Pages from '../i18n/pages/en.json';
import type Table from '../i18n/table/en.json';
import { directionOf, FIRST, regionalTag } from './languages';

/** Games add the catalogues of their folders (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: the declarations of the games are merged into it
export interface GameWords {}
export type Key =
  | keyof typeof English
  | keyof typeof Pages
  | keyof typeof Table
  | { [Game in keyof GameWords]: keyof GameWords[Game] }[keyof GameWords];
export type Values = Readonly<Record<string, string | number>>;
/** By language. */
export type InEach<T> = Readonly<Record<string, T>>;
type Catalogue = Readonly<Record<string, string>>;

export interface RuleText {
  id: string;
  title?: string;
  text: string;
}

const catalogues = import.meta.glob<Catalogue>('../i18n/**/*.json', { import: 'default' });
const rulebooks = import.meta.glob<RuleText[]>('../../../docs/rules/*.*.md', { import: 'default' });

/** The loaded folders, with the one of all pages. */
const folders = new Set(['']);
let language = $state(FIRST);
const figures = $derived(new Intl.NumberFormat(language));
const percents = $derived(new Intl.NumberFormat(language, { style: 'percent' }));
/** Of dates and times: the language with the region that the browser names, so that a British one has British dates. */
const region = $derived(regionalTag(language, typeof navigator === 'undefined' ? [] : navigator.languages));
let asked = FIRST;
/** A catalogue that arrives after a newer request is dropped; its caller waits for the newer one. */
let requests = 0;
let latest = Promise.resolve();
let words = $state.raw<Catalogue>({});

export function setLanguage(wanted: string): Promise<void> {
  asked = wanted;
  return (latest = load(wanted, ++requests));
}

async function load(wanted: string, request: number): Promise<void> {
  const loaded = await Promise.all([...folders].map((folder) => catalogues[`../i18n/${folder}${wanted}.json`]?.()));
  if (request !== requests) return latest;
  if (!loaded[0]) return;
  words = Object.assign({}, ...loaded) as Catalogue;
  language = wanted;
  if (typeof document !== 'undefined')
    Object.assign(document.documentElement, { lang: wanted, dir: directionOf(wanted) });
}

/** Loads the words of a folder: `pages`, `table`, those of a game, or those of some of its pages (`GAME/study`). */
export async function loadTexts(folder: string): Promise<void> {
  folders.add(`${folder}/`);
  await setLanguage(asked);
}

/** Loads a part of a page with its words. */
export async function withTexts<Part>(folder: string, part: Promise<Part>): Promise<Part> {
  return (await Promise.all([part, loadTexts(folder)]))[0];
}

export async function rulebook(wanted: string, game: string): Promise<RuleText[]> {
  return (await rulebooks[`../../../docs/rules/${game}.${wanted}.md`]?.()) ?? [];
}

export function spokenLanguage(): string {
  return language;
}

/** A text, or several, in the reader's language, else in the first one, else in any. */
export function spoken<T>(texts: InEach<T>): T | undefined {
  const tag = spokenIn(texts);
  return tag === undefined ? undefined : texts[tag];
}

/** The language of what `spoken` returns. */
export function spokenIn(texts: InEach<unknown>): string | undefined {
  return [language, FIRST].find((tag) => tag in texts) ?? Object.keys(texts)[0];
}

export function number(value: number): string {
  return figures.format(value);
}

/** Of a share from 0 to 1. */
export function percent(share: number): string {
  return percents.format(share);
}

export function dayOf(at: string): string {
  return new Date(at).toLocaleDateString(region, { dateStyle: 'medium' });
}

export function moment(at: string): string {
  return new Date(at).toLocaleString(region, { dateStyle: 'medium', timeStyle: 'short' });
}
/** The time of a day. */
export function timeOfDay(at: string): string {
  return new Date(at).toLocaleTimeString(region, { timeStyle: 'short' });
}

export function signed(points: number): string {
  return `${points < 0 ? '−' : '+'}${number(Math.abs(points))}`;
}

/** First strong isolate, and its end. */
const [ISOLATE, END] = [String.fromCodePoint(0x2068), String.fromCodePoint(0x2069)];

/** Keeps a name, a number or a sign together in right-to-left text. */
function isolated(value: string): string {
  return directionOf(language) === 'rtl' ? `${ISOLATE}${value}${END}` : value;
}

export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : isolated(typeof value === 'number' ? number(value) : value);
  });
}

export function t(key: Key, values?: Values): string {
  return fill(words[key] ?? key, values);
}

/** For keys built at run time; null where the catalogue has none. */
export function maybe(key: string, values?: Values): string | null {
  const text = words[key];
  return text === undefined ? null : fill(text, values);
}

/** A key for each plural category of the language: `key.one`, `key.few`, … `key.other`. */
export function plural(key: string, n: number, values?: Values): string {
  const rule = new Intl.PluralRules(language).select(n);
  return maybe(`${key}.${rule}`, { n, ...values }) ?? maybe(`${key}.other`, { n, ...values }) ?? key;
}

/** "Ada, Bo and Cy". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}
