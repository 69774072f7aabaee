/** A table with all hands open, on which one reader plays all seats: the server lists every decision that may be made. */
import type { Transport } from '../../shell/connection.svelte';
import { t } from '../../shell/i18n.svelte';
import { nameOf } from '../../shell/seats';
import { face, mirrorOf } from '../cards';
import type { Action, Card, Effect, Entry, Seat, State } from '../protocol';
import { EkkoTableState } from '../table.svelte';
import { outcomeLine } from '../words';

/** `seat`: -1: chance, which deals. */
export interface Choice extends Pick<Entry, 'seat' | 'verdict' | 'notation' | 'round'> {
  action: { type: string; card?: Card; effect?: Effect; aside?: Card };
}
export interface OpenState extends State {
  choices: Choice[];
}

export class OpenTable extends EkkoTableState {
  readonly choices: readonly Choice[] = $derived((this.state as OpenState | null)?.choices ?? []);
  /** Who is to decide; null: no player, as at a deal. */
  readonly asked: Seat | null = $derived.by(() => {
    const [first] = this.choices;
    return first === undefined || first.seat < 0 ? null : first.seat;
  });
  readonly hands: readonly (readonly Card[])[] = $derived(this.seats.map(({ seat }) => this.state?.hands[String(seat)]?.hand ?? []));

  constructor(transport: Transport) {
    super(transport, { twoTaps: () => false, pace: () => null });
  }
  decide({ seat, action }: Choice): void {
    this.notice = null;
    if (!this.waiting) this.send({ type: 'intent', seat, action: action as unknown as Action });
  }
}

/** What is to be decided, in a sentence. */
export function openSentence({ state, seats, asked, choices, top }: OpenTable): string {
  if (!state) return t('page.connecting');
  if (state.outcome) return outcomeLine(state, seats);
  if (asked === null || top === null) return t('ekko.analysis.deal.ask');
  const name = nameOf(seats, asked);
  const card = face(top);
  const kinds = choices.map(({ action }) => action.type);
  if (kinds.includes('pass')) return t('ekko.analysis.mirror', { name, card, mirror: face(mirrorOf(top) ?? top) });
  if (kinds.includes('draw')) return t('ekko.analysis.draw', { name, card });
  if (state.position.turn.last === asked && !state.position.turn.again) return t('ekko.say.other.any', { name });
  return t(`ekko.say.other.${top % 2 ? 'higher' : 'lower'}`, { name, card });
}

/** A decision in a few letters, for lists; `choiceLine` says it in words. */
export function shortChoice({ action: { type, card, aside } }: Pick<Choice, 'action'>): string {
  if (type === 'mirror') return `${face(card ?? 0)}⇄${aside === undefined ? '+' : `−${face(aside)}`}`;
  return card === undefined ? t(`ekko.analysis.short.${type as 'deal' | 'draw' | 'pass'}`) : face(card);
}

export function choiceLine({ action: { type, card, effect, aside } }: Pick<Choice, 'action'>): string {
  if (type === 'mirror') return t(`ekko.review.do.${effect ?? 'draw'}`, { card: face(card ?? 0), aside: aside === undefined ? '' : face(aside) });
  return card === undefined ? t(`ekko.analysis.short.${type as 'deal' | 'draw' | 'pass'}`) : face(card);
}
