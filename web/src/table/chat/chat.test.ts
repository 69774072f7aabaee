import { describe, expect, it } from 'vitest';
import type { ChatLine, ChatMessage, ChatOrder } from '../../net/protocol';
import { loadTexts } from '../../ui/i18n.svelte';
import { PlainTable } from '../plain/table.svelte';
import { FakeServer, opened, seat } from '../testing';
import { Chat } from './chat.svelte';

function line(n: number, yours = false): ChatLine {
  return {
    n,
    room: 'players',
    seat: yours ? 0 : 1,
    name: '',
    yours,
    text: `line ${n}`,
    at: '2026-01-01T10:00:00+00:00',
  };
}
function shown(lines: ChatLine[]): ChatMessage {
  return { type: 'chat', room: 'players', lines, muted: [], hides: 0, silenced: null };
}
function chat(): { chat: Chat; sent: ChatOrder[] } {
  const sent: ChatOrder[] = [];
  return { sent, chat: new Chat((order) => `key-${sent.push(order)}`) };
}

describe('the chat', () => {
  it('subscribes only if the table allows it and the reader wants it', () => {
    const { chat: one, sent } = chat();
    one.want(true);
    expect(sent).toEqual([]);
    one.open(false);
    expect([sent, one.isOn]).toEqual([[], false]);
    one.open(true);
    expect([sent, one.isOn]).toEqual([[{ type: 'chat', on: true }], true]);
  });
  it('subscribes once per connection, and clears its lines when it is switched off', () => {
    const { chat: one, sent } = chat();
    one.want(true);
    one.open(true);
    one.open(true);
    one.lost();
    one.open(true);
    one.show(shown([line(1)]));
    one.want(false);
    expect(sent).toEqual([
      { type: 'chat', on: true },
      { type: 'chat', on: true },
      { type: 'chat', on: false },
    ]);
    expect([one.lines, one.isOn]).toEqual([[], false]);
  });
  it('counts the lines of others since it was read, but not those before it was opened', () => {
    const { chat: one } = chat();
    one.show(shown([line(1), line(2)]));
    expect(one.unread).toBe(0);
    one.receive(line(4));
    one.receive(line(5, true));
    expect(one.unread).toBe(1);
    one.reading(true);
    one.receive(line(6));
    expect(one.unread).toBe(0);
    one.reading(false);
    one.receive(line(7));
    expect(one.unread).toBe(1);
  });
  it('handles errors of its own messages, not those of the game', () => {
    const { chat: one } = chat();
    one.say('hello');
    expect(one.refused({ type: 'error', key: 'another', code: 'table/stale', message: '' })).toBe(false);
    expect(
      one.refused({ type: 'error', key: 'key-1', code: 'talk/silenced', message: 'no', until: '2030-01-01T00:00:00Z' }),
    ).toBe(true);
    expect([one.problem?.code, one.silenced]).toEqual(['talk/silenced', '2030-01-01T00:00:00Z']);
    one.phrase('thanks');
    expect(one.problem).toBeNull();
  });
});

