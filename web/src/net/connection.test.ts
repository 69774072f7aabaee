import { describe, expect, it, vi } from 'vitest';
import { FakeServer, opened } from '../table/testing';
import { Connection, type ConnectionState, type Incoming, LASTING, PATIENCE, SILENCE, SLOW } from './connection.svelte';

class Recorder extends Connection<Incoming, object> {
  readonly states: ConnectionState[] = [];
  readonly received: Incoming[] = [];
  override receive(message: Incoming): void {
    this.received.push(message);
  }
  override connectionChanged(state: ConnectionState): void {
    super.connectionChanged(state);
    this.states.push(state);
  }
  send(order: object): string {
    return this.transmit(order);
  }
}

function connected(): { server: FakeServer; recorder: Recorder; lose: (code: number, tries?: number) => void } {
  const server = new FakeServer();
  const recorder = opened(new Recorder(server), server);
  /** Closes the connection; the next attempts fail too. */
  const lose = (code: number, tries = 0): void => {
    for (let number = 0; number <= tries; number++) {
      if (number > 0) server.pass(Math.min(...server.waits));
      server.lose(number > 0 ? 1006 : code);
    }
  };
  return { server, recorder, lose };
}

describe('a connection', () => {
  it('is lost at once where the server gives no reason', () => {
    const { recorder, lose } = connected();
    lose(1006);
    expect(recorder.states).toEqual(['open', 'lost']);
  });

  it('comes back without alarm, and soon, where the server restarts', () => {
    const { server, recorder, lose } = connected();
    lose(1012, 5);
    expect(Math.max(...server.waits)).toBe(1000);
    server.comeBack();
    expect([...new Set(recorder.states)]).toEqual(['open', 'connecting']);
    expect(recorder.connection).toBe('open');
  });

  it.each([
    ['absent', 4404],
    ['outdated', 4426],
  ])('is not tried again where the table or the page is %s', (state, code) => {
    const { server, recorder, lose } = connected();
    lose(code);
    expect([recorder.connection, server.waits]).toEqual([state, []]);
  });

  it('sends a message with one key until it is answered', () => {
    const { server, recorder, lose } = connected();
    lose(1006);
    recorder.send({ type: 'act' });
    expect(server.sent).toEqual([]);
    for (const answered of [false, true, false]) {
      server.comeBack();
      if (answered) server.say({ type: 'ack', key: 'key-0' });
      lose(1006);
    }
    expect(server.sent.map(({ key }) => key)).toEqual(['key-0', 'key-0']);
  });

  it('asks how its next socket goes, and tells a failure that lasts as one', () => {
    const server = new FakeServer();
    const lost: boolean[] = [];
    const recorder = opened(new Recorder({ ...server, lost: (_socket, wasOpen) => lost.push(wasOpen) }), server);
    server.lose();
    server.pass(LASTING);
    server.lose();
    expect([recorder.isLasting, lost]).toEqual([true, [true, false]]);
    server.comeBack();
    expect(recorder.isLasting).toBe(false);
  });

  it('says that it waits for an answer, until there is one', () => {
    const { server, recorder } = connected();
    recorder.send({ type: 'act' });
    server.pass(SLOW - 1);
    expect(recorder.isSlow).toBe(false);
    server.pass(1);
    expect(recorder.isSlow).toBe(true);
    server.say({ type: 'ack', key: 'key-0' });
    expect(recorder.isSlow).toBe(false);
  });

  it('is lost where no server comes after a restart', () => {
    const { server, recorder, lose } = connected();
    lose(1012, 12);
    expect(recorder.connection).toBe('lost');
    server.comeBack();
    lose(1006);
    expect(recorder.connection).toBe('lost');
  });
});

describe('a connection with a heartbeat', () => {
  function beating(): { server: FakeServer; recorder: Recorder } {
    const server = new FakeServer();
    return { server, recorder: new Recorder({ ...server, beats: true }) };
  }
  function connected(): ReturnType<typeof beating> {
    const found = beating();
    opened(found.recorder, found.server);
    return found;
  }

  it('that dies silently is lost within eight seconds', () => {
    const { server, recorder } = connected();
    server.say({ type: 'seats' });
    server.pass(8000);
    expect(SILENCE + PATIENCE).toBeLessThan(8000);
    expect(server.sent).toEqual([{ type: 'beat' }]);
    expect(recorder.states.slice(0, 2)).toEqual(['open', 'lost']);
    expect(server.sockets.length).toBeGreaterThan(1);
  });

  it('that dies silently is lost sooner where something was sent', () => {
    const { server, recorder } = connected();
    recorder.send({ type: 'act' });
    server.pass(PATIENCE);
    expect(recorder.states).toEqual(['open', 'lost']);
  });

  it('is lost at once where the browser goes offline', () => {
    const { recorder } = connected();
    const window = new EventTarget();
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
    recorder.followNetwork(new AbortController());
    vi.unstubAllGlobals();
    window.dispatchEvent(new Event('offline'));
    expect(recorder.states).toEqual(['open', 'lost']);
  });

  it('stays open while the server answers, and does not pass the answers on', () => {
    const { server, recorder } = connected();
    for (let beats = 0; beats < 10; beats++) {
      server.pass(SILENCE);
      server.say({ type: 'beat' });
    }
    expect([recorder.states, recorder.received, server.sent.length]).toEqual([['open'], [], 10]);
  });

  it('sends no ping while messages arrive', () => {
    const { server, recorder } = connected();
    for (let messages = 0; messages < 10; messages++) {
      server.pass(SILENCE - 1);
      server.say({ type: 'seats' });
    }
    expect([server.sent.length, recorder.received.length]).toEqual([0, 10]);
  });

  it('tries again where it cannot be opened', () => {
    const { server, recorder } = beating();
    recorder.open();
    server.pass(PATIENCE + 1000);
    expect([recorder.states, server.sockets.length]).toEqual([['connecting'], 2]);
    server.pass(PATIENCE);
    expect(recorder.connection).toBe('lost');
  });

  it('sends again what was sent meanwhile, and ignores the old socket', () => {
    const { server, recorder } = connected();
    const old = server.socket;
    recorder.send({ type: 'act' });
    server.pass(8000);
    server.socket.onopen?.();
    old.onclose?.({ code: 1006 });
    expect(server.sent.filter(({ type }) => type === 'act').map(({ key }) => key)).toEqual(['key-0', 'key-0']);
    expect(recorder.connection).toBe('open');
  });

  it('is left alone once it was closed on purpose', () => {
    const { server, recorder } = connected();
    recorder.close();
    server.pass(60_000);
    expect([recorder.states, server.sent]).toEqual([['open'], []]);
  });
});
