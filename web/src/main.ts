import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { speak } from './lib/i18n.svelte';
import { preferences, spoken } from './lib/settings.svelte';

/** Words first, then the page: nothing jumps when they arrive. */
async function start(): Promise<void> {
  document.documentElement.dataset['theme'] = preferences.theme;
  await speak(spoken(preferences.language, navigator.languages));
  const target = document.getElementById('app');
  if (target) mount(App, { target });
}

void start();
