import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EkkoPlace } from '../engine/ekko/book';
import { Ekko, type PositionJson } from '../engine/ekko/position';
import tables from '../engine/ekko/tables.json';
import { moduleOf } from '../engine/testing';
import { after, type Calm, calmTable, handOf, NotNow, publicState, type Step, sequence } from './calm';

const ekko = new Ekko(moduleOf('ekko'));

interface Table {
  readonly start: PositionJson;
  readonly options: { players: number; hints?: boolean; open_hands?: boolean };
  readonly steps: readonly [Step['seat'], Step['action'], string][];
}

/** JSON with sorted keys, as Python writes it. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, content]) => content !== undefined);
  const rows = entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${rows.map(([key, content]) => `${JSON.stringify(key)}:${sorted(content)}`).join()}}`;
}

function seen(table: Calm, hints = false): object {
  const { position, stage, ready, decided, claim, rounds, outcome } = publicState(table);
  const hands = Array.from({ length: position.players }, (_, seat) => [seat, handOf(table, seat, hints)]);
  const log = table.log.slice(-8).map(({ n: _, at: __, notation: ___, ...entry }) => entry);
  return { position, stage, ready, decided, claim, rounds, hands: Object.fromEntries(hands), outcome, log };
}

describe.each(tables as unknown as Table[])('table $#', ({ start, options, steps }) => {
  const begin = ekko.position(start);

  it('shows after each decision what a calm table of the server shows, and refuses by the same rule', () => {
    let table = calmTable(begin, options.open_hands === true);
    const found = steps.map(([seat, action]) => {
      try {
        table = after(table, { seat, action });
        return createHash('sha256')
          .update(sorted(seen(table, options.hints)))
          .digest('hex')
          .slice(0, 8);
      } catch (error) {
        if (!(error instanceof NotNow)) throw error;
        return error.failure.rule;
      }
    });
    expect(found).toEqual(steps.map(([, , expected]) => expected));
  });

  it('is a sequence of decisions with the same end', () => {
    const done = steps.filter(([, , found]) => !/^K\d/.test(found));
    const table = done.reduce((all, [seat, action]) => after(all, { seat, action }), calmTable(begin, false));
    const place = sequence(table, begin).reduce((at, { seat, action }) => at.play(seat, action), new EkkoPlace(begin));
    expect(place.position.scores).toEqual(table.position.scores);
    expect(place.position.round).toBe(table.position.round);
  });
});
