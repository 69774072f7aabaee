import rules from '../engine/eko.wasm?url';
import type English from '../i18n/eko/en.json';
import type Study from '../i18n/eko/study/en.json';
import type { GameEntry } from '../table/games';
import { rulesAt } from '../table/rules';
import Sign from './GameIcon.svelte';

declare module '../ui/i18n.svelte' {
  interface GameWords {
    eko: typeof English;
    'eko/study': typeof Study;
  }
}

const withRules = rulesAt(rules, () => import('./engine'));

export default {
  title: 'Ekö',
  Sign,
  home: () => import('./ekoHome'),
  new: () => withRules(import('./EkoNew.svelte')),
  settings: () => import('./EkoSettings.svelte'),
  device: () =>
    withRules(
      Promise.all([import('./device.svelte'), import('./EkoDevice.svelte')]).then(([games, page]) => ({
        ...games,
        ...page,
      })),
    ),
  table: () => withRules(import('./EkoPage.svelte')),
  analysis: () => withRules(import('./analysis/EkoAnalysisPage.svelte')),
  coach: () => import('./EkoCoach.svelte'),
  editor: () => withRules(import('./editor/EkoEditorPage.svelte')),
  lesson: () => withRules(import('./EkoLesson.svelte')),
  lessonSign: () => import('./LessonSign.svelte'),
  rulePicture: () => import('./RulePicture.svelte'),
  task: () => withRules(import('./task')),
  puzzle: () => withRules(import('./puzzle')),
} satisfies GameEntry;
