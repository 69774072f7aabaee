// Shows a notification when a table or an invitation awaits the player while the page is closed. Push messages carry no content.
const WORDS = '/notice-words';
const CACHE = 'ekoes';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(notify(event.data?.json() ?? {})));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goTo(event.notification.data.path));
});

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
