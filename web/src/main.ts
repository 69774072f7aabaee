import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import './fonts.css';
import { loadServer } from './net/server.svelte';
import { entrances, loadEntrances, offered } from './table/games';
import { setLanguage } from './ui/i18n.svelte';
import { reload } from './ui/reload';
import { isBare, route } from './ui/route.svelte';
import { preferences, spoken } from './ui/settings.svelte';
import { isSite } from './ui/site';

// after a deployment the server no longer has the chunks that an open page asks for
addEventListener('vite:preloadError', () => void reload());

/** What the header names, and on the home page its games. */
async function entrance(): Promise<void> {
  const games = entrances(route.now, offered(await loadServer()));
  if (route.now.page === 'home') await loadEntrances(games);
}

/** Loads words and entrance before the page is shown, so that nothing moves. */
async function start(): Promise<void> {
  document.documentElement.dataset['theme'] = preferences.theme;
  // a failed request is repeated by the page, which then says what is wrong
  const about = entrance().catch(() => null);
  await Promise.all([setLanguage(spoken(preferences.language, navigator.languages)), !isBare(route.now) && about]);
  const target = document.getElementById('app');
  target?.replaceChildren();
  if (target) mount(App, { target });
  setTimeout(keepPage, isSite ? 0 : UNHURRIED);
  addEventListener('appinstalled', keepPage);
}

/** Milliseconds until the browser keeps the page: its first game comes first. */
const UNHURRIED = 10_000;

function keepPage(): void {
  void import('./net/notifications').then(({ renewWorker }) => renewWorker()).catch(() => undefined);
}

void start();
