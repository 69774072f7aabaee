/** Hints in games against bots: which cards fit, and one good card with its reasons. They disappear as soon as the table changes. */
import type { ReasonInfo } from '../protocol/messages';
import { ask } from '../shell/api';
import { listed, maybe, plural, t } from '../shell/i18n.svelte';
import { face } from './cards';
import type { Card, PublicAction, Seat } from './protocol';
import type { EkkoTableState } from './table.svelte';

export interface Advice {
  seat: Seat;
  top: Card;
  /** Playable in the own turn, except for the mirror. */
  fits: Card[];
  mirror: Card | null;
  /** null: wait. */
  action: PublicAction | null;
  /** The most important first. */
  reasons: (ReasonInfo & { card?: Card })[];
}

const ADVISED: readonly string[] = ['race', 'window', 'effect', 'leaving'];

export class Hints {
  /** advice: null while it is thought about. */
  #answer = $state.raw<{ advice: Advice | null; version: number } | null>(null);
  readonly #table: EkkoTableState;
  readonly #ask: (table: string) => Promise<Advice>;

  /** `asks`: replaced in tests. */
  constructor(table: EkkoTableState, asks = (id: string): Promise<Advice> => ask(`/api/tables/${id}/advice`)) {
    [this.#table, this.#ask] = [table, asks];
  }

  get offered(): boolean {
    const { isAlone, onDevice, yours, state } = this.#table;
    return isAlone && !onDevice && yours.length === 1 && state !== null && ADVISED.includes(state.stage);
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
    const { id, version } = this.#table;
    const asked = (this.#answer = { advice: null, version });
    const advice = await this.#ask(id).catch(() => null);
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
