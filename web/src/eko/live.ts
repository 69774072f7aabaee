/** A table of Ekö on the real network of a browser. */
import { surroundings } from '../shell/live';
import { ekoPreferences } from './preferences.svelte';
import { positionAfter } from './api';
import { Table } from './table.svelte';

/** The table of an id, not yet opened. */
export function liveTable(id: string): Table {
  return new Table(surroundings(id), {
    autoEnd: () => ekoPreferences.autoEnd,
    pace: () => ekoPreferences.pace,
    position: (n) => positionAfter(id, n),
  });
}
