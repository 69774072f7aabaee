/** What Ekö brings to its records: the tags of the first position, the course of a game, and the results that only a table gives (E11.5, E11.6). */
import { type Book, messageOf, type Outcome, type Place, TagError } from '../record';
import { EKO } from '../records';
import type { Action } from './action';
import type { PlacedTile } from './layout';
import { formatAction, parseAction } from './notation';
import type { Eko, EkoPosition, PositionJson, Reserve, Stack } from './position';

const { IDENTITY, MOST_PLAYERS, ORDINARY_DISCS, REPETITIONS, RULES, TABLE_ENDS } = EKO;
const FIELDS = EKO.records.STATE.fields;
const PARTS = IDENTITY.map((name) => {
  const { offset, type, count } = FIELDS[name];
  const bytes = Number(/\d+$/.exec(type)![0]) / 8;
  return [offset, offset + bytes * count] as const;
});
const OPENING_TAGS = [
  'Players',
  'Variants',
  'Setup',
  'Tiles',
  'First',
  ...Array.from({ length: MOST_PLAYERS }, (_, seat) => `Discs${seat}`),
  'Position',
];
const ENDED = {
  repetition: 'the same position began a turn for the third time',
  'turn-limit': 'the turn limit (tag TurnLimit) was reached',
} as const;

/** What the repetition rule compares (E11.6). */
function identityOf({ state }: EkoPosition): string {
  return PARTS.map(([start, end]) => String.fromCharCode(...state.subarray(start, end))).join('');
}

/** A position that has begun a turn, and those before it. */
interface Begun {
  readonly identity: string;
  /** How often it has begun one. */
  readonly times: number;
  readonly before: Begun | undefined;
}

function begun(position: EkoPosition, before: Begun | undefined): Begun {
  const identity = identityOf(position);
  let same = before;
  while (same && same.identity !== identity) same = same.before;
  return { identity, times: 1 + (same?.times ?? 0), before };
}

export class EkoPlace implements Place<Action> {
  /** What was played here, by notation. */
  private readonly played = new Map<string, EkoPlace>();

  private constructor(
    readonly position: EkoPosition,
    private readonly begun: Begun | undefined,
    private readonly turnLimit: number | undefined,
  ) {}

  /** The first place of a game. */
  static at(position: EkoPosition, turnLimit?: number): EkoPlace {
    return new EkoPlace(position, position.isTurnStart ? begun(position, undefined) : undefined, turnLimit);
  }

  get number(): number {
    return this.position.turnNumber;
  }
  get actors(): number[] {
    return this.position.actors();
  }
  get outcome(): Outcome | undefined {
    return this.position.outcome();
  }
  /** How often the position at the start of this turn has begun one. */
  get repetition(): number {
    return this.begun?.times ?? 1;
  }
  get ends(): (keyof typeof ENDED)[] {
    const isLate = this.turnLimit !== undefined && this.number > this.turnLimit;
    return [
      ...(this.repetition >= REPETITIONS ? (['repetition'] as const) : []),
      ...(isLate ? (['turn-limit'] as const) : []),
    ];
  }
  /** By the rules of play, or else by those of tables. */
  get result(): Outcome | undefined {
    const [reason] = this.ends;
    return this.outcome ?? (reason && { winners: [], reason, rule: TABLE_ENDS[reason] });
  }

  /** The legal decisions that end the game by a third repetition. */
  get drawn(): Action[] {
    const [seat] = this.actors;
    let twice = this.begun;
    while (twice && twice.times < REPETITIONS - 1) twice = twice.before;
    if (!twice || seat === undefined) return [];
    return this.position.legal().filter((action) => this.play(seat, action).ends.includes('repetition'));
  }

  parse(word: string): Action {
    return parseAction(word, this.position.layout);
  }
  format(action: Action): string {
    return formatAction(action, this.position.layout);
  }
  /** The same place for the same decision. */
  play(seat: number, action: Action): this {
    const [notation, isAsked] = [this.format(action), this.actors.includes(seat)];
    const place = (isAsked && this.played.get(notation)) || this.after(seat, action);
    this.played.set(notation, place);
    return place as this;
  }
  private after(seat: number, action: Action): EkoPlace {
    const { position } = this;
    const [reason] = this.ends;
    if (reason) throw new RangeError(`${TABLE_ENDS[reason]}: ${ENDED[reason]}: the game was over`);
    const refusal = position.whyNot(seat, action);
    if (refusal) throw new RangeError(`${refusal.rule}: ${refusal.code}`);
    const after = position.play(action);
    return new EkoPlace(
      after,
      after.turnNumber === position.turnNumber ? this.begun : begun(after, this.begun),
      this.turnLimit,
    );
  }
}

