// Shows a notification when a table or an invitation awaits the player while the page is closed (push messages carry no content), and
// keeps the page in the browser, so that what needs no server goes on without one.
const WORDS = '/notice-words';
const CACHE = 'ekoes';
/** Paths of the page's files, which the build writes here. */
const FILES = [];
/** The names of these change with what is in them. */
const ASSETS = '/assets/';
const DOCUMENT = '/';
/** One of the files where there is no server (`ekoes site`). */
const ABOUT = '/api/meta.json';
/** What the server says that holds for long; the latest of each is kept. */
const ANSWERS = /^\/api\/(meta|lessons\/.+|[a-z]+\/layouts|[a-z]+\/puzzles\/(daily|[0-9a-f]+))$/;

self.addEventListener('install', (event) => event.waitUntil(store().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    // what is downloaded is no document
    if (!pathname.startsWith('/api/')) event.respondWith(documentFor(request));
  } else if (pathname.startsWith(ASSETS)) event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)));
  else if (FILES.includes(pathname) || ANSWERS.test(pathname)) event.respondWith(latest(request));
});
self.addEventListener('push', (event) => event.waitUntil(notify(event.data?.json() ?? {})));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goTo(event.notification.data.path));
});

/** Keeps this version of the page, and the lessons. */
async function store() {
  const cache = await caches.open(CACHE);
  const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  await cache.addAll([DOCUMENT, ...FILES.filter((file) => !file.startsWith(ASSETS) || !kept.includes(file))]);
  const old = kept.filter((path) => path.startsWith(ASSETS) && !FILES.includes(path));
  await Promise.all(old.map((path) => cache.delete(path)));
  if (FILES.includes(ABOUT)) return;
  const { games } = await (await latest('/api/meta')).json();
  for (const { name } of games)
    for (const lesson of await (await latest(`/api/lessons/${name}`)).json()) await latest(`/api/lessons/${name}/${lesson.name}`);
}

/** The server's document for an address. Other hosts have none for most pages: there all show the same one. */
async function documentFor(request) {
  const answer = await fetch(request).catch(() => null);
  return answer && answer.status !== 404 ? answer : ((await caches.match(DOCUMENT)) ?? answer ?? Response.error());
}

/** The server's answer, or if it can't be reached the one before. */
async function latest(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(request);
    if (!kept) throw error;
    return kept;
  }
}

/** The texts of notifications in the page's language, which the page caches here. */
async function words() {
  const cached = await (await caches.open(CACHE)).match(WORDS);
  return cached ? cached.json() : {};
}

/** Shows a notification, unless its table or the lobby is visible. */
async function notify({ kind = '', table = '' }) {
  const path = table ? `/t/${table}` : '/lobby';
  if ((await pagesAt(path)).some(({ visibilityState }) => visibilityState === 'visible')) return;
  const body = (await words())[kind] ?? '';
  await self.registration.showNotification('Ekoes', { body, tag: path, icon: '/icon.svg', data: { path } });
}

async function pagesAt(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => new URL(url).pathname === path);
}

async function goTo(path) {
  const [page] = await pagesAt(path);
  return page ? page.focus() : self.clients.openWindow(path);
}
