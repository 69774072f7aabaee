import { expect, it } from 'vitest';
import type { Entry } from '../../net/protocol';
import { decisionsTo, follow, isMain, lastOf, linesOf, node, ordered, plant, promote, remove, written } from './tree';

/** "1a 1b 2c": turn and notation; the seat is the turn's parity. */
function log(text: string): Entry[] {
  return text.split(' ').map((word, i) => {
    const turn = Number(word[0]);
    return { n: i + 1, turn, seat: turn % 2, notation: word, action: { type: 'end' }, at: 0 };
  });
}
const list = (root: ReturnType<typeof node>): string[] =>
  linesOf(root).map(({ depth, nodes }) => `${'-'.repeat(depth)}${nodes.map(({ entry }) => entry?.notation).join(' ')}`);

it('joins lines with the same beginning, and lists the others after the decision they replace', () => {
  const root = node();
  follow(root, log('1a 1b 2c 3d'));
  const other = follow(root, log('1a 1x 2y'));
  const inner = follow(root, log('1a 1x 2z'));
  follow(root, log('1a 1b 2c 3d 4e'));
  expect(list(root)).toEqual(['1a 1b', '-1x', '-2y', '--2z', '2c', '3d', '4e']);
  expect(follow(root, log('1a 1x 2y'))).toBe(other);
  expect([isMain(other), isMain(inner), lastOf(root).entry?.notation]).toEqual([false, false, '4e']);
});

it('makes a variation the main line, and removes one', () => {
  const root = node();
  const main = follow(root, log('1a 2b'));
  const other = follow(root, log('1a 2c 3d'));
  promote(other);
  expect(list(root)).toEqual(['1a', '2c', '-2b', '3d']);
  expect([isMain(other), isMain(main)]).toEqual([true, false]);
  remove(other.parent!);
  expect(list(root)).toEqual(['1a', '2b']);
});

it('gives the same decisions for the same node', () => {
  const root = node();
  const last = follow(root, log('1a 1b'));
  const [first] = decisionsTo(last);
  expect(decisionsTo(last.parent!)[0]).toBe(first);
});

it('is written as a record has it, and planted again as it was', () => {
  const root = node();
  follow(root, log('1a 1b 2c'));
  Object.assign(follow(root, log('1a 1x 2y')), { sign: '?!', comment: 'why?' });
  follow(root, log('1a 1x 2z'));
  root.comment = 'start';
  const list = written(root);
  expect(list).toEqual([
    { comment: 'start' },
    ...['1a', '1b'].map((notation) => ({ notation })),
    { notation: '1x', parent: 1 },
    { notation: '2y', sign: '?!', comment: 'why?' },
    { notation: '2z', parent: 3 },
    { notation: '2c', parent: 2 },
  ]);
  const entries = new Map(ordered(root).map(({ entry }) => [entry?.notation, entry]));
  const again = node();
  plant(
    again,
    list.map(({ notation, ...one }) => ({ ...one, ...(notation !== undefined && { entry: entries.get(notation)! }) })),
  );
  expect(written(again)).toEqual(list);
  expect(linesOf(again)).toHaveLength(linesOf(root).length);
});
