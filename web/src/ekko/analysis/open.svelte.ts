/** A table with all hands open, on which one reader plays all seats: its state lists every decision that may be made. */
import type { Evaluation } from '../../table/analysis/engine.svelte';
import { nameOf } from '../../table/seats';
import { spokenLanguage, t } from '../../ui/i18n.svelte';
import { face, isPlus, mirrorOf } from '../cards';
import type { Action, Entry, Seat, State } from '../protocol';
import { EkkoTableState } from '../table.svelte';
import { outcomeLine } from '../words';

/** `seat`: -1: chance, which deals. */
export type Choice = Pick<Entry, 'seat' | 'action' | 'verdict' | 'notation' | 'round'>;
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
  return t(`ekko.say.other.${isPlus(top) ? 'higher' : 'lower'}`, { name, card });
}

/** A decision in a few letters, for lists; `choiceLine` says it in words. */
export function shortChoice({ action: { type, card, aside } }: Pick<Choice, 'action'>): string {
  if (type === 'mirror') return `${face(card)}⇄${aside === undefined ? '+' : `−${face(aside)}`}`;
  return card === undefined ? t(`ekko.analysis.short.${type as 'deal' | 'draw' | 'pass'}`) : face(card);
}

export function choiceLine(choice: Pick<Choice, 'action'>): string {
  const { type, card, effect = 'draw', aside } = choice.action;
  return type === 'mirror'
    ? t(`ekko.review.do.${effect}`, { card: face(card), aside: face(aside) })
    : shortChoice(choice);
}

/** How many points fewer than the others on average the round should bring; `error`: either way. */
export interface Value {
  points: number;
  error: number;
  /** No other decision is better by more than the error of the estimates. */
  isBest: boolean;
}

/** By the notation of the decision. */
export function valuesOf(evaluation: Pick<Evaluation, 'lines'> | null): Map<string, Value> {
  const lines = evaluation?.lines ?? [];
  const best = lines[0]?.points ?? 0;
  return new Map(
    lines.flatMap(({ points, error = 0, entries: [entry] }, i) =>
      entry && points !== undefined
        ? [[entry.notation, { points, error, isBest: lines.length > 1 && (i === 0 || best - points <= error) }]]
        : [],
    ),
  );
}

const tenths = (points: number): string =>
  points.toLocaleString(spokenLanguage(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
export const pointsText = ({ points }: Pick<Value, 'points'>): string =>
  `${points <= -0.05 ? '−' : points >= 0.05 ? '+' : ''}${tenths(Math.abs(points))}`;
export const errorText = ({ error }: Pick<Value, 'error'>): string => `±${tenths(Math.max(0.1, error))}`;
/** For screen readers. */
export const valueLine = (value: Value): string =>
  t('ekko.analysis.value', { points: pointsText(value), error: errorText(value) });
