import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TableMessage } from '../../protocol/messages';
import { Refused } from '../api';
import { RETRY } from '../simulated.svelte';
import { Ahead, type Think } from './ahead.svelte';

vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });

const TABLE = { type: 'table', version: 7, seats: [], log: [] } as unknown as TableMessage;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens thinking ahead. Returns the messages to its page, and a way to close it. */
async function opened(think: Think): Promise<{ ahead: Ahead; received: unknown[]; close: () => void }> {
  const ahead = new Ahead('table', 0, think);
  const received: unknown[] = [];
  const socket = ahead.transport.open();
  socket.onmessage = ({ data }) => received.push(JSON.parse(String(data)));
  await vi.advanceTimersByTimeAsync(0);
  return { ahead, received, close: () => socket.close() };
}

it('retries a busy server until the board arrives', async () => {
  const answers = [new Refused('limit/busy', ''), new Refused('connection/lost', ''), TABLE];
  const think = vi.fn(() => {
    const answer = answers.shift()!;
    return answer instanceof Refused ? Promise.reject(answer) : Promise.resolve({ refusal: null, table: answer });
  });
  const { ahead, received } = await opened(think);
  expect([ahead.lost, received]).toEqual([true, []]);
  await vi.advanceTimersByTimeAsync(RETRY);
  expect([ahead.lost, received]).toEqual([true, []]);
  await vi.advanceTimersByTimeAsync(RETRY);
  expect([ahead.lost, received]).toEqual([false, [TABLE]]);
  await vi.advanceTimersByTimeAsync(10 * RETRY);
  expect(think).toHaveBeenCalledTimes(3);
});

it('stops retrying once it is closed or the real table has moved on', async () => {
  const busy = vi.fn(() => Promise.reject(new Refused('limit/busy', '')));
  const { close } = await opened(busy);
  close();
  await vi.advanceTimersByTimeAsync(10 * RETRY);
  expect(busy).toHaveBeenCalledTimes(1);
  const stale = vi.fn(() => Promise.reject(new Refused('table/stale', '')));
  const { ahead } = await opened(stale);
  await vi.advanceTimersByTimeAsync(10 * RETRY);
  expect(stale).toHaveBeenCalledTimes(1);
  expect([ahead.stale, ahead.lost]).toEqual([true, false]);
});
