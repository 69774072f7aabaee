/** A game that is being set up: seats and options as the server offers them, kept in this browser for the next time. */
import { levelAmong, levelFor, takeLevel } from '../levels';
import type { GameAbout, NewTable, OptionAbout } from '../protocol';
import { seatOf, type SeatWish } from '../seatwish';
import { keep, recall } from '../settings.svelte';

/** How a game begins where nothing was chosen yet. */
export interface First<Options> {
  players: number;
  /** The options that the form offers; all others stay as the server has them. */
  offers: readonly (keyof Options & string)[];
  /** Where the wishes were kept by an earlier page. */
  older?: string;
}

/** Seconds by which spectators may see a game later. */
export const DELAYS = [15, 30, 60, 300] as const;
/** Minutes after which nobody has to wait for somebody who is away; 0: they have to. */
export const ABSENCES = [1, 3, 10, 30, 0] as const;

export class NewGame<Options extends object> {
  readonly about: GameAbout;
  players = $state(0);
  /** All seats that the game can have; their number is that of the colours. */
  seats = $state<SeatWish[]>([]);
  options = $state({} as Options);
  /** Everybody is told of the table, in the lobby. */
  isPublic = $state(false);
  /** Seconds by which those see it later who only watch. */
  delay = $state(0);
  /** Minutes after which the others need not wait for who is away; null: as usual. */
  absence = $state<number | null>(null);
  /** Whether all may agree to take a turn back. */
  takeBack = $state(true);
  /** Whether a rated game is wished for. */
  #rated = $state(false);
  /** People may talk at the table. */
  chat = $state(true);
  readonly #key: string;

  constructor(about: GameAbout, { players, offers, older }: First<Options>) {
    this.about = about;
    this.#key = `ekoes.newgame.${about.name}`;
    const kept = recall<Record<string, unknown>>(this.#key, older === undefined ? {} : recall(older, {}));
    const [least, most] = about.players;
    this.players = within({ least, most }, typeof kept['players'] === 'number' ? kept['players'] : players);
    this.seats = this.#seats(kept['seats'] as SeatWish[] | undefined);
    this.chat = kept['chat'] !== false;
    this.isPublic = kept['public'] === true;
    this.options = Object.fromEntries(offers.map((name) => [name, this.#option(name, kept[name])])) as Options;
  }

  /** The numbers of players that there can be. */
  get numbers(): number[] {
    const [least, most] = this.about.players;
    return Array.from({ length: most - least + 1 }, (_, i) => least + i);
  }

  get table(): NewTable<{ players: number; rated?: true; delay?: number; absence?: number; take_back?: false } & Options> {
    const { about, players, options, seats } = this;
    const rated = this.isRated && ({ rated: true } as const);
    const later = this.hasOpen && this.delay > 0 && { delay: this.delay };
    const patient = this.hasOpen && this.absence !== null && { absence: this.absence };
    const firm = this.hasOpen && !this.takeBack && !this.isRated && 'take_back' in about.options && ({ take_back: false } as const);
    const silent = !this.chat && { chat: false };
    const open = this.isPublic && this.hasOpen && { public: true };
    return { game: about.name, options: { players, ...options, ...rated, ...later, ...patient, ...firm }, seats: seats.slice(0, players).map(seatOf), ...silent, ...open };
  }

  /** How its table is looked at first: the end of its address. */
  get view(): string {
    return '';
  }
  /** Whether anybody is to come who is not here. */
  get hasOpen(): boolean {
    return this.seats.slice(0, this.players).some(({ kind }) => kind === 'open');
  }
  /** Whether the game counts for ratings: as long as each seat is for one person at a browser of their own. */
  get isRated(): boolean {
    const kinds = this.seats.slice(0, this.players).map(({ kind }) => kind);
    return this.#rated && kinds.every((kind) => kind === 'here' || kind === 'open') && kinds.filter((kind) => kind === 'here').length <= 1;
  }
  /** Has the game rated: then others sit down by invitation. */
  setRated(on: boolean): void {
    this.#rated = on;
    if (on) for (const seat of this.seats.slice(1)) seat.kind = 'open';
  }

  keep(): void {
    keep(this.#key, { players: this.players, seats: this.seats, chat: this.chat, public: this.isPublic, ...this.options });
    const bots = this.table.seats.flatMap(({ bot }) => bot ?? []);
    const level = levelAmong(bots, this.about.levels);
    if (level !== null) takeLevel(this.about.name, level);
  }

  /** The seats of the last time; a bot that is gone is replaced. */
  #seats(kept: SeatWish[] = []): SeatWish[] {
    const [, most] = this.about.players;
    const bot = `bot ${levelFor(this.about)}`;
    const kinds = ['here', 'open', ...this.about.bots.map((name) => `bot ${name}`)];
    if (kept.length === most) return kept.map((seat) => ({ ...seat, kind: kinds.includes(seat.kind) ? seat.kind : bot }));
    return Array.from({ length: most }, (_, colour) => ({ kind: colour === 0 ? 'here' : bot, name: '', colour }));
  }

  #option(name: string, kept: unknown): unknown {
    const about = this.about.options[name] ?? {};
    return kept !== undefined && takes(about, kept) ? kept : about.default;
  }
}

/** Whether an option may have a value. */
export function takes({ default: usual, least = -Infinity, most = Infinity, values, several, null: empty }: OptionAbout, value: unknown): boolean {
  if (value === null) return empty === true;
  if (several) return Array.isArray(value) && value.every((one) => values?.includes(one as string));
  if (values) return values.includes(value as string);
  if (typeof value === 'number') return typeof usual !== 'boolean' && value >= least && value <= most;
  return typeof value === typeof usual;
}

/** A number kept within the limits of an option. */
export function within({ least = -Infinity, most = Infinity }: OptionAbout, value: number): number {
  return Math.min(Math.max(value, least), most);
}

/** Those of some choices that an option takes; its default is always among them. */
export function choicesOf<Value>(about: OptionAbout | undefined, choices: readonly Value[]): Value[] {
  const taken = choices.filter((choice) => takes(about ?? {}, choice));
  return taken.includes(about?.default as Value) ? taken : [about?.default as Value, ...taken];
}
