import { expect, it, vi } from 'vitest';
import type { EntryInfo, LinePlan, TableMessage } from '../../protocol/messages';
import { numbered } from '../../shell/analysis/tree';
import { Trial } from './trial.svelte';

vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });
const move = (to: string): EntryInfo => ({ turn: 1, seat: 0, notation: to, action: { type: 'move', from: 'a', to } });
const settled = () => new Promise((done) => setTimeout(done));

it('knows the better decision from any other, and goes back', async () => {
  const play = ({ after = 3, decisions = [], tree }: LinePlan) => {
    const all = [...['x', 'y', 'bad'].slice(0, after), ...decisions.map(({ action }) => (action as { to: string }).to)];
    const table = { type: 'table', id: 'analysis', version: all.length, seats: [], state: {}, log: numbered(all.map(move), 0) };
    return Promise.resolve({ refusal: null, table: table as unknown as TableMessage, record: '', ...(tree && { tree: [{}, ...all.map((to) => ({ entry: move(to) }))] }) });
  };
  const trial = new Trial('record', 2, [move('good'), move('more')], play);
  await settled();
  expect([trial.result, trial.n]).toEqual(['open', 2]);
  const results = [];
  for (const to of ['other', 'bad', 'good']) {
    await trial.playOn([move(to)]);
    results.push(trial.result);
    await trial.back();
    results.push(trial.result);
  }
  expect(results).toEqual(['other', 'open', 'other', 'open', 'found', 'open']);
  trial.close();
});