/** The records of Ekö. */
export function ekoBook(eko: Eko): Book<Action, EkoPlace> {
  return {
    game: 'eko',
    rules: RULES,
    example: 'b4>d6',
    openingTags: OPENING_TAGS,
    tableEnds: TABLE_ENDS,
    notEnded: {
      repetition: 'the last position has not begun a turn three times',
      'turn-limit': 'the turn limit (tag TurnLimit) has not been reached',
    },
    playersOf: ({ position }) => position.players,
    begin: (tags, turnLimit) => EkoPlace.at(openingFrom(tags, eko), turnLimit),
    tagsOf({ position }) {
      const tags = written.get(position) ?? tagsOf(position, eko);
      written.set(position, tags);
      return tags;
    },
  };
}

/** The tags of first positions: a record is written again with every decision that is added to it. */
const written = new WeakMap<EkoPosition, Readonly<Record<string, string>>>();

function tagsOf(position: EkoPosition, eko: Eko): Readonly<Record<string, string>> {
  const value = position.toJson();
  if (value.tileset === undefined && value.turn.number === 0) {
    const tags = setUpTags(value, position);
    if (JSON.stringify(eko.position(setUp(new Map(Object.entries(tags)), eko)).toJson()) === JSON.stringify(value))
      return tags;
  }
  return {
    Position: JSON.stringify(value).replace(
      /[\u007f-\uffff]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  };
}

function openingFrom(tags: ReadonlyMap<string, string>, eko: Eko): EkoPosition {
  const [name, read]: [string, () => PositionJson] = tags.has('Position')
    ? ['Position', () => JSON.parse(tags.get('Position')!) as PositionJson]
    : ['Tiles', () => setUp(tags, eko)];
  try {
    return eko.position(read());
  } catch (error) {
    throw error instanceof TagError ? error : new TagError(name, messageOf(error));
  }
}

function setUpTags({ players, tiles, stacks, turn }: PositionJson, { layout }: EkoPosition): Record<string, string> {
  const discs = Array.from({ length: players }, (_, seat) => {
    const own = Object.entries(stacks).filter(([, { owner }]) => owner === seat);
    return [
      `Discs${seat}`,
      own.map(([space, { emperor }]) => `${layout.nameOf(space)}${emperor ? 'E' : ''}`).join(' '),
    ] as const;
  });
  return {
    Players: String(players),
    Setup: turn.phase === 'place' ? 'draft' : 'standard',
    Tiles: tiles.map((tile) => tile.join(',')).join(' '),
    ...Object.fromEntries(discs.filter(([, words]) => words)),
    First: String(turn.first ?? 0),
  };
}

/** The set-up position that the tags describe. */
function setUp(tags: ReadonlyMap<string, string>, eko: Eko): PositionJson {
  const few = (name: string, missing?: string): number => {
    const text = tags.get(name) ?? missing;
    if (text === undefined) throw new TagError(name, `'${name}': missing`);
    if (!/^[0-4]$/.test(text)) throw new TagError(name, `must be from 0 to 4, not ${text.slice(0, 40)}`);
    return Number(text);
  };
  const words = (name: string): string[] => (tags.get(name) ?? '').split(/\s+/).filter(Boolean);
  const players = few('Players');
  const first = few('First', '0');
  const isDraft = tags.get('Setup') === 'draft';
  if (!tags.has('Tiles')) throw new TagError('Tiles', 'missing');
  const tiles = words('Tiles').map((word): PlacedTile => {
    const [, tile, q, r, rot] = /^([^\s,]+),(-?[0-9]{1,4}),(-?[0-9]{1,4}),([0-5])$/.exec(word) ?? [];
    if (!tile) throw new TagError('Tiles', `a placed tile is written A,2,1,3, not '${word.slice(0, 40)}'`);
    return [tile, Number(q), Number(r), Number(rot)];
  });
  const layout = eko.layout(players, tiles);
  const stacks: Record<string, Stack> = {};
  for (let owner = 0; owner < players; owner++) {
    for (const word of words(`Discs${owner}`)) {
      const name = word.replace(/E$/, '');
      const space = layout.read(name);
      if (space === undefined)
        throw new TagError(`Discs${owner}`, `a space is written c5 or 2,-1, not '${name.slice(0, 40)}'`);
      if (space in stacks) throw new TagError(`Discs${owner}`, `two discs stand on ${name}`);
      stacks[space] = { owner, height: 1, emperor: word !== name };
    }
  }
  return firstPosition({ players, tiles, stacks, first, isDraft });
}

/** The first position of a game (E3). stacks: none in the draft. */
export function firstPosition({
  players,
  tiles,
  tileset,
  stacks,
  first,
  isDraft,
}: Pick<PositionJson, 'players' | 'tiles' | 'tileset' | 'stacks'> & { first: number; isDraft: boolean }): PositionJson {
  const each = <V>(value: V): V[] => Array.from({ length: players }, () => value);
  const unplaced: Reserve[] = each({ discs: ORDINARY_DISCS, emperor: true });
  return {
    game: 'eko',
    version: 1,
    players,
    tiles,
    ...(tileset && { tileset }),
    stacks,
    buildings: {},
    reserve: each({ discs: 0, emperor: false }),
    removed: each(0),
    captives: each([]),
    ...(isDraft && { unplaced }),
    turn: { number: 0, player: first, ...(first > 0 && { first }), phase: isDraft ? 'place' : 'swap' },
  };
}
