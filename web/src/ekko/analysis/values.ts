/** The values of decisions in points, as the server's search gives them. Pure. */
import type { EvaluationInfo } from '../../protocol/messages';
import { spokenLanguage, t } from '../../shell/i18n.svelte';

/** How many points fewer than the others on average the round should bring; `error`: either way. */
export interface Value {
  points: number;
  error: number;
  /** None is better by more than the estimate is exact. */
  isBest: boolean;
}

/** By the notation of the decision. */
export function valuesOf(evaluation: Pick<EvaluationInfo, 'lines'> | null): Map<string, Value> {
  const lines = evaluation?.lines ?? [];
  const best = lines[0]?.points ?? 0;
  return new Map(
    lines.flatMap(({ points, error = 0, entries: [entry] }, i) => (entry && points !== undefined ? [[entry.notation, { points, error, isBest: lines.length > 1 && (i === 0 || best - points <= error) }]] : [])),
  );
}

const tenths = (points: number): string => points.toLocaleString(spokenLanguage(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
export const pointsText = ({ points }: Pick<Value, 'points'>): string => `${points <= -0.05 ? '−' : points >= 0.05 ? '+' : ''}${tenths(Math.abs(points))}`;
export const errorText = ({ error }: Pick<Value, 'error'>): string => `±${tenths(Math.max(0.1, error))}`;
/** For screen readers. */
export const valueLine = (value: Value): string => t('ekko.analysis.value', { points: pointsText(value), error: errorText(value) });
