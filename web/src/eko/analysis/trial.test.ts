import { expect, it, vi } from 'vitest';
import records from '../../engine/eko/records.json';
import { moduleOf } from '../../engine/testing';
import { startEngine } from '../engine';
import { RULES } from './local';
import { Trial } from './trial.svelte';

startEngine(moduleOf('eko'));
vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });

it('knows the better decision from any other, and goes back', async () => {
  const { text } = records[0]!;
  const { tree } = await RULES.open(text);
  const [bad, good] = [tree[2]!.entry!, tree[3]!.entry!];
  const other = { ...good, action: { type: 'swap' }, notation: 'keep' };
  const trial = new Trial(text, 1, [good]);
  await vi.waitFor(() => expect(trial.table.state).not.toBeNull());
  expect([trial.result, trial.n]).toEqual(['open', 1]);
  const results = [];
  for (const entry of [other, bad, good]) {
    await trial.playOn([entry]);
    results.push(trial.result);
    await trial.back();
    results.push(trial.result);
  }
  expect(results).toEqual(['other', 'open', 'other', 'open', 'found', 'open']);
  trial.close();
});
