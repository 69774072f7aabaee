/** Hints in games against bots: which cards fit, and one good card with its reasons. They disappear as soon as the table changes. */
import { listed, maybe, plural, t } from '../ui/i18n.svelte';
import type { Advice } from './advice';
import { face } from './cards';
import type { Seat, State } from './protocol';
import { withRules } from './rules';
import type { EkkoTableState } from './table.svelte';

type Adviser = (state: State, seat: Seat, calm: boolean) => Promise<Advice | null>;

const ADVISED: readonly string[] = ['race', 'window', 'effect', 'leaving'];

export class Hints {
  /** advice: null while it is thought about. */
  #answer = $state.raw<{ advice: Advice | null; version: number } | null>(null);
  readonly #table: EkkoTableState;
  readonly #ask: Adviser;

  /** `asks`: replaced in tests. */
  constructor(
    table: EkkoTableState,
    asks: Adviser = async (...asked) => (await withRules(import('./advice'))).advise(...asked),
  ) {
    [this.#table, this.#ask] = [table, asks];
  }

  get offered(): boolean {
    const { isAlone, yours, state } = this.#table;
    return isAlone && yours.length === 1 && state !== null && ADVISED.includes(state.stage);
  }
  get current(): Advice | null {
    return this.#valid?.advice ?? null;
  }
  get thinks(): boolean {
    return this.#valid?.advice === null;
  }
  get #valid(): { advice: Advice | null } | null {
    return this.#answer?.version === this.#table.version ? this.#answer : null;
  }

  /** An answer that arrives after the table has changed, or the hint was closed, is dropped. */
  async advise(): Promise<void> {
    if (this.thinks) return;
    const { state, options, viewer, version } = this.#table;
    if (!state || viewer === null) return;
    const asked = (this.#answer = { advice: null, version });
    const advice = await this.#ask(state, viewer, options?.calm === true).catch(() => null);
    if (this.#answer === asked) this.#answer = advice && { advice, version };
  }
  deselect(): void {
    this.#answer = null;
  }
}

export function mayLine({ top, fits, mirror }: Advice): string {
  const parts = [];
  if (fits.length > 0) parts.push(t('ekko.advice.fits', { card: face(top), cards: listed(fits.map(face)) }));
  if (mirror !== null) parts.push(t('ekko.advice.held', { mirror: face(mirror) }));
  return parts.join(' ');
}

export function adviceLine({ action }: Advice): string {
  if (action === null) return t('ekko.advice.wait');
  const { type, card, effect, aside } = action;
  const cards = { card: face(card), aside: face(aside) };
  return (
    (effect === undefined ? maybe(`ekko.advice.${type}`, cards) : maybe(`ekko.advice.${type}.${effect}`, cards)) ?? ''
  );
}

export function reasonLine({ reasons }: Advice): string {
  const lines = reasons.map(({ reason, n, card }) => {
    const key = `ekko.advice.reason.${reason}`;
    return n === undefined ? maybe(key, { card: face(card) }) : plural(key, n);
  });
  return t('ekko.advice.because', { reasons: lines.filter((line) => line !== null).join(', ') });
}
