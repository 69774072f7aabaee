import { expect, it, vi } from 'vitest';

it('the example of the documentation plays and explains', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await import('../../../docs/examples/rules');
  const lines = log.mock.calls;
  log.mockRestore();
  expect(lines.length).toBe(5);
  expect(lines.at(-1)).toEqual([expect.any(Number), { code: 'not-your-turn', rule: 'E4.1' }]);
});
