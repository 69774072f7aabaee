/** Which page the address names: the home page, or a table. */

export type Route = { page: 'home' } | { page: 'table'; id: string };

export function parseRoute(path: string): Route {
  const [, id] = /^\/t\/([A-Za-z0-9_-]+)\/?$/.exec(path) ?? [];
  return id === undefined ? { page: 'home' } : { page: 'table', id };
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
