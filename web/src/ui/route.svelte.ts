import type { PoolInfo } from '../protocol/messages';

/** Games whose ratings are comparable. */
export type Pool = Pick<PoolInfo, 'game' | 'players' | 'tempo'>;

/**
 * The usual view, the review of a finished game, a screen in the middle, a hand on a phone, or a frame in a page of another site; games
 * without these ignore it.
 */
export type View = 'table' | 'review' | 'screen' | 'hand' | 'embed';
export type Route =
  | { page: 'home'; game: string | null }
  | { page: 'new'; game: string; query: string }
  | { page: 'table'; id: string; as: View }
  | { page: 'learn'; game: string; lesson: string | null }
  /** `puzzle`: an id, or `rush`. */
  | { page: 'puzzles'; game: string; puzzle: string | null }
  | { page: 'rules'; game: string }
  /** Games of others, one after the other: the best of a game, or those of a player. */
  | { page: 'watch'; game: string | null; name: string | null }
  | { page: 'league'; game: string }
  | { page: 'analysis'; game: string; query: string }
  | { page: 'editor'; game: string; query: string }
  | { page: 'train'; game: string; query: string }
  | { page: 'coach'; game: string; query: string }
  | { page: 'study'; game: string; id: string | null; chapter: string | null; reads: boolean }
  | { page: 'account' }
  | { page: 'moderation' }
  | { page: 'lobby' }
  | { page: 'seat' }
  | { page: 'people'; name: string }
  | { page: 'ratings'; pool: Pool | null }
  | { page: 'game'; id: string }
  | { page: 'archive'; query: string }
  | { page: 'tournaments' }
  | { page: 'tournament'; id: string }
  | { page: 'clubs' }
  | { page: 'club'; id: string }
  | { page: 'nothing' };

/** The pages by the patterns of their addresses; the first that fits counts. A trailing slash may follow. */
const PATTERNS: readonly (readonly [RegExp, (...parts: (string | undefined)[]) => Route])[] = [
  [
    /^\/t\/([A-Za-z0-9_-]+)(?:\/(review|screen|hand))?$/,
    (id = '', as = 'table') => ({ page: 'table', id, as: as as View }),
  ],
  [/^\/embed\/([A-Za-z0-9_-]+)$/, (id = '') => ({ page: 'table', id, as: 'embed' })],
  [/^\/games\/([a-z0-9]+)$/, (id = '') => ({ page: 'game', id })],
  [/^\/tournaments\/([0-9a-z]+)$/, (id = '') => ({ page: 'tournament', id })],
  [/^\/clubs\/([0-9a-z]+)$/, (id = '') => ({ page: 'club', id })],
  [/^\/(tournaments|clubs|account|lobby|moderation|seat)$/, (page) => ({ page: page as 'lobby' })],
  [/^\/people\/([^/]+)$/, (name = '') => ({ page: 'people', name: decoded(name) })],
  [/^\/people\/([^/]+)\/watch$/, (name = '') => ({ page: 'watch', game: null, name: decoded(name) })],
  [/^\/ratings$/, () => ({ page: 'ratings', pool: null })],
  [
    /^\/ratings\/([a-z0-9_-]+)\/([1-9])\/([a-z]+)$/,
    (game = '', players, tempo = '') => ({ page: 'ratings', pool: { game, players: Number(players), tempo } }),
  ],
  [
    /^\/([a-z0-9_-]{2,})\/learn(?:\/([a-z-]+))?$/,
    (game = '', lesson) => ({ page: 'learn', game, lesson: lesson ?? null }),
  ],
  [
    /^\/([a-z0-9_-]{2,})\/puzzles(?:\/(rush|[0-9a-f]+))?$/,
    (game = '', puzzle) => ({ page: 'puzzles', game, puzzle: puzzle ?? null }),
  ],
  [
    /^\/([a-z0-9_-]{2,})\/study(?:\/([0-9a-z]+)(?:\/([a-z0-9-]+)(\/read)?)?)?$/,
    (game = '', id, chapter, reads) => ({
      page: 'study',
      game,
      id: id ?? null,
      chapter: chapter ?? null,
      reads: !!reads,
    }),
  ],
  [/^\/([a-z0-9_-]{2,})\/rules$/, (game = '') => ({ page: 'rules', game })],
  [/^\/([a-z0-9_-]{2,})\/league$/, (game = '') => ({ page: 'league', game })],
  [/^\/([a-z0-9_-]{2,})\/watch$/, (game = '') => ({ page: 'watch', game, name: null })],
  [/^\/([a-z0-9_-]{2,})?$/, (game) => ({ page: 'home', game: game ?? null })],
];

export function parseRoute(address: string): Route {
  const [whole = '', query = ''] = address.split('?');
  const path = whole.length > 1 ? whole.replace(/\/$/, '') : whole;
  if (path === '/archive') return { page: 'archive', query };
  const [, game, page] = /^\/([a-z0-9_-]{2,})\/(analysis|coach|editor|train|new)$/.exec(path) ?? [];
  if (game) return { page: page as 'analysis', game, query };
  for (const [pattern, route] of PATTERNS) {
    const found = pattern.exec(path);
    if (found) return route(...found.slice(1));
  }
  return { page: 'nothing' };
}

/** Tables, lessons, puzzles, chapters, analysis boards, editors and exercises fill the window: they have no header. */
export function isBare(now: Route): boolean {
  if (now.page === 'learn') return now.lesson !== null;
  if (now.page === 'puzzles') return now.puzzle !== null;
  if (now.page === 'study') return now.chapter !== null;
  return (
    now.page === 'table' ||
    now.page === 'watch' ||
    now.page === 'editor' ||
    (now.page === 'analysis' && now.query !== 'new') ||
    (now.page === 'train' && now.query !== '')
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = $state<{ now: Route }>({
  now: parseRoute(typeof location === 'undefined' ? '/' : location.pathname + location.search),
});

export function go(path: string): void {
  history.pushState(null, '', path);
  arrive();
  scrollTo(0, 0);
}

/** Whether there was another page before. */
let moved = false;

function arrive(): void {
  const before = place(route.now);
  route.now = parseRoute(location.pathname + location.search);
  moved = true;
  if (place(route.now) !== before && document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

const place = (now: Route): string => `${now.page} ${'game' in now ? now.game : ''}`;

/** Attached to the heading of a page: after a change of page the keyboard and screen readers go on there, unless something has the focus. */
export function heading(element: HTMLElement): void {
  element.tabIndex = -1;
  if (moved && document.activeElement === document.body) element.focus({ preventScroll: true });
}

/** Opens links within the page without reloading, unless a modifier key asks for another window. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

if (typeof addEventListener === 'function') {
  addEventListener('popstate', arrive);
}
