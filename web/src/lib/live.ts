/** A table on the real network of a browser. */
import { positionAfter } from './api';
import type { Socket } from './connection';
import { preferences } from './settings.svelte';
import { Table } from './table.svelte';

function keyOf(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The table of an id, not yet opened. */
export function liveTable(id: string): Table {
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/tables/${id}/socket`;
  return new Table(
    {
      open: () => new WebSocket(address) as unknown as Socket,
      later: (task, milliseconds) => {
        const timer = setTimeout(task, milliseconds);
        return () => clearTimeout(timer);
      },
      key: keyOf,
    },
    {
      autoEnd: () => preferences.autoEnd,
      pace: () => preferences.pace,
      position: (n) => positionAfter(id, n),
    },
  );
}
