// Shows a notification when a table or an invitation awaits the player while the page is closed (push messages carry no content), and a
// page of its own where the server can't be reached.
const WORDS = '/notice-words';
const CACHE = 'ekoes';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(fetch(event.request).catch(offline));
});
self.addEventListener('push', (event) => event.waitUntil(notify(event.data?.json() ?? {})));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goTo(event.notification.data.path));
});

/** A page that tries again by itself. */
async function offline() {
  const { offline = '', again = 'Ekoes', language = 'en' } = await words();
  const page = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="5"><title>Ekoes</title>
    <style>body{display:grid;place-content:center;gap:16px;min-height:90vh;margin:20px;font:18px/1.4 system-ui,sans-serif;text-align:center}</style>
    <h1>Ekoes</h1><p>${offline}</p><p><a href="">${again}</a></p>`;
  return new Response(page, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
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
