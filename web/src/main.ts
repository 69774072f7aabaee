import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { chosenGame, loadEntrance } from './lib/games';
import { speak } from './lib/i18n.svelte';
import { route } from './lib/route.svelte';
import { preferences, spoken } from './lib/settings.svelte';

/** Words and the form first, then the page: nothing jumps when they arrive. */
async function start(): Promise<void> {
  document.documentElement.dataset['theme'] = preferences.theme;
  await Promise.all([
    speak(spoken(preferences.language, navigator.languages)),
    // a form that does not come is asked for again by the page, which then says what is wrong
    route.now.page === 'home' && loadEntrance(chosenGame(route.now)).catch(() => null),
  ]);
  const target = document.getElementById('app');
  if (target) mount(App, { target });
}

void start();
