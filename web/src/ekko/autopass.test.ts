import { beforeEach, describe, expect, it } from 'vitest';
import { FakeServer } from '../table/testing';
import { AutoPass, MINIMUM_DELAY, RANDOM_DELAY } from './autopass.svelte';

let server: FakeServer;
let passes: number[];

const looksAway = (share = 0.5): AutoPass =>
  new AutoPass(
    server.later,
    () => share,
    () => passes.push(server.clock),
  );

beforeEach(() => {
  [server, passes] = [new FakeServer(), []];
  server.clock = 0;
});

describe('looking away', () => {
  it('passes once per request, at a random moment', () => {
    const away = looksAway(0.25);
    away.look();
    away.asked(true);
    away.asked(true);
    server.pass(MINIMUM_DELAY + RANDOM_DELAY);
    expect(passes).toHaveLength(1);
    away.asked(false);
    server.pass(10_000);
    expect(passes).toHaveLength(1);
    away.asked(true);
    server.pass(MINIMUM_DELAY + RANDOM_DELAY / 4 - 1);
    expect(passes).toHaveLength(1);
    server.pass(1);
    expect(passes).toHaveLength(2);
  });

  it('does not pass immediately', () => {
    const away = looksAway(0);
    away.asked(true);
    away.look();
    server.pass(MINIMUM_DELAY - 1);
    expect(passes).toEqual([]);
    server.pass(1);
    expect(passes).toEqual([MINIMUM_DELAY]);
  });

  it('stops when the player looks up, and sends nothing after the request ends', () => {
    const away = looksAway();
    away.look();
    away.asked(true);
    away.up();
    server.pass(10_000);
    away.look();
    away.asked(false);
    server.pass(10_000);
    expect(passes).toEqual([]);
  });
});
