import type { NewTable } from '../../net/protocol';
import type { GameInfo, OptionInfo } from '../../protocol/messages';
import { levelAmong, levelFor, takeLevel } from '../../table/levels';
import { type SeatChoice, seatOf } from '../../table/seats';
import { store, stored } from '../../ui/settings.svelte';

export interface First<Options> {
  players: number;
  /** Other options keep the server's defaults. */
  offers: readonly (keyof Options & string)[];
}

/** Minutes; 0: never. */
export const ABSENCES = [1, 3, 10, 30, 0] as const;

export class NewGame<Options extends object> {
  readonly about: GameInfo;
  players = $state(0);
  seats = $state<SeatChoice[]>([]);
  options = $state({} as Options);
  isPublic = $state(false);
  /** Minutes after which others may go on without an absent player; null: the server's default. */
  absence = $state<number | null>(null);
  takeBack = $state(true);
  #rated = $state(false);
  chat = $state(true);
  readonly #key: string;

  constructor(about: GameInfo, { players, offers }: First<Options>) {
    this.about = about;
    this.#key = `ekoes.newgame.${about.name}`;
    const saved = stored<Record<string, unknown>>(this.#key, {});
    const [least, most] = about.players;
    this.players = within({ least, most }, typeof saved['players'] === 'number' ? saved['players'] : players);
    this.seats = this.#seats(saved['seats'] as SeatChoice[] | undefined);
    this.chat = saved['chat'] !== false;
    this.isPublic = saved['public'] === true;
    this.options = Object.fromEntries(offers.map((name) => [name, this.#option(name, saved[name])])) as Options;
  }

  get numbers(): number[] {
    const [least, most] = this.about.players;
    return Array.from({ length: most - least + 1 }, (_, i) => least + i);
  }

  get table(): NewTable<{ players: number; rated?: true; absence?: number; take_back?: false } & Options> {
    const { about, players, options, seats } = this;
    const rated = this.isRated && ({ rated: true } as const);
    const patient = this.hasOpen && this.absence !== null && { absence: this.absence };
    const firm =
      this.hasOpen &&
      !this.takeBack &&
      !this.isRated &&
      'take_back' in about.options &&
      ({ take_back: false } as const);
    const withoutChat = !this.chat && { chat: false };
    const open = this.isPublic && this.hasOpen && { public: true };
    return {
      game: about.name,
      options: { players, ...options, ...rated, ...patient, ...firm },
      seats: seats.slice(0, players).map(seatOf),
      ...withoutChat,
      ...open,
    };
  }

  /** The end of the address its table is opened with. */
  get view(): string {
    return '';
  }
  /** Whether people play each other, here or by link. */
  get isTogether(): boolean {
    return this.seats.slice(0, this.players).filter(({ kind }) => !kind.startsWith('bot ')).length > 1;
  }
  get hasOpen(): boolean {
    return this.seats.slice(0, this.players).some(({ kind }) => kind === 'open');
  }
  /** Only with one person per seat, each at a browser of their own. */
  get isRated(): boolean {
    const kinds = this.seats.slice(0, this.players).map(({ kind }) => kind);
    return (
      this.#rated &&
      kinds.every((kind) => kind === 'here' || kind === 'open') &&
      kinds.filter((kind) => kind === 'here').length <= 1
    );
  }
  /** The other seats become open ones. */
  setRated(on: boolean): void {
    this.#rated = on;
    if (on) for (const seat of this.seats.slice(1)) seat.kind = 'open';
  }

  save(): void {
    store(this.#key, {
      players: this.players,
      seats: this.seats,
      chat: this.chat,
      public: this.isPublic,
      ...this.options,
    });
    const bots = this.table.seats.flatMap(({ bot }) => bot ?? []);
    const level = levelAmong(bots, this.about.levels);
    if (level !== null) takeLevel(this.about.name, level);
  }

  /** The seats of the last game; bots that no longer exist are replaced. */
  #seats(saved: SeatChoice[] = []): SeatChoice[] {
    const [, most] = this.about.players;
    const bot = `bot ${levelFor(this.about)}`;
    const kinds = ['here', 'open', ...this.about.bots.map((name) => `bot ${name}`)];
    if (saved.length === most)
      return saved.map((seat) => ({ ...seat, kind: kinds.includes(seat.kind) ? seat.kind : bot }));
    return Array.from({ length: most }, (_, colour) => ({ kind: colour === 0 ? 'here' : bot, name: '', colour }));
  }

  #option(name: string, saved: unknown): unknown {
    const about = this.about.options[name] ?? {};
    return saved !== undefined && takes(about, saved) ? saved : about.default;
  }
}

export function takes(
  { default: usual, least = -Infinity, most = Infinity, values, several, null: empty }: OptionInfo,
  value: unknown,
): boolean {
  if (value === null) return empty === true;
  if (several) return Array.isArray(value) && value.every((one) => values?.includes(one as string));
  if (values) return values.includes(value as string);
  if (typeof value === 'number') return typeof usual !== 'boolean' && value >= least && value <= most;
  return typeof value === typeof usual;
}

export function within({ least = -Infinity, most = Infinity }: OptionInfo, value: number): number {
  return Math.min(Math.max(value, least), most);
}

/** Without those that an option does not accept; its default is always included. */
export function choicesOf<Value>(about: OptionInfo | undefined, choices: readonly Value[]): Value[] {
  const taken = choices.filter((choice) => takes(about ?? {}, choice));
  return taken.includes(about?.default as Value) ? taken : [about?.default as Value, ...taken];
}
