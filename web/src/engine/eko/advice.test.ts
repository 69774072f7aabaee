import { describe, expect, it } from 'vitest';
import networks from '../../../../src/ekoes/games/eko/bots/network.json';
import basics from '../../../../src/ekoes/games/eko/lessons/1-basics.json';
import variants from '../../../../src/ekoes/games/eko/lessons/2-variants.json';
import { moduleOf } from '../testing';
import { captorsOf, reasonsFor, threatsOf } from './advice';
import games from './games.json';
import { Eko, type EkoPosition, type PositionJson } from './position';
import { Search } from './search';

const eko = new Eko(moduleOf('eko'));
const search = new Search(moduleOf('search'), networks, 1);

function lesson(name: string): EkoPosition {
  const chapters = [...basics.chapters, ...variants.chapters] as unknown as { name: string; position: PositionJson }[];
  return eko.position(chapters.find((one) => one.name === name)!.position);
}
function advised(position: EkoPosition) {
  search.moveTo(position);
  return search.chooseGreedily(1n);
}

describe('threats', () => {
  it('are what a stack could take and where it could go', () => {
    const { seat, takes, moves } = threatsOf(lesson('attack'), '-2,3')!;
    expect([seat, [...takes].sort()]).toEqual([1, ['-1,0', '-3,1']]); // the Emperor stands with these three
    expect(moves).toContain('-1,3');
    expect(moves.filter((space) => ['-1,0', '1,-1', '-2,3'].includes(space))).toEqual([]);
  });

  it('are equal stacks, of an Emperor', () => {
    expect([...threatsOf(lesson('emperor'), '-1,3')!.takes].sort()).toEqual(['-1,1', '1,2']);
    expect(threatsOf(lesson('emperor'), '2,-2')!.takes).toEqual([]);
  });

  it('are sites', () => expect(threatsOf(lesson('upgrade'), '1,0')!.sites).toEqual(['0,0']));
  it.each(['0,0', '9,9', 'here'])('are none where nothing stands: %s', (place) =>
    expect(threatsOf(lesson('attack'), place)).toBeUndefined(),
  );
  it('are none before the first turn', () =>
    expect(threatsOf(lesson('setup'), '1,-1')).toMatchObject({ moves: [], takes: [], sites: [] }));
});

describe('the captors of an Emperor', () => {
  const captors = (name: string, seat: number): string[] => captorsOf(lesson(name), seat).sort();

  it('are the stacks that beat it where they can reach it', () => {
    expect(captors('emperor', 0)).toEqual(['-1,3']);
    expect(captors('move', 0)).toEqual(['2,-4']);
  });
  it('are none of an Emperor out of reach', () => expect(captors('setup', 0)).toEqual([]));
  it('are known before the first turn', () => {
    const { stacks, ...others } = lesson('setup').toJson();
    const near = eko.position({
      ...others,
      stacks: {
        ...stacks,
        '0,-3': { owner: 1, height: 1, emperor: true },
        '-3,-1': { owner: 1, height: 1, emperor: false },
        '-1,-2': { owner: 0, height: 1, emperor: true },
        '1,-1': { owner: 0, height: 1, emperor: false },
      },
    });
    expect([near.phase, captorsOf(near, 0)]).toEqual(['swap', ['0,-3']]);
  });
});

describe('reasons', () => {
  it.each([
    ['win', ['wins']],
    ['emperor', ['captures', 'emperor-safe', 'points', 'attack']],
    ['ransom', ['emperor-back', 'attack']],
    ['setup', ['threatens']],
    ['pyramids', ['points']],
    ['sandtemple', ['sandtemple', 'safer', 'threatens-emperor']],
  ])('%s: the most important first', (name, reasons) => {
    const position = lesson(name);
    expect(
      reasonsFor(position, advised(position))
        .map(({ reason }) => reason)
        .slice(0, reasons.length),
    ).toEqual(reasons);
  });

  it('are known of nearly every advice in a game', () => {
    let position = eko.position(games[3]!.start as unknown as PositionJson);
    const shown: string[] = [];
    while (!position.outcome() && shown.length < 60) {
      const action = advised(position);
      shown.push(...reasonsFor(position, action).map(({ reason }) => reason));
      position = position.play(action);
    }
    expect(shown).toEqual(expect.arrayContaining(['points', 'reinforce', 'sites']));
    expect(shown.filter((reason) => reason === 'position').length).toBeLessThan(5);
  });
});
