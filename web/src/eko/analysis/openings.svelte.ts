/** What was played in the openings of finished games, looked up for the shown position. */
import { spaceName } from '../../board/names';
import { ask } from '../../net/api';
import type { Later } from '../../net/connection.svelte';
import { failure } from '../../net/request.svelte';
import type { LinePlan, OpeningInfo, OpeningSource } from '../../protocol/messages';
import { REST } from '../../table/analysis/engine.svelte';
import { maybe, plural, t } from '../../ui/i18n.svelte';
import { store, stored } from '../../ui/settings.svelte';
import type { Action, Entry, SpaceName } from '../protocol';
import { type Scene, shortLine } from '../story';

export const SOURCES = ['games', 'bots'] as const;
export type SourceName = (typeof SOURCES)[number];
/** Replaced in tests. */
export type LookUp = (plan: LinePlan) => Promise<OpeningInfo>;
const lookUp: LookUp = (plan) => ask('/api/eko/openings', plan);

const SWITCH = 'ekoes.openings';

export class Openings {
  found = $state.raw<OpeningInfo | null>(null);
  /** Whether `found` is still that of another position, while this one is looked up. */
  isStale = $state(false);
  problem = $state<string | null>(null);
  /** Whether the card is open. */
  isOn = $state(false);
  /** The source that the reader has chosen. */
  #wanted = $state<SourceName>('games');
  /** The chosen source, or the other one if that knows nothing. */
  readonly shown: SourceName = $derived(
    this.found?.[this.#wanted] ? this.#wanted : (SOURCES.find((name) => this.found?.[name]) ?? this.#wanted),
  );
  readonly source: OpeningSource | null = $derived(this.found?.[this.shown] ?? null);
  readonly #known = new WeakMap<object, OpeningInfo>();
  readonly #later: Later;
  readonly #ask: LookUp;
  #cancel: (() => void) | null = null;
  /** What is looked up now; an answer about anything else comes too late. */
  #at: object | null = null;

  constructor(later: Later, ask: LookUp = lookUp, isOn = false) {
    [this.#later, this.#ask] = [later, ask];
    this.isOn = stored(SWITCH, isOn);
  }

  toggle(): void {
    this.isOn = !this.isOn;
    store(SWITCH, this.isOn);
  }
  choose(source: SourceName): void {
    this.#wanted = source;
  }

  /** Looks up a position. `at`: a key of it, always the same object. */
  show(at: object, plan: LinePlan): void {
    this.stop();
    [this.#at, this.problem] = [at, null];
    const known = this.#known.get(at);
    this.isStale = !known;
    if (known) this.found = known;
    else this.#cancel = this.#later(() => void this.#look(at, plan), REST);
  }
  stop(): void {
    this.#cancel?.();
    [this.#cancel, this.#at] = [null, null];
  }

  async #look(at: object, plan: LinePlan): Promise<void> {
    try {
      const found = await this.#ask(plan);
      this.#known.set(at, found);
      if (this.#at === at) [this.found, this.isStale] = [found, false];
    } catch (error) {
      if (this.#at === at) [this.found, this.problem] = [null, failure(error)];
    }
  }
}

const targetOf = (action: Action): SpaceName | undefined =>
  action.type === 'move'
    ? action.to
    : action.type === 'build'
      ? action.site
      : 'space' in action
        ? action.space
        : undefined;

/** Whether all decisions are about the same space: on a symmetric board those that count as one move need not be. */
export function isOnePlace(entries: readonly { action: Action }[]): boolean {
  return new Set(entries.map(({ action }) => targetOf(action))).size === 1;
}

/** The short form of a decision, which also says whether the Emperor is spent. */
export function decisionLine(entry: Entry, scene: Scene): string {
  const { action } = entry;
  return [
    shortLine(entry, scene),
    ...(action.type === 'build' && action.emperor ? [t('result.emperor-spent')] : []),
  ].join(' · ');
}

/** What a decision has in common with those of other stacks. `there`: with the name of its space, else of the terrain. */
export function moveLine({ action, effect, height = 0, met }: Entry, { board }: Scene, there: boolean): string {
  const at = board?.spaces.find((one) => one.space === targetOf(action));
  const where = !at ? [] : there ? [at.name] : action.type === 'build' ? [t(`terrain.${at.terrain}`)] : [];
  const captures = met?.emperor ? [t('openings.captures')] : [];
  if (action.type === 'build') {
    const kind = t(`kind.${action.kind}`);
    const what = effect === 'replace' ? t('openings.replace', { kind }) : kind;
    return [what, ...where, ...(action.emperor ? [t('result.emperor-spent')] : [])].join(' · ');
  }
  if (action.type === 'reinforce') return [plural('openings.reinforce', action.count), ...where].join(' · ');
  const values = { height, n: met?.height ?? 0 };
  const what =
    effect === 'regroup' ? t('result.regroup', values) : (maybe(`openings.${effect}`, values) ?? t(`effect.${effect}`));
  return [what, ...where, ...captures].join(' · ');
}

/** What tells decisions apart that have `moveLine` in common. `there`: as in it. */
export function chipsOf(entries: readonly Entry[], { board }: Scene, there: boolean): string[] {
  const chips = entries.map(({ action, notation }) => {
    const [from, to] = ['from' in action ? action.from : undefined, targetOf(action)];
    if (to === undefined) return notation;
    if (from === undefined) return spaceName(board, to);
    return there ? spaceName(board, from) : `${spaceName(board, from)} → ${spaceName(board, to)}`;
  });
  return new Set(chips).size === chips.length ? chips : entries.map(({ notation }) => notation);
}
