/** Which page the address names: the home page, of one game or of whichever was chosen last, or a table. */
import { GAMES, type GameName } from './protocol';

export type Route = { page: 'home'; game: GameName | null } | { page: 'table'; id: string };

export function parseRoute(path: string): Route {
  const [, id] = /^\/t\/([A-Za-z0-9_-]+)\/?$/.exec(path) ?? [];
  if (id !== undefined) return { page: 'table', id };
  return { page: 'home', game: GAMES.find((game) => path === `/${game}` || path === `/${game}/`) ?? null };
}

export const route = $state<{ now: Route }>({
  now: parseRoute(typeof location === 'undefined' ? '/' : location.pathname),
});

/** Goes to an address without loading the page anew. */
export function go(path: string): void {
  history.pushState(null, '', path);
  route.now = parseRoute(path);
  scrollTo(0, 0);
}

if (typeof addEventListener === 'function') {
  addEventListener('popstate', () => {
    route.now = parseRoute(location.pathname);
  });
}
