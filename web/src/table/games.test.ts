import { describe, expect, it } from 'vitest';
import meta from '../../../tests/golden/meta.json';
import type { GameInfo, ServerInfo } from '../protocol/messages';
import { chosenGame, entryOf, GAMES, offered, titleOf } from './games';

const META = meta as unknown as ServerInfo;
const STRANGE: GameInfo = { name: 'nim', players: [2, 2], bots: [], levels: [], stand_in: '', options: {} };

describe('the games of the page', () => {
  it('are those of the server', () => {
    expect([...GAMES].sort()).toEqual(META.games.map(({ name }) => name).sort());
  });
  it('are offered in the order of the server; one without a board is not', () => {
    const games = offered({ ...META, games: [STRANGE, ...META.games] });
    expect(games.map(({ name }) => name)).toEqual(META.games.map(({ name }) => name));
    expect([entryOf('nim'), titleOf('nim')]).toEqual([null, 'nim']);
  });
  it('are chosen by the address, else the first', () => {
    const [first, second] = offered(META);
    expect(chosenGame({ page: 'home', game: second!.name }, META.games)).toBe(second);
    expect(chosenGame({ page: 'home', game: null }, META.games)).toBe(first);
    expect(chosenGame({ page: 'home', game: 'nim' }, META.games)).toBe(first);
    expect(chosenGame({ page: 'home', game: null }, [])).toBeNull();
  });
});
