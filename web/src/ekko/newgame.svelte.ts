/** A game of EKKO that is being set up: its options, and what several people at one browser change. */
import { choicesOf, NewGame, within } from '../shell/home/newgame.svelte';
import { number, plural, t } from '../shell/i18n.svelte';
import { levelFor } from '../shell/levels';
import type { GameAbout, NewTable } from '../shell/protocol';
import { seatOf } from '../shell/seatwish';
import type { Options } from './protocol';

type Chosen = Omit<Options, 'players'>;
const OFFERS = ['target', 'misplays', 'reaction', 'turn_clock', 'calm', 'window', 'hints', 'open_hands'] as const satisfies (keyof Chosen)[];
/** One person against three bots. */
const PLAYERS = 4;
/** Seconds to choose from; null: no clock, or a window that stays open until all have decided. */
const TIMES = {
  reaction: [2, 3, 5, 8],
  turn_clock: [15, 30, 60, 120, null],
  window: [4, 6, 10, 20, null],
} as const;
export type Time = keyof typeof TIMES;

/** The choices for a time, as far as the server takes them. */
export function timesOf({ options }: GameAbout, name: Time): (number | null)[] {
  return choicesOf<number | null>(options[name], TIMES[name]);
}

/** What the server plays with unless something else is chosen. */
export function defaultsOf({ options }: GameAbout): Chosen {
  return Object.fromEntries(OFFERS.map((name) => [name, options[name]?.default])) as unknown as Chosen;
}

/** One person against three bots of the reader's level, as it comes out of the box: nothing has to be chosen first. */
export function quickTable(about: GameAbout, name = ''): NewTable<Options> {
  const bot = `bot ${levelFor(about)}`;
  const seats = Array.from({ length: PLAYERS }, (_, colour) => ({ kind: colour ? bot : 'here', name: colour ? '' : name, colour }));
  return { game: about.name, options: { players: PLAYERS, ...defaultsOf(about) }, seats: seats.map(seatOf) };
}

/** One person, and a seat for whoever has the link. */
export function invitation(about: GameAbout): NewTable<Options> {
  return { game: about.name, options: { players: 2, ...defaultsOf(about) }, seats: [{ kind: 'here' }, { kind: 'open' }] };
}

/** Calm mode, clock and target, where they are not as usual. */
export function told({ calm, turn_clock: clock, target }: Partial<Options>): string[] {
  const time = clock == null ? t('option.clock.none') : plural('option.seconds', clock);
  return [
    ...(calm ? [t('option.calm')] : []),
    ...(clock === undefined ? [] : [`${t('option.clock')}: ${time}`]),
    ...(target === undefined ? [] : [`${t('option.target')}: ${number(target)}`]),
  ];
}

export class EkkoNewGame extends NewGame<Chosen> {
  /** The table is shown on a screen in the middle, which has no seat: everybody comes with a telephone. */
  onScreen = $state(false);
  /** Several people at this browser: hands are hidden between turns, so nobody can be quick (calm mode, no clocks). */
  readonly hotSeat = $derived(!this.onScreen && this.seats.slice(0, this.players).filter(({ kind }) => kind === 'here').length > 1);
  readonly calm = $derived(this.options.calm || this.hotSeat);

  constructor(about: GameAbout) {
    super(about, { players: PLAYERS, offers: OFFERS });
  }

  override get table(): NewTable<Options> {
    const table = super.table;
    const clocks = this.hotSeat ? { turn_clock: null, window: null } : {};
    const seats = this.onScreen ? table.seats.map((seat) => (seat.kind === 'here' ? { ...seat, kind: 'open' as const } : seat)) : table.seats;
    return { ...table, seats, options: { ...table.options, ...clocks, calm: this.calm } };
  }

  override get view(): string {
    return this.onScreen ? '/screen' : '';
  }

  setTarget(text: string): void {
    const target = Number.parseInt(text, 10);
    if (Number.isFinite(target)) this.options.target = within(this.about.options['target'] ?? {}, target);
  }
}
