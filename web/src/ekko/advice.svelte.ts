/** Hints in games against bots: what of the own hand fits, and one good card with what speaks for it. They go as soon as the table goes on. */
import { ask } from '../shell/api';
import { listed, maybe, plural, t } from '../shell/i18n.svelte';
import { face } from './cards';
import type { Card, Effect, Seat } from './protocol';
import type { EkkoTableState } from './table.svelte';

export interface Reason {
  reason: string;
  n?: number;
  card?: Card;
}
export interface Advice {
  seat: Seat;
  top: Card;
  /** What may be played in the own turn, but for the mirror. */
  fits: Card[];
  /** The top card's mirror, where it is held. */
  mirror: Card | null;
  /** null: to wait. */
  action: { type: 'play' | 'draw' | 'pass' | 'mirror' | 'effect'; card?: Card; effect?: Effect; aside?: Card } | null;
  /** The weightiest first. */
  reasons: Reason[];
}

const ADVISED: readonly string[] = ['race', 'window', 'effect', 'leaving'];

export class Advising {
  #told = $state.raw<{ advice: Advice; version: number } | null>(null);
  readonly #table: EkkoTableState;
  readonly #ask: (table: string) => Promise<Advice>;

  /** `asks`: how the server is asked, so that tests can stand in for it. */
  constructor(table: EkkoTableState, asks = (id: string): Promise<Advice> => ask(`/api/tables/${id}/advice`)) {
    [this.#table, this.#ask] = [table, asks];
  }

  /** Whether hints are given here: one person plays against bots alone, and a card lies there. */
  get offered(): boolean {
    const { isAlone, yours, state } = this.#table;
    return isAlone && yours.length === 1 && state !== null && ADVISED.includes(state.stage);
  }
  /** What was told of how the table stands now. */
  get told(): Advice | null {
    return this.#told?.version === this.#table.version ? this.#told.advice : null;
  }

  /** Asks; what comes once the table has gone on is dropped, and who can't be asked says nothing. */
  async advise(): Promise<void> {
    const { id, version } = this.#table;
    const advice = await this.#ask(id).catch(() => null);
    if (advice !== null && this.#table.version === version) this.#told = { advice, version };
  }
  letGo(): void {
    this.#told = null;
  }
}

/** What may be done with the own hand. */
export function mayLine({ top, fits, mirror }: Advice): string {
  const parts = [];
  if (fits.length > 0) parts.push(t('ekko.advice.fits', { card: face(top), cards: listed(fits.map(face)) }));
  if (mirror !== null) parts.push(t('ekko.advice.held', { mirror: face(mirror) }));
  return parts.join(' ');
}

/** What would be good. */
export function adviceLine({ action }: Advice): string {
  if (action === null) return t('ekko.advice.wait');
  const { type, card, effect, aside } = action;
  const cards = { card: card === undefined ? '' : face(card), aside: aside === undefined ? '' : face(aside) };
  return (effect === undefined ? maybe(`ekko.advice.${type}`, cards) : maybe(`ekko.advice.${type}.${effect}`, cards)) ?? '';
}

/** What speaks for it. */
export function reasonLine({ reasons }: Advice): string {
  const lines = reasons.map(({ reason, n, card }) => {
    const key = `ekko.advice.reason.${reason}`;
    return n === undefined ? maybe(key, { card: card === undefined ? '' : face(card) }) : plural(key, n);
  });
  return t('ekko.advice.because', { reasons: lines.filter((line) => line !== null).join(', ') });
}
