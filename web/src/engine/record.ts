/** Records of games as text, with variations, comments and signs (docs/reference/records.md). */

export const SIGNS = ['!!', '!', '!?', '?!', '?', '??'] as const;
export type Sign = '' | (typeof SIGNS)[number];

export interface Outcome {
  readonly winners: readonly number[];
  readonly reason: string;
  readonly rule: string;
}

/** A position in the course of its game. */
export interface Place<A> {
  /** Of the turn, 0 in the set-up. */
  readonly number: number;
  readonly actors: readonly number[];
  /** By the rules of play. */
  readonly outcome: Outcome | undefined;
  /** By which a table ends the game here. */
  readonly ends: readonly string[];
  /** Throws an error with the reason. */
  parse(word: string): A;
  format(action: A): string;
  /** Throws an error that names the rule. */
  play(seat: number, action: A): this;
}

/** What a game brings to its records. */
export interface Book<A, P extends Place<A>> {
  readonly game: string;
  readonly rules: string;
  /** A decision, for error messages. */
  readonly example: string;
  readonly openingTags: readonly string[];
  /** The rules by which a table ends a game, by reason. */
  readonly tableEnds: Readonly<Record<string, string>>;
  readonly notEnded: Readonly<Record<string, string>>;
  /** The first place. Throws a TagError. */
  begin(tags: ReadonlyMap<string, string>, turnLimit: number | undefined): P;
  tagsOf(start: P): Readonly<Record<string, string>>;
  playersOf(start: P): number;
  /** The note behind a decision of the main line, such as the points of a round that it has ended. */
  summary?(before: P, after: P): string | undefined;
}

/** A tag that gives no first position. */
export class TagError extends Error {
  constructor(
    readonly tag: string,
    message: string,
  ) {
    super(message);
  }
}

/** A record that can't be read: the number of its line, and the reason. */
export class RecordError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
  }
}

/** A decision of a tree of variations; the first node is the start, without one. */
export interface RecordNode<A, P> {
  /** The number of the node before. */
  readonly parent: number;
  readonly seat: number;
  readonly action: A | undefined;
  /** The position after it. */
  readonly place: P;
  readonly milliseconds?: number | undefined;
  sign: Sign;
  comment: string;
}

/** A game with its variations. */
export interface GameRecord<A, P> {
  /** Rules, Date, Seat0 …, Seed, TurnLimit and all tags that are not known, as they are written. */
  readonly tags: Readonly<Record<string, string>>;
  /** In the order of the file: a decision, those that were possible in its place, what follows it. The first child of a node is its main line. */
  readonly nodes: readonly RecordNode<A, P>[];
  readonly outcome: Outcome | undefined;
}

const FORMAT = '1';
const OPEN = 'result: open';
const VARIATIONS = 'Variations';
const OWN_TAGS = ['Game', 'Format', 'Rules', 'Date', 'Seed', 'TurnLimit', VARIATIONS];
const LONGEST_QUOTE = 60;
const TAG = /^\[([A-Za-z][A-Za-z0-9]{0,39}) (".*")\]$/;
const TURN = /^([0-9]{1,9})\. (?:seat ([0-9])|table): (\S.*)$/;
const WORD = /([^\s{}]+)(?:\{([^{}]*)\})?(?:\s+|$)/y;
const SUMMARY = /^[0-9]{1,9}\. points: .*$/;
const SECONDS = /^([0-9]{1,9})(?:\.([0-9]{1,3}))?$/;
const RESULT = /^result: (nobody|[0-9](?: [0-9])*) by ([a-z-]{1,40}) \(([A-Z]+[0-9]+\.[0-9]+)\)$/;
const RULES = /^[^\s,]{1,20}(?:, [^\s,]{1,20} from [0-9]{1,9})*$/;
const CHANCE = -1;
const GIVEN_UP: Readonly<Record<string, string>> = { resignation: 'a resignation', time: 'time' };

/** Read a record with its variations, every decision of which is judged. Throws a RecordError. */
export function readRecord<A, P extends Place<A>>(text: string, book: Book<A, P>): GameRecord<A, P> {
  return new Reader(text, book).record();
}

/** The numbers of the nodes of the main line, without the start. */
export function mainLine(nodes: readonly { readonly parent: number }[]): number[] {
  const line: number[] = [];
  nodes.forEach(({ parent }, number) => number > 0 && parent === (line.at(-1) ?? 0) && line.push(number));
  return line;
}

/** A text as an error message quotes it. */
export function quoted(text: string): string {
  const cut = (text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text).replaceAll('\\', '\\\\');
  return cut.includes("'") && !cut.includes('"') ? `"${cut}"` : `'${cut.replaceAll("'", "\\'")}'`;
}

