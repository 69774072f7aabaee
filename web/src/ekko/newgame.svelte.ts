import type { NewTable } from '../net/protocol';
import { choicesOf, NewGame, within } from '../pages/home/newgame.svelte';
import type { GameInfo, SeatPlan } from '../protocol/messages';
import { levelFor } from '../table/levels';
import { number, plural, t } from '../ui/i18n.svelte';
import { isSite } from '../ui/site';
import type { Options } from './protocol';

type Chosen = Omit<Options, 'players'>;
const OFFERS = [
  'target',
  'misplays',
  'reaction',
  'turn_clock',
  'calm',
  'window',
  'hints',
  'open_hands',
] as const satisfies (keyof Chosen)[];
const PLAYERS = 4;
/** Seconds; null: no clock, or a window that stays open until all have decided. */
const TIMES = {
  reaction: [2, 3, 5, 8],
  turn_clock: [15, 30, 60, 120, null],
  window: [4, 6, 10, 20, null],
} as const;
export type Time = keyof typeof TIMES;

export function timesOf({ options }: GameInfo, name: Time): (number | null)[] {
  return choicesOf<number | null>(options[name], TIMES[name]);
}

export function defaultsOf({ options }: GameInfo): Chosen {
  return Object.fromEntries(OFFERS.map((name) => [name, options[name]?.default])) as unknown as Chosen;
}

/** Without a clock that plays while a newcomer reads. */
export function quickTable(about: GameInfo): NewTable<Options> {
  const bot = levelFor(about);
  const seats = Array.from(
    { length: PLAYERS },
    (_, colour): SeatPlan => (colour ? { kind: 'bot', bot, colour } : { kind: 'here', colour }),
  );
  return { game: about.name, options: { players: PLAYERS, ...defaultsOf(about), turn_clock: null }, seats };
}

export function invitation(about: GameInfo): NewTable<Options> {
  return {
    game: about.name,
    options: { players: 2, ...defaultsOf(about) },
    seats: [{ kind: 'here' }, { kind: 'open' }],
  };
}

export function describeOptions({ calm, turn_clock: clock, target }: Partial<Options>): string[] {
  const time = clock == null ? t('option.clock.none') : plural('option.seconds', clock);
  return [
    ...(calm ? [t('option.calm')] : []),
    ...(clock === undefined ? [] : [t('app.named', { name: t('option.clock'), text: time })]),
    ...(target === undefined ? [] : [t('app.named', { name: t('option.target'), text: number(target) })]),
  ];
}

export class EkkoNewGame extends NewGame<Chosen> {
  onScreen = $state(false);
  /** Of the seats without a shared screen. */
  #kinds: string[] = [];
  /** With several people at this browser hands are hidden between turns, so there is no race (calm mode, no clocks). */
  readonly hotSeat = $derived(
    !this.onScreen && this.seats.slice(0, this.players).filter(({ kind }) => kind === 'here').length > 1,
  );
  readonly calm = $derived(this.options.calm || this.hotSeat || isSite);
  /** Whether a clock has been chosen here. */
  #hasClock = $state(false);
  /** Against bots alone there is none unless it is chosen. */
  readonly turnClock = $derived.by(() => {
    const { turn_clock: clock } = this.options;
    const isUsual = !this.#hasClock && clock === this.about.options['turn_clock']?.default;
    return this.hotSeat || isSite || (isUsual && !this.isTogether) ? null : clock;
  });

  constructor(about: GameInfo) {
    super(about, { players: PLAYERS, offers: OFFERS });
  }

  override get table(): NewTable<Options> {
    const table = super.table;
    const clocks = { turn_clock: this.turnClock, ...(this.hotSeat && { window: null }) };
    const seats = this.onScreen
      ? table.seats.map((seat) => (seat.kind === 'here' ? { ...seat, kind: 'open' as const } : seat))
      : table.seats;
    return { ...table, seats, options: { ...table.options, ...clocks, calm: this.calm } };
  }

  override get view(): string {
    return this.onScreen ? '/screen' : '';
  }

  /** On a shared screen everyone plays by phone, unless bots are chosen afterwards. */
  setOnScreen(on: boolean): void {
    this.onScreen = on;
    if (on) this.#kinds = this.seats.map(({ kind }) => kind);
    for (const [i, seat] of this.seats.entries()) seat.kind = on ? 'open' : (this.#kinds[i] ?? seat.kind);
  }

  /** The next game begins with the seats of the last one without a shared screen. */
  override save(): void {
    if (!this.onScreen) super.save();
  }

  setTime(name: Time, time: number | null): void {
    this.#hasClock ||= name === 'turn_clock';
    Object.assign(this.options, { [name]: time });
  }

  setTarget(text: string): void {
    const target = Number.parseInt(text, 10);
    if (Number.isFinite(target)) this.options.target = within(this.about.options['target'] ?? {}, target);
  }
}
