/** Notices that come while the page is closed: this browser asks the server for them, and a worker of the page shows them. */
import { ask } from './api';
import { t } from './i18n.svelte';

const WORKER = '/worker.js';
/** Where the worker finds the words of its notices, and under which name they are kept. */
const [KEPT, WORDS] = ['ekoes', '/notice-words'];

/** Whether this browser can be sent notices at all. */
export function canBeSent(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window;
}

/** Asks the server for notices, or again: its key or this browser's cookie may be others now. Raises where they can't be had. */
export async function askForNotices(): Promise<void> {
  const { key } = await ask<{ key: string }>('/api/push');
  const worker = await navigator.serviceWorker.register(WORKER);
  await keepWords();
  await navigator.serviceWorker.ready;
  const known = await worker.pushManager.getSubscription();
  if (known && keyText(known.options.applicationServerKey) !== key) await known.unsubscribe();
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await ask('/api/push', { endpoint, keys });
}

/** Asks for no more of them. */
export async function endNotices(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) return;
  await ask('/api/push', { endpoint: subscription.endpoint }, 'DELETE').catch(() => undefined);
  await subscription.unsubscribe();
}

/** Gives the worker its words in the language of the page. */
async function keepWords(): Promise<void> {
  const words = { turn: t('notice.turn'), rematch: t('notice.rematch'), challenge: t('notice.challenge') };
  await (await caches.open(KEPT)).put(WORDS, new Response(JSON.stringify(words)));
}

function keyText(key: ArrayBuffer | null): string {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