const label = (number: number, seat: number): string => `${number}. ${seat === CHANCE ? 'table' : `seat ${seat}`}`;
/** What an error says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A place in a variation. before: the place before its last decision, undefined at its start. line: where it was opened. */
interface Open<P> {
  at: number;
  place: P;
  before: P | undefined;
  readonly line: number;
}

class Reader<A, P extends Place<A>> {
  readonly #lines: readonly (readonly [number: number, line: string])[];
  readonly #book: Book<A, P>;
  readonly #tags = new Map<string, string>();
  readonly #tagLines = new Map<string, number>();
  readonly #nodes: RecordNode<A, P>[] = [];
  readonly #known = new Set<string>();
  #open: Open<P>[] = [];
  /** What may stand behind the latest decision of the main line. */
  #summary: string | undefined;
  #number = 1;

  constructor(text: string, book: Book<A, P>) {
    this.#book = book;
    this.#lines = text
      .replace(/^\uFEFF/, '')
      .split(/\r\n|\r|\n/)
      .map((line, at) => [at + 1, line.trim()] as const);
  }

  record(): GameRecord<A, P> {
    const body = this.#readTags();
    this.#checkHead();
    const turnLimit = this.#turnLimit();
    const start = this.#start(turnLimit);
    this.#nodes.push({ parent: 0, seat: CHANCE, action: undefined, place: start, sign: '', comment: '' });
    this.#open = [{ at: 0, place: start, before: undefined, line: 0 }];
    const outcome = this.#play(body);
    return { tags: this.#otherTags(start), nodes: this.#nodes, outcome };
  }

  #fail(reason: string): never {
    throw new RecordError(this.#number, reason);
  }
  #failTag(name: string, reason: string): never {
    throw new RecordError(this.#tagLines.get(name) ?? 1, `tag ${name}: ${reason}`);
  }

  /** The lines after the tags without blank ones; lines of variations if there are any, no other comments. */
  #readTags(): [number, string][] {
    let first = this.#lines.findIndex(([, line]) => line !== '' && !line.startsWith(';') && !line.startsWith('['));
    if (first < 0) first = this.#lines.length;
    for (const [number, line] of this.#lines.slice(0, first)) if (line.startsWith('[')) this.#tag(number, line);
    const variations = this.#tags.get(VARIATIONS);
    if (variations !== undefined && variations !== 'yes')
      this.#failTag(VARIATIONS, `is written yes, not ${quoted(variations)}`);
    const lastTag = Math.max(0, ...this.#tagLines.values());
    return this.#lines.flatMap(([number, line], at): [number, string][] => {
      if (line.startsWith(';')) return variations !== undefined && number > lastTag ? [[number, line]] : [];
      const said = at < first ? '' : line.split(';')[0]!.trimEnd();
      return said ? [[number, said]] : [];
    });
  }

  #tag(number: number, line: string): void {
    this.#number = number;
    const [, name, value] = TAG.exec(line) ?? [];
    if (!name || !value) this.#fail(`a tag is written [Name "value"], not ${quoted(line)}`);
    if (this.#tags.has(name)) this.#fail(`tag ${name} appears twice, first on line ${this.#tagLines.get(name)}`);
    const read = textOf(value);
    if (read === undefined) this.#fail(`the value of tag ${name} is no JSON string: ${quoted(value)}`);
    this.#tags.set(name, read);
    this.#tagLines.set(name, number);
  }

  #checkHead(): void {
    const { game, rules } = this.#book;
    for (const name of ['Game', 'Format']) if (!this.#tags.has(name)) this.#failTag(name, 'missing');
    const [own, format, judged] = ['Game', 'Format', 'Rules'].map((name) => this.#tags.get(name)) as [
      string,
      string,
      string | undefined,
    ];
    if (format !== FORMAT) this.#failTag('Format', `this program reads format ${FORMAT}, not ${quoted(format)}`);
    if (own !== game) this.#failTag('Game', `this is a record of ${own.slice(0, LONGEST_QUOTE)}, not of ${game}`);
    if (judged === undefined) return;
    if (!RULES.test(judged)) this.#failTag('Rules', `is written 1, or 1, 2 from 57, not ${quoted(judged)}`);
    if (judged.split(', ').some((change) => change.split(' ')[0] !== rules))
      this.#failTag('Rules', `judged by rules ${judged}; this program knows rules ${rules} and can't verify it`);
  }

