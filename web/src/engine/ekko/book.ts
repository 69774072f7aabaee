/** What EKKO brings to its records: the tags of the first position, and the course of a sequence (K6.3). Games of live tables are the server's to read. */
import { type Book, messageOf, type Outcome, type Place, TagError } from '../record';
import { EKKO } from '../records';
import { type Action, formatAction, parseAction } from './action';
import type { Ekko, EkkoPosition, PositionJson } from './position';

const { DEFAULT_TARGET, FEWEST_PLAYERS, HIGHEST_TARGET, MOST_PLAYERS, RULES, TABLE_ENDS } = EKKO;
/** Misplays, closes, remarks and mirrors that name the top card. */
const LIVE = /^(?:\d+\?|close|ready|resign|(?:late|claim):.*|\d+\/\d+[+-].*)$/;

export class EkkoPlace implements Place<Action> {
  readonly ends: readonly string[] = [];
  /** What was played here, by notation. */
  private readonly played = new Map<string, EkkoPlace>();

  constructor(readonly position: EkkoPosition) {}

  get number(): number {
    return this.position.round;
  }
  get actors(): number[] {
    const { actor } = this.position;
    return actor === undefined ? [] : [actor];
  }
  get outcome(): Outcome | undefined {
    return this.position.outcome();
  }
  get result(): Outcome | undefined {
    return this.outcome;
  }

  parse(word: string): Action {
    if (LIVE.test(word)) throw new RangeError('K6.3: is only allowed in the record of a live table (tag Live)');
    return parseAction(word);
  }
  format(action: Action): string {
    return formatAction(action);
  }
  /** The same place for the same decision. */
  play(seat: number, action: Action): this {
    const refusal = this.position.whyNot(seat, action);
    if (refusal) throw new RangeError(`${refusal.rule}: ${refusal.code}`);
    const notation = this.format(action);
    const place = this.played.get(notation) ?? new EkkoPlace(this.position.play(action, seat));
    this.played.set(notation, place);
    return place as this;
  }
}

/** The records of EKKO. */
export function ekkoBook(ekko: Ekko): Book<Action, EkkoPlace> {
  return {
    game: 'ekko',
    rules: RULES,
    example: '67',
    openingTags: ['Players', 'Target', 'Dealer', 'Position'],
    tableEnds: TABLE_ENDS,
    notEnded: {},
    playersOf: ({ position }) => position.players,
    begin: (tags) => new EkkoPlace(openingFrom(tags, ekko)),
    tagsOf: ({ position }) => tagsOf(position, ekko),
    summary({ position: before }, { position: after }) {
      if (before.phase === 'deal' || after.phase === 'mirror' || after.phase === 'play') return undefined;
      const points = after.scores.map((score, seat) => score - before.scores[seat]!);
      return `${before.round}. points: ${points.join(' ')}, in all ${after.scores.join(' ')}`;
    },
  };
}

function tagsOf(position: EkkoPosition, ekko: Ekko): Record<string, string> {
  const value = position.toJson();
  const { players, target, turn } = value;
  const first = JSON.stringify(ekko.start(players, turn.dealer, target).toJson());
  if (first === JSON.stringify(value))
    return { Players: String(players), Target: String(target), Dealer: String(turn.dealer) };
  return { Position: JSON.stringify(value) };
}

function openingFrom(tags: ReadonlyMap<string, string>, ekko: Ekko): EkkoPosition {
  if (tags.get('Live') === 'yes') throw new TagError('Live', 'the game of a live table is for the server to read');
  if (tags.has('Position')) return read(tags.get('Position')!, ekko);
  const whole = (name: string, least: number, most: number, missing?: number): number => {
    const text = tags.get(name) ?? missing?.toString();
    if (text === undefined) throw new TagError(name, `'${name}': missing`);
    if (!/^\d{1,4}$/.test(text) || Number(text) < least || Number(text) > most)
      throw new TagError(name, `must be from ${least} to ${most}, not ${text.slice(0, 40)}`);
    return Number(text);
  };
  const players = whole('Players', FEWEST_PLAYERS, MOST_PLAYERS);
  return ekko.start(players, whole('Dealer', 0, players - 1), whole('Target', 1, HIGHEST_TARGET, DEFAULT_TARGET));
}

function read(text: string, ekko: Ekko): EkkoPosition {
  try {
    const value = JSON.parse(text) as PositionJson;
    if (!(value.players >= FEWEST_PLAYERS && value.players <= MOST_PLAYERS))
      throw new RangeError(`must have ${FEWEST_PLAYERS} to ${MOST_PLAYERS} players`);
    return ekko.position(value);
  } catch (error) {
    throw new TagError('Position', messageOf(error));
  }
}
