/** What the service worker does: system notifications that a decision is due while the page is closed (this page shows those while it is
 * hidden), and the page itself where its server can't be reached. */
import type { PushKey } from '../protocol/messages';
import { t } from '../ui/i18n.svelte';
import { prefer, preferences } from '../ui/settings.svelte';
import { ask } from './api';

export function canNotify(): boolean {
  return typeof Notification === 'function' && window.isSecureContext;
}

export async function allowNotices(wanted: boolean): Promise<void> {
  const allowed = wanted && canNotify() && (await Notification.requestPermission()) === 'granted';
  prefer({ notices: allowed });
  // where Web Push is not available, the open page still notifies
  if (canBeSent()) await (allowed ? askForNotices() : endNotices()).catch(() => undefined);
}

/** Registers the worker, and subscribes again: the session or the language may have changed. */
export async function renewWorker(): Promise<void> {
  const isSubscribed = preferences.notices && canNotify() && Notification.permission === 'granted' && canBeSent();
  if (isSubscribed) await askForNotices();
  else if (window.isSecureContext && 'serviceWorker' in navigator) await register();
}

export function notice(title: string, body: string, tag: string): void {
  if (!preferences.notices || !document.hidden || !canNotify() || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(title, { body, tag, icon: '/icon.svg' });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones show notifications only from a service worker.
  }
}

const WORKER = '/worker.js';
/** The cache through which the service worker gets its texts. */
const [CACHE, WORDS] = ['ekoes', '/notice-words'];

export function canBeSent(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window;
}

/** Throws where push is not available. */
export async function askForNotices(): Promise<void> {
  const { key } = await ask<PushKey>('/api/push');
  const worker = await register();
  await navigator.serviceWorker.ready;
  const known = await worker.pushManager.getSubscription();
  if (known && keyText(known.options.applicationServerKey) !== key) await known.unsubscribe();
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await ask('/api/push', { endpoint, keys });
}

export async function endNotices(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) return;
  await ask('/api/push', { endpoint: subscription.endpoint }, 'DELETE').catch(() => undefined);
  await subscription.unsubscribe();
}

async function register(): Promise<ServiceWorkerRegistration> {
  const worker = await navigator.serviceWorker.register(WORKER);
  const words = {
    turn: t('notice.turn'),
    rematch: t('notice.rematch'),
    challenge: t('notice.challenge'),
  };
  await (await caches.open(CACHE)).put(WORDS, new Response(JSON.stringify(words)));
  return worker;
}

function keyText(key: ArrayBuffer | null): string {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