  #start(turnLimit: number | undefined): P {
    try {
      return this.#book.begin(this.#tags, turnLimit);
    } catch (error) {
      if (!(error instanceof TagError)) throw error;
      this.#number = this.#tagLines.get(error.tag) ?? this.#tagLines.get('Game') ?? 1;
      this.#fail(`the tags give no first position: ${error.message}`);
    }
  }

  #whole(name: string): string | undefined {
    const text = this.#tags.get(name);
    if (text !== undefined && !/^-?[0-9]{1,40}$/.test(text))
      this.#failTag(name, `must be a whole number, not ${quoted(text)}`);
    return text === undefined ? undefined : BigInt(text).toString();
  }
  #turnLimit(): number | undefined {
    const limit = this.#whole('TurnLimit');
    if (limit !== undefined && Number(limit) < 1)
      this.#failTag('TurnLimit', `a game has at least one turn, not ${limit}`);
    return limit === undefined ? undefined : Number(limit);
  }
  #date(): string | undefined {
    const text = this.#tags.get('Date');
    if (text === undefined) return text;
    const day = /^\d{4}-?\d{2}-?\d{2}$/.test(text)
      ? new Date(text.includes('-') ? text : text.replace(/^(\d{4})(\d\d)/, '$1-$2-'))
      : undefined;
    if (!day || Number.isNaN(day.getTime()) || (text.includes('-') && day.toISOString().slice(0, 10) !== text))
      this.#failTag('Date', `there is no such day: ${quoted(text)}`);
    if (!text.includes('-')) this.#failTag('Date', `a day is written 2026-05-01, not ${quoted(text)}`);
    return text;
  }

  #otherTags(start: P): Record<string, string> {
    const seats = Array.from({ length: this.#book.playersOf(start) }, (_, seat) => `Seat${seat}`);
    const hasNames = seats.some((name) => this.#tags.has(name));
    const [date, seed, limit] = [this.#date(), this.#whole('Seed'), this.#whole('TurnLimit')];
    const rules = this.#tags.get('Rules');
    const known = [...OWN_TAGS, ...this.#book.openingTags, ...seats];
    return {
      ...(rules !== undefined && { Rules: rules }),
      ...(date !== undefined && { Date: date }),
      ...(hasNames && Object.fromEntries(seats.map((name) => [name, this.#tags.get(name) ?? '']))),
      ...(seed !== undefined && { Seed: seed }),
      ...(limit !== undefined && { TurnLimit: limit }),
      ...Object.fromEntries([...this.#tags].filter(([name]) => !known.includes(name))),
    };
  }

  #play(body: readonly [number, string][]): Outcome | undefined {
    let [outcome, isClosed]: [Outcome | undefined, boolean] = [undefined, false];
    for (const [number, line] of body) {
      this.#number = number;
      if (isClosed) this.#fail('nothing may follow the result');
      if (line.startsWith(';')) this.#extra(line.slice(1).trim());
      else if (SUMMARY.test(line)) this.#checkSummary(line);
      else {
        if (this.#open.length > 1) this.#fail(`the variation that line ${this.#here.line} opens needs a ')'`);
        if (line.startsWith('result:')) [outcome, isClosed] = [this.#outcome(line), true];
        else this.#turn(line);
      }
    }
    if (isClosed) return outcome;
    this.#number = this.#lines.length;
    this.#fail("the record ends before its result; a game that goes on ends with 'result: open'");
  }

  get #here(): Open<P> {
    return this.#open.at(-1)!;
  }
  /** The node of the latest decision. */
  get #node(): RecordNode<A, P> {
    return this.#nodes[this.#here.at]!;
  }

  #turn(line: string): void {
    const { example } = this.#book;
    const [, number, seat, words] = TURN.exec(line) ?? [];
    if (number === undefined || words === undefined)
      this.#fail(`decisions are written '12. seat 0: ${example} …', not ${quoted(line)}`);
    for (WORD.lastIndex = 0; WORD.lastIndex < words.length; ) {
      const rest = words.slice(WORD.lastIndex);
      const [, word, note] = WORD.exec(words) ?? [];
      if (!word) this.#fail(`a decision is written ${example} or ${example}{4.2}, not ${quoted(rest)}`);
      const after = WORD.lastIndex;
      this.#decision(word, note, Number(number), seat === undefined ? CHANCE : Number(seat));
      WORD.lastIndex = after;
    }
  }

  #decision(word: string, note: string | undefined, number: number, seat: number): void {
    const here = this.#here;
    const { place } = here;
    const [expected] = place.actors;
    if (expected === undefined) this.#fail(`${quoted(word)} comes after the end: the game is over`);
    if (number !== place.number || !place.actors.includes(seat))
      this.#fail(
        `${quoted(word)} is said to be of ${quoted(label(number, seat))}, but here comes ${quoted(label(place.number, expected))}`,
      );
    const [action, milliseconds, after] = this.#judged(word, note, seat, place);
    const sibling = `${here.at} ${seat} ${place.format(action)}`;
    if (this.#known.has(sibling))
      this.#fail(`${quoted(word)} is in the tree already: a variation begins with another decision`);
    this.#known.add(sibling);
    this.#nodes.push({
      parent: here.at,
      seat,
      action,
      place: after,
      sign: '',
      comment: '',
      ...(milliseconds !== undefined && { milliseconds }),
    });
    Object.assign(here, { at: this.#nodes.length - 1, place: after, before: place });
    if (this.#open.length === 1) this.#summary = this.#book.summary?.(place, after);
  }
  #judged(word: string, note: string | undefined, seat: number, place: P): [A, number | undefined, P] {
    try {
      const action = place.parse(word);
      return [action, note === undefined ? undefined : millisecondsOf(note), place.play(seat, action)];
    } catch (error) {
      this.#fail(`${quoted(word)}: ${messageOf(error)}`);
    }
  }

  #checkSummary(line: string): void {
    if (this.#summary === undefined) this.#fail('points stand behind the decision that ended a round');
    if (line !== this.#summary) this.#fail(`the rules give ${quoted(this.#summary)}, not ${quoted(line)}`);
    this.#summary = undefined;
  }

  /** A line after a `;`. */
  #extra(text: string): void {
    const here = this.#here;
    if (text === '(') {
      if (!here.before) this.#fail('a variation stands behind the decision that it replaces');
      this.#open.push({ at: this.#node.parent, place: here.before, before: undefined, line: this.#number });
    } else if (text === ')') {
      if (this.#open.length === 1) this.#fail("there is no variation that this ')' could close");
      if (!here.before) this.#fail('a variation has at least one decision');
      this.#open.pop();
    } else if (SIGNS.some((sign) => sign === text)) {
      if (!here.before || this.#node.sign) this.#fail('a sign stands behind a decision, one for each');
      this.#node.sign = text as Sign;
    } else if (text.startsWith('"')) {
      if (!here.before && this.#open.length > 1)
        this.#fail('a comment stands behind a decision, or before the first of the game');
      if (this.#node.comment) this.#fail('a decision has one comment');
      const comment = textOf(text);
      if (comment === undefined) this.#fail(`a comment is a JSON string, not ${quoted(text)}`);
      this.#node.comment = comment;
    } else if (this.#open.length > 1) this.#turn(text);
    else if (text) this.#fail(`after ';' stands '(', ')', a sign or a comment in quotes, not ${quoted(text)}`);
  }

  #outcome(line: string): Outcome | undefined {
    const { place } = this.#here;
    const reached = place.outcome;
    if (line === OPEN) return reached && this.#fail(`the game is over: ${quoted(resultLine(reached))}`);
    const [, winners, reason, rule] = RESULT.exec(line) ?? [];
    if (!winners || !reason || !rule)
      this.#fail(`a result is written 'result: 0 by points (RULE)', not ${quoted(line)}`);
    const said = { winners: winners === 'nobody' ? [] : winners.split(' ').map(Number), reason, rule };
    if (!reached) this.#checkTableResult(said, place);
    else if (resultLine(said) !== resultLine(reached))
      this.#fail(`the rules give ${quoted(resultLine(reached))}, not ${quoted(line)}`);
    return said;
  }
  #checkTableResult({ winners, reason, rule }: Outcome, place: P): void {
    const { tableEnds, notEnded } = this.#book;
    const players = this.#book.playersOf(this.#nodes[0]!.place);
    if (!(reason in tableEnds))
      this.#fail(`the game is not over by the rules, and ${quoted(reason)} is no reason of a table`);
    if (rule !== tableEnds[reason]) this.#fail(`${reason} is not ${rule}`);
    if (winners.some((winner) => winner >= players)) this.#fail('a winner has no seat in this game');
    if (winners.some((winner, at) => at > 0 && winner <= winners[at - 1]!))
      this.#fail('winners stand in the order of their seats, each once');
    if (reason in GIVEN_UP) {
      if (players !== 2 || winners.length !== 1)
        this.#fail(`${GIVEN_UP[reason]} ends a game for two, and the other player wins`);
    } else if (winners.length > 0) this.#fail(`no player wins by ${reason}`);
    if (reason in notEnded && !place.ends.includes(reason)) this.#fail(notEnded[reason]!);
  }
}

function millisecondsOf(note: string): number {
  const [, seconds, more = ''] = SECONDS.exec(note) ?? [];
  if (seconds === undefined) throw new SyntaxError(`a time is written {4.2}, not ${quoted(note)}`);
  return Number(seconds) * 1000 + Number(more.padEnd(3, '0'));
}

/** A JSON string; undefined: it is none, or has half a surrogate pair. */
function textOf(written: string): string | undefined {
  try {
    const text: unknown = JSON.parse(written);
    return typeof text === 'string' && !/[\uD800-\uDFFF]/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The last line of a record. */
function resultLine(outcome: Outcome | undefined): string {
  if (!outcome) return OPEN;
  return `result: ${outcome.winners.join(' ') || 'nobody'} by ${outcome.reason} (${outcome.rule})`;
}

/** Write a record with its variations. Equal records give equal text. */
export function writeRecord<A, P extends Place<A>>(
  { tags, nodes, outcome }: GameRecord<A, P>,
  book: Book<A, P>,
): string {
  const isPlain = nodes.every(({ sign, comment, parent }, at) => !sign && !comment && parent === Math.max(0, at - 1));
  const { Rules, Date: day, Seed, TurnLimit, ...others } = tags;
  const names = Object.entries(others).filter(
    ([name]) => /^Seat\d$/.test(name) && Number(name[4]) < book.playersOf(nodes[0]!.place),
  );
  const own = { Game: book.game, Format: FORMAT, Rules, Date: day, ...Object.fromEntries(names), Seed, TurnLimit };
  const head = {
    ...own,
    ...book.tagsOf(nodes[0]!.place),
    ...others,
    ...(!isPlain && { [VARIATIONS]: 'yes' }),
  };
  const lines = Object.entries(head).flatMap(([name, value]) =>
    value === undefined ? [] : [`[${name} ${JSON.stringify(value)}]`],
  );
  return [...lines, '', ...joined(itemsOf(nodes, book)), '', resultLine(outcome), ''].join('\n');
}

/** A decision, or a line of its own. label: of the line of the decision. indent: 0 in the main line, else of the line after its `;`. */
interface Item {
  readonly text: string;
  readonly label?: string;
  readonly before: string;
}

const indent = (depth: number): string => `; ${'  '.repeat(depth)}`;

function itemsOf<A, P extends Place<A>>(nodes: readonly RecordNode<A, P>[], book: Book<A, P>): Item[] {
  const children = nodes.map((): number[] => []);
  nodes.forEach(({ parent }, number) => number > 0 && children[parent]!.push(number));
  const items: Item[] = [];
  const noted = (number: number, depth: number): void => {
    const { sign, comment } = nodes[number]!;
    if (sign) items.push({ text: sign, before: indent(depth) });
    if (comment) items.push({ text: JSON.stringify(comment), before: indent(depth) });
  };
  const played = (number: number, depth: number): void => {
    const { parent, seat, action, milliseconds, place: after } = nodes[number]!;
    const { place } = nodes[parent]!;
    const time = milliseconds === undefined ? '' : `{${milliseconds / 1000}}`;
    items.push({
      text: `${place.format(action!)}${time}`,
      label: label(place.number, seat),
      before: depth > 0 ? indent(depth) : '',
    });
    const summary = depth > 0 ? undefined : book.summary?.(place, after);
    if (summary !== undefined) items.push({ text: summary, before: '' });
    noted(number, depth);
  };
  // a stack in place of recursion: a game may have thousands of decisions
  const todo: (() => void)[] = [];
  const follow = (from: number, depth: number): void => {
    const [main, ...others] = children[from]!;
    if (main === undefined) return;
    played(main, depth);
    todo.push(() => follow(main, depth));
    for (const other of others.toReversed()) todo.push(() => branch(other, depth));
  };
  const branch = (number: number, depth: number): void => {
    items.push({ text: '(', before: indent(depth) });
    played(number, depth + 1);
    todo.push(
      () => items.push({ text: ')', before: indent(depth) }),
      () => follow(number, depth + 1),
    );
  };
  noted(0, 0);
  follow(0, 0);
  for (let next = todo.pop(); next; next = todo.pop()) next();
  return items;
}

/** The lines: decisions with the same label that follow each other share one. */
function joined(items: readonly Item[]): string[] {
  const lines: string[] = [];
  let shared: string | undefined;
  for (const { text, label: here, before } of items) {
    const key = here && `${before}${here}`;
    if (key && key === shared) lines.push(`${lines.pop()!} ${text}`);
    else lines.push(key ? `${key}: ${text}` : `${before}${text}`);
    shared = key;
  }
  return lines;
}
