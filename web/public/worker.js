// Shows what the server sends while the page is closed: that a table or an invitation waits. What is said there comes with no notice.
const WORDS = '/notice-words';
const KEPT = 'ekoes';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(tell(event.data?.json() ?? {})));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goTo(event.notification.data.path));
});

/** The page keeps its words here, in the language that it speaks. */
async function words() {
  const kept = await (await caches.open(KEPT)).match(WORDS);
  return kept ? kept.json() : {};
}

/** Tells of a table, or of what waits in the lobby, unless it is in sight. */
async function tell({ kind = '', table = '' }) {
  const path = table ? `/t/${table}` : '/lobby';
  if ((await pagesAt(path)).some(({ visibilityState }) => visibilityState === 'visible')) return;
  const said = (await words())[kind] ?? '';
  await self.registration.showNotification('Ekoes', { body: said, tag: path, icon: '/icon.svg', data: { path } });
}

async function pagesAt(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => new URL(url).pathname === path);
}

async function goTo(path) {
  const [page] = await pagesAt(path);
  return page ? page.focus() : self.clients.openWindow(path);
}