describe('what happens at a table', async () => {
  await loadTexts('table');
  const ada = seat(0, 'Ada', { yours: true, kind: 'open' });
  const bo = seat(1, 'Bo', { kind: 'open' });
  const free = seat(1, '', { kind: 'open', taken: false });
  const none = { proposal: null, may: [], absent: [], timed_out: [], substitutes: [], pause: null };
  function entered(seats: object[]): { table: PlainTable; server: FakeServer } {
    const server = new FakeServer();
    const table = opened(new PlainTable(server), server);
    const state = { asked: [], choices: {}, outcome: null, rematch: { agreed: [], table: null } };
    server.table({ version: 4, seats, state });
    return { table, server };
  }
  const told = ({ chat }: PlainTable): string[] => chat.happenings.map(({ text }) => text);

  it('stands in the chat: who came, who left, for whom a bot plays', () => {
    const { table, server } = entered([ada, free]);
    expect(told(table)).toEqual([]);
    server.say({ type: 'seats', seats: [ada, bo] });
    server.say({ type: 'seats', seats: [ada, free] });
    server.say({ type: 'seats', seats: [ada, bo] });
    server.say({ type: 'seats', seats: [ada, { ...bo, name: 'beginner', kind: 'bot', bot: 'beginner' }] });
    expect(told(table)).toEqual(['Bo joined.', 'Bo left.', 'Bo joined.', 'A bot plays for Bo.']);
  });
  it('stands in the chat: what is proposed, once', () => {
    const { table, server } = entered([ada, bo]);
    const proposal = { number: 1, what: 'pause', by: 1, asked: [0], agreed: [] };
    server.say({ type: 'agreements', ...none, proposal });
    server.say({ type: 'agreements', ...none, proposal });
    server.say({ type: 'agreements', ...none });
    server.say({ type: 'agreements', ...none, proposal: { ...proposal, number: 2, by: 0, asked: [1] } });
    expect(told(table).filter((line) => line.endsWith('for a pause.'))).toEqual([
      'Bo asks for a pause.',
      'You asked for a pause.',
    ]);
  });
  const pause = { number: 1, what: 'pause', by: 1, asked: [0, 1], agreed: [1] };
  const own = { ...pause, by: 0, agreed: [0] };
  it.each([
    ['withdrawn by who made it', pause, 1, none, ['Bo withdrew the proposal.']],
    ['declined by the reader', pause, 0, none, ['You declined.']],
    ['declined by the other', own, 1, none, ['Bo declined the proposal.']],
    ['withdrawn by the reader', own, 0, none, ['You withdrew your proposal.']],
    ['of somebody else, declined by a third', pause, 2, none, ['Cy declined the proposal.']],
    ['dropped by nobody', pause, null, none, ['Nothing came of the proposal by Bo.']],
    ['carried out', own, null, { ...none, pause: { until: null } }, ['The game is paused. All clocks are stopped.']],
    ['run out of time', { ...own, until: '2020-01-01T00:00:00Z' }, null, none, []],
  ])('stands in the chat: a proposal %s', (_, proposal, seat, after, lines) => {
    const { table, server } = entered([ada, bo, { ...bo, seat: 2, name: 'Cy' }]);
    server.say({ type: 'agreements', ...none, proposal });
    if (seat !== null) server.say({ type: 'declined', seat });
    server.say({ type: 'agreements', ...after });
    expect(told(table).slice(1)).toEqual(lines);
  });
  it.each([
    ['stands in the chat: a proposal that a decision drops', 2, ['Nothing came of the proposal by Ada.']],
    ['does not stand in the chat: a proposal to take back that is carried out', 0, []],
  ])('%s', (_, keep, lines) => {
    const { table, server } = entered([ada, bo]);
    const entries = [1, 2].map((n) => ({ n, seat: 0, notation: 'x2' }));
    const state = { asked: [], choices: {}, outcome: null, rematch: { agreed: [], table: null } };
    server.table({ version: 5, seats: [ada, bo], state, log: entries });
    server.say({ type: 'agreements', ...none, proposal: { ...own, what: 'take_back' } });
    server.update(state, { keep, entries: entries.slice(0, 1) }, ['asked', 'choices']);
    server.say({ type: 'agreements', ...none });
    expect(told(table).slice(1)).toEqual(lines);
  });
  it('stands in the chat: that the game goes on', () => {
    const { table, server } = entered([ada, bo]);
    server.say({ type: 'agreements', ...none, pause: { until: null } });
    server.say({ type: 'agreements', ...none, pause: { until: '2030-01-01T00:00:00Z' } });
    expect(told(table).at(-1)).toBe('The game goes on.');
  });
  it.each([
    ['resignation', [0], 'Bo resigned.'],
    ['resignation', [1], 'You resigned.'],
    ['aborted', [], 'The game was aborted. It has no result.'],
  ])('stands in the chat: the end by %s, won by %j', (reason, winners, line) => {
    const { table, server } = entered([ada, bo]);
    const state = { asked: [], choices: {}, outcome: { reason, winners }, rematch: { agreed: [], table: null } };
    const seats = [ada, bo];
    server.table({ version: 5, seats, state });
    expect(told(table)).toEqual([line]);
  });
  it('stands after the message before it', () => {
    const { chat: one } = chat();
    one.note('first');
    one.receive(line(7));
    one.note('second');
    expect(one.happenings.map(({ after, text }) => [after, text])).toEqual([
      [0, 'first'],
      [7, 'second'],
    ]);
  });
});
