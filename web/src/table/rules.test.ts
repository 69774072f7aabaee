import { beforeEach, expect, it, vi } from 'vitest';
import { checkRules } from './rules';

const reload = vi.fn();
const stored = new Map<string, string>();
beforeEach(() => {
  reload.mockClear();
  stored.clear();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})));
});

it('starts by the rules of the server', async () => {
  await checkRules('one', 'one');
  expect(reload).not.toHaveBeenCalled();
});

it('loads an old page anew, once, and never plays by other rules', async () => {
  await expect(checkRules('one', 'other')).rejects.toThrow('other rules');
  await expect(checkRules('one', 'other')).rejects.toThrow('other rules');
  expect(reload).toHaveBeenCalledOnce();
});
