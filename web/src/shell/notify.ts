/** The system's own notice that a decision is awaited, for those who allowed it and look at something else. */
import { askForNotices, canBeSent, endNotices } from './push';
import { prefer, preferences } from './settings.svelte';

/** Whether this browser can show such notices at all: not over plain http, nor on some telephones. */
export function canNotify(): boolean {
  return typeof Notification === 'function' && window.isSecureContext;
}

/** Switches notices on, once the person has allowed them, or off. */
export async function wishNotices(wished: boolean): Promise<void> {
  const allowed = wished && canNotify() && (await Notification.requestPermission()) === 'granted';
  prefer({ notices: allowed });
  // where they can't be had with the page closed, the page itself still tells
  if (canBeSent()) await (allowed ? askForNotices() : endNotices()).catch(() => undefined);
}

/** Asks for notices again as the page starts: who this browser is, and the page's language, may have changed. */
export function renewNotices(): void {
  if (preferences.notices && canNotify() && Notification.permission === 'granted' && canBeSent()) void askForNotices().catch(() => undefined);
}

/** Tells of a table while the page is out of sight; a click leads there. */
export function notice(title: string, body: string, tag: string): void {
  if (!preferences.notices || !document.hidden || !canNotify() || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(title, { body, tag, icon: '/icon.svg' });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some telephones know notices only from the worker, which the server tells.
  }
}
