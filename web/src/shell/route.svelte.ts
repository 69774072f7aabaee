import type { Pool } from './people/people';

/** The usual view, a screen in the middle, or a hand on a phone; games without these ignore it. */
export type View = 'table' | 'screen' | 'hand';
export type Route =
  | { page: 'home'; game: string | null }
  | { page: 'table'; id: string; as: View }
  | { page: 'learn'; game: string; lesson: string | null }
  | { page: 'rules'; game: string }
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
  | { page: 'nothing' };

export function parseRoute(address: string): Route {
  const [path = '', query = ''] = address.split('?');
  const [, id, view = 'table'] = /^\/t\/([A-Za-z0-9_-]+)(?:\/(screen|hand))?\/?$/.exec(path) ?? [];
  if (id !== undefined) return { page: 'table', id, as: view as View };
  const [, over] = /^\/games\/([a-z0-9]+)\/?$/.exec(path) ?? [];
  if (over !== undefined) return { page: 'game', id: over };
  if (/^\/archive\/?$/.test(path)) return { page: 'archive', query };
  const [tournaments, tournament] = /^\/tournaments(?:\/([0-9a-z]+))?\/?$/.exec(path) ?? [];
  if (tournaments !== undefined) return tournament ? { page: 'tournament', id: tournament } : { page: 'tournaments' };
  const [, own] = /^\/(account|lobby|moderation|seat)\/?$/.exec(path) ?? [];
  if (own === 'account' || own === 'lobby' || own === 'moderation' || own === 'seat') return { page: own };
  const [, somebody] = /^\/people\/([^/]+)\/?$/.exec(path) ?? [];
  if (somebody !== undefined) return { page: 'people', name: plainly(somebody) };
  const [rated, rank, players, tempo] = /^\/ratings(?:\/([a-z0-9_-]+)\/([1-9])\/([a-z]+))?\/?$/.exec(path) ?? [];
  if (rated !== undefined) return { page: 'ratings', pool: rank && players && tempo ? { game: rank, players: Number(players), tempo } : null };
  const [, taught, lesson = null] = /^\/([a-z0-9_-]{2,})\/learn(?:\/([a-z-]+))?\/?$/.exec(path) ?? [];
  if (taught !== undefined) return { page: 'learn', game: taught, lesson };
  const [, ruled] = /^\/([a-z0-9_-]{2,})\/rules\/?$/.exec(path) ?? [];
  if (ruled !== undefined) return { page: 'rules', game: ruled };
  const [, game = null] = /^\/([a-z0-9_-]{2,})\/?$/.exec(path) ?? [];
  return game === null && path !== '/' ? { page: 'nothing' } : { page: 'home', game };
}

function plainly(part: string): string {
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
  route.now = parseRoute(path);
  scrollTo(0, 0);
}

/** Opens links within the page without reloading, unless a modifier key asks for another window. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

if (typeof addEventListener === 'function') {
  addEventListener('popstate', () => {
    route.now = parseRoute(location.pathname + location.search);
  });
}
