import { describe, expect, it } from 'vitest';
import { Connection, type Line, type Socket } from './connection.svelte';
import { PATIENCE, QUIET, HeartbeatSocket } from './heartbeat';

/** A network whose packets can be dropped, with a clock that goes on when told to. */
class Network {
  sockets: Socket[] = [];
  sent: { type: string; key?: string }[] = [];
  lines: Line[] = [];
  heard: unknown[] = [];
  #clock = 0;
  #keys = 0;
  #tasks = new Map<() => void, number>();

  readonly later = (task: () => void, milliseconds: number): (() => void) => {
    const own = (): void => task();
    this.#tasks.set(own, this.#clock + milliseconds);
    return () => void this.#tasks.delete(own);
  };
  readonly connection = new Connection<{ type: string; key?: string }, object>(
    { open: () => new HeartbeatSocket(this.#raw(), this.later), later: this.later, key: () => `key-${this.#keys++}` },
    (message) => this.heard.push(message),
    (line) => this.lines.push(line),
  );

  get socket(): Socket {
    return this.sockets.at(-1)!;
  }
  say(message: object): void {
    this.socket.onmessage?.({ data: JSON.stringify(message) });
  }
  pass(milliseconds: number): void {
    const end = this.#clock + milliseconds;
    for (;;) {
      const [next] = [...this.#tasks].filter(([, at]) => at <= end).sort(([, a], [, b]) => a - b);
      if (!next) break;
      this.#clock = next[1];
      this.#tasks.delete(next[0]);
      next[0]();
    }
    this.#clock = end;
  }
  #raw(): Socket {
    const socket: Socket = { onopen: null, onmessage: null, onclose: null, send: (text) => void this.sent.push(JSON.parse(text)), close: () => undefined };
    this.sockets.push(socket);
    return socket;
  }
}

function connected(): Network {
  const network = new Network();
  network.connection.open();
  network.socket.onopen?.();
  return network;
}

describe('a line', () => {
  it('that dies without a word is lost within eight seconds', () => {
    const network = connected();
    network.say({ type: 'seats' });
    network.pass(8000);
    expect(QUIET + PATIENCE).toBeLessThan(8000);
    expect(network.sent).toEqual([{ type: 'beat' }]);
    expect(network.lines.slice(0, 2)).toEqual(['open', 'lost']);
    expect(network.sockets.length).toBeGreaterThan(1);
  });

  it('stays open while the other end gives signs of life, of which nobody else hears', () => {
    const network = connected();
    for (let beats = 0; beats < 10; beats++) {
      network.pass(QUIET);
      network.say({ type: 'beat' });
    }
    expect([network.lines, network.heard, network.sent.length]).toEqual([['open'], [], 10]);
  });

  it('is not asked while something is heard', () => {
    const network = connected();
    for (let messages = 0; messages < 10; messages++) {
      network.pass(QUIET - 1);
      network.say({ type: 'seats' });
    }
    expect([network.sent.length, network.heard.length]).toEqual([0, 10]);
  });

  it('that can not be opened is tried again', () => {
    const network = new Network();
    network.connection.open();
    network.pass(PATIENCE + 1000);
    expect([network.lines, network.sockets.length]).toEqual([['lost'], 2]);
  });

  it('sends what was chosen meanwhile once it is back, and an old socket is not heard any more', () => {
    const network = connected();
    const old = network.socket;
    network.connection.send({ type: 'act' });
    network.pass(8000);
    network.socket.onopen?.();
    old.onclose?.({ code: 1006 });
    expect(network.sent.filter(({ type }) => type === 'act').map(({ key }) => key)).toEqual(['key-0', 'key-0']);
    expect(network.lines.at(-1)).toBe('open');
  });

  it('that is closed on purpose is left alone', () => {
    const network = connected();
    network.connection.close();
    network.pass(60_000);
    expect([network.lines, network.sent]).toEqual([['open'], []]);
  });
});
