/** The middle one of some whole numbers, or the mean of the middle two; null: there are none. */
export function median(times: readonly number[]): number | null {
  const sorted = [...times].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length === 0
    ? null
    : Math.round(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2);
}
