import { describe, expect, it } from 'vitest';
import { Connection, type Line, type Socket } from './connection.svelte';

/** A server that is there or not, and what a page was told of the line to it. */
function tableTransport() {
  const told: Line[] = [];
  const waits: number[] = [];
  const sockets: Socket[] = [];
  let next: (() => void) | null = null;
  const open = (): Socket => {
    const socket: Socket = { onopen: null, onmessage: null, onclose: null, send: () => undefined, close: () => undefined };
    sockets.push(socket);
    return socket;
  };
  const later = (task: () => void, milliseconds: number) => {
    waits.push(milliseconds);
    next = task;
    return () => (next = null);
  };
  const connection = new Connection({ open, later, key: () => 'key' }, () => undefined, (line) => told.push(line));
  connection.open();
  sockets[0]!.onopen?.();
  /** Closes the line; whoever tries again finds nobody, some times. */
  const lose = (code: number, tries = 0): void => {
    for (let number = 0; number <= tries; number++) {
      if (number > 0) next?.();
      sockets.at(-1)!.onclose?.({ code: number > 0 ? 1006 : code });
    }
  };
  const comeBack = (): void => {
    next?.();
    sockets.at(-1)!.onopen?.();
  };
  return { told, waits, lose, comeBack };
}

describe('a line', () => {
  it('is lost at once where nobody has said why it ends', () => {
    const { told, lose } = tableTransport();
    lose(1006);
    expect(told).toEqual(['open', 'lost']);
  });

  it('comes back without alarm, and soon, where the server restarts', () => {
    const { told, waits, lose, comeBack } = tableTransport();
    lose(1012, 5);
    comeBack();
    expect([...new Set(told)]).toEqual(['open', 'connecting']);
    expect(told.at(-1)).toBe('open');
    expect(Math.max(...waits)).toBe(1000);
  });

  it('is lost where no server comes after the one that said so', () => {
    const { told, lose, comeBack } = tableTransport();
    lose(1012, 12);
    expect(told.at(-1)).toBe('lost');
    comeBack();
    lose(1006);
    expect(told.at(-1)).toBe('lost');
  });
});
