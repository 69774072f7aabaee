import rules from '../engine/eko.wasm?url';
import type English from '../i18n/eko/en.json';
import type Study from '../i18n/eko/study/en.json';
import type { GameEntry } from '../shell/games';
import { loadServer } from '../shell/server.svelte';
import Sign from './GameIcon.svelte';

declare module '../shell/i18n.svelte' {
  interface GameWords {
    eko: typeof English;
    'eko/study': typeof Study;
  }
}

let compiled: Promise<WebAssembly.Module> | null = null;

/** A page with boards, and the rules for them. Throws if they can't be loaded, or the server has others; the next call tries again. */
async function withRules<Page>(page: Promise<Page>): Promise<Page> {
  compiled ??= WebAssembly.compileStreaming(fetch(rules)).catch((error: unknown) => {
    compiled = null;
    throw error;
  });
  const [loaded, { startEngine, checkRules }, module, server] = await Promise.all([page, import('./engine'), compiled, loadServer()]);
  await checkRules(server.rules);
  startEngine(module);
  return loaded;
}

export default {
  title: 'Ekö',
  Sign,
  home: () => import('./ekoHome'),
  new: () => import('./EkoNew.svelte'),
  settings: () => import('./EkoSettings.svelte'),
  table: () => withRules(import('./EkoPage.svelte')),
  analysis: () => withRules(import('./analysis/EkoAnalysisPage.svelte')),
  editor: () => import('./editor/EkoEditorPage.svelte'),
  lesson: () => withRules(import('./EkoLesson.svelte')),
  task: () => withRules(import('./task')),
} satisfies GameEntry;
