import type { GameInfo, OptionInfo } from '../../protocol/messages';

export const TEMPOS = ['untimed', 'live', 'days', 'calm', 'imported'] as const;
const PLAIN = ['winner', 'game', 'players', 'tempo', 'rated', 'result', 'since', 'until'] as const;
export type Search = Record<'player' | 'other' | (typeof PLAIN)[number], string> & { options: string[] };

export function readSearch(query: string): Search {
  const asked = new URLSearchParams(query);
  const [player = '', other = ''] = asked.getAll('player');
  const plain = Object.fromEntries(PLAIN.map((key) => [key, asked.get(key) ?? ''])) as Record<
    (typeof PLAIN)[number],
    string
  >;
  return { player, other, options: asked.getAll('option'), ...plain };
}
/** The inverse of `readSearch`. */
export function writeSearch(search: Search): string {
  const players = [search.player, search.other].map((name) => name.trim()).filter((name) => name !== '');
  const plain = PLAIN.flatMap((key) => (search[key].trim() === '' ? [] : [[key, search[key].trim()]]));
  const lists = [
    ...players.map((name) => ['player', name]),
    ...(search.game === '' ? [] : search.options.map((one) => ['option', one])),
  ];
  return new URLSearchParams([...lists, ...plain]).toString();
}

/** The options a game can be searched by: those with a list of values, and switches. */
export function choicesOf({ options }: GameInfo): { option: string; set: Record<string, unknown> }[] {
  return Object.entries(options).flatMap(([key, about]) =>
    valuesOf(about).map((value) => ({
      option: `${key}:${String(value)}`,
      set: { [key]: about.several ? [value] : value },
    })),
  );
}
function valuesOf({ default: usual, values = [] }: OptionInfo): unknown[] {
  if (usual === false) return [true];
  return values.filter((value) => value !== usual);
}
