import { describe, expect, it, vi } from 'vitest';
import type { EntryInfo, LinePlan, TableMessage } from '../../protocol/messages';
import { unpack } from '../../ui/packed';
import { FakeTable } from '../testing';
import { ofBoard, ofRecord, recordOfTab } from './address';
import { AnalysisBoard, type Whole } from './board.svelte';
import { numbered, ofTurn } from './tree';

vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });

const foretold = (word: string): EntryInfo => ({
  turn: Number(word[0]),
  seat: Number(word[0]) % 2,
  notation: word,
  action: { type: 'move', from: word, to: word },
});
const wordOf = ({ action }: { action: unknown }): string => (action as { from: string }).from;

/** Rules whose record is a list of words, and the table that shows them. */
async function opened(record: string, n: number | null = null, at: number | null = null) {
  const asked: LinePlan[] = [];
  const play = (plan: LinePlan) => {
    asked.push(plan);
    const words = (plan.record ?? '').split(' ').filter(Boolean).slice(0, plan.after);
    const all = [...words, ...(plan.decisions ?? []).map(wordOf)];
    const refused = all.at(-1) === '9x';
    if (refused) all.pop();
    const table = {
      type: 'table',
      version: all.length,
      seats: [],
      state: { all },
      log: numbered(all.map(foretold), 0),
    } as unknown as TableMessage;
    return { refusal: refused ? { code: 'no', message: '' } : null, table, record: all.join(' ') };
  };
  const open = (record: string) =>
    Promise.resolve({ record, tree: [{}, ...record.split(' ').map((word) => ({ entry: foretold(word) }))] });
  const wrote = vi.fn((_whole: Whole) => Promise.resolve('written'));
  const board = new AnalysisBoard(record, n, { open, play, write: wrote, evaluate: vi.fn() }, at);
  const table = new FakeTable();
  board.start(table);
  await settled();
  const act = (word: string): void => board.order({ type: 'act', seat: 1, action: foretold(word).action });
  return { board, table, act, asked, wrote };
}
const settled = () => new Promise((done) => setTimeout(done));

describe('the board', () => {
  it('opens a record at a decision and goes through it', async () => {
    const { board, asked, table } = await opened('1a 1b 2c', 1);
    expect([board.record, board.n, board.lines.flatMap(({ nodes }) => nodes).length]).toEqual(['1a', 1, 3]);
    expect(asked.at(-1)).toEqual({ record: '1a 1b 2c', after: 1, decisions: [] });
    for (const [key, record] of [
      ['arrowright', '1a 1b'],
      ['end', '1a 1b 2c'],
      ['arrowleft', '1a 1b'],
      ['home', ''],
    ] as const) {
      expect(board.press(key)).toBe(true);
      expect(board.record).toBe(record);
    }
    expect(table.shown.map(([, follows]) => follows)).toEqual([false, true, true, false, false]);
  });

  it('adds what is played as variations, and sends only what differs from the record', async () => {
    const { board, table, act, asked } = await opened('1a 1b 2c', 1);
    act('1x');
    expect(asked.at(-1)).toMatchObject({ after: 1, decisions: [{ seat: 1 }] });
    expect(board.lines.map(({ depth, nodes }) => [depth, nodes.length])).toEqual([
      [0, 2],
      [1, 1],
      [0, 1],
    ]);
    expect([board.record, table.shown.at(-1)]).toEqual(['1a 1x', [2, true]]);
    await board.playOn([foretold('2y'), foretold('3z')]);
    expect(board.record).toBe('1a 1x 2y 3z');
    act('9x');
    expect([board.record, table.refusals.length]).toEqual(['1a 1x 2y 3z', 1]);
    board.promote();
    expect(board.lines[0]?.nodes.map(({ entry }) => entry?.notation)).toEqual(['1a', '1x']);
    await board.remove();
    expect(board.record).toBe('1a 1x 2y');
  });

  it('has signs and comments, and the number of the shown node for its address', async () => {
    const { board, wrote } = await opened('1a 1b 2c', null, 2);
    expect([board.record, board.edits]).toEqual(['1a 1b', 0]);
    for (const sign of ['!', '!?', '?', '?!', '!'] as const) {
      board.press(sign.at(-1)!);
      expect(board.notesOf(board.current).sign).toBe(sign);
    }
    board.note({ comment: 'good' });
    expect([board.edits, board.numberOf(board.current)]).toEqual([6, 2]);
    expect(await board.write()).toBe('written');
    expect(wrote).toHaveBeenCalledWith({
      record: '1a 1b 2c',
      tree: [{}, { notation: '1a' }, { notation: '1b', sign: '!', comment: 'good' }, { notation: '2c' }],
    });
    board.press('end');
    expect(board.numberOf(board.current)).toBe(null);
    board.press('home');
    board.press('!');
    expect(board.notesOf(board.root).sign).toBe('');
  });
});

it('packs a record into an address', async () => {
  const record = '[Game "eko"]\n[Seat0 "Zoë"]\n\n1. seat 0: c5 → c6\nresult: open\n'.repeat(40);
  const address = await ofRecord('eko', record);
  expect(address.length).toBeLessThan(300);
  expect(await unpack(new URLSearchParams(address.split('?')[1]).get('record')!)).toBe(record);
  await expect(unpack('broken')).rejects.toThrow();
});

it('has what is too long for a link in the storage of the tab', async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    setItem: (key: string, value: string) => stored.set(key, value),
    getItem: (key: string) => stored.get(key) ?? null,
  });
  vi.stubGlobal('location', { search: '' });
  vi.stubGlobal('crypto', {}); // as over plain http
  const short = await ofBoard('eko', 'short', 'abc', 7);
  expect([short.isLink, short.address]).toEqual([true, `${await ofRecord('eko', 'short')}&table=abc&at=7`]);
  const long = Array.from({ length: 3000 }, (_, n) => (n * 7919) % 9973).join(' ');
  const { address, isLink } = await ofBoard('eko', long);
  expect(isLink).toBe(false);
  expect(recordOfTab(new URLSearchParams(address.split('?')[1]).get('tab')!)).toBe(long);
  expect(() => recordOfTab('other')).toThrow();
});

it('cuts a variation at the end of its first turn', () => {
  expect(ofTurn(['1a', '1b', '2c'].map(foretold)).length).toBe(2);
  expect(ofTurn([foretold('1a')]).length).toBe(1);
  expect(ofTurn([])).toEqual([]);
});
