/** A table that somebody plays at alone, to learn or to think ahead: no clock, no pace, a finished turn passes at once. */
import type { Surroundings } from '../shell/connection';
import { Table } from './table.svelte';

export function aloneTable(around: Surroundings): Table {
  return new Table(around, { autoEnd: () => true, pace: () => null, position: () => Promise.reject(new Error('no past')) });
}
