import type { Plugin } from 'vite';
import type { RuleText } from './src/ui/i18n.svelte';

const HEADING = /^##+ ([A-Z]\d+(?:\.\d+)?) (.+)$/;

/** The rules of a document, in its order: a section is a heading `## E5 Title`, a rule `### E5.3 Title` with the text below it. */
function parseRules(document: string): RuleText[] {
  const found: { id: string; title: string; lines: string[] }[] = [];
  for (const line of document.split('\n').map((each) => each.trim())) {
    const [, id, title] = HEADING.exec(line) ?? [];
    if (id && title) found.push({ id, title, lines: [] });
    // without emphasis, and with a bullet in place of the dash of a list item
    else if (line) found.at(-1)?.lines.push(line.replaceAll('**', '').replace(/^- /, '• '));
  }
  return found.map(({ lines, ...rule }) => ({ ...rule, text: lines.join('\n') }));
}

/** Makes the rules for players, `docs/rules/GAME.LANGUAGE.md`, modules of the page. */
export function rules(): Plugin {
  return {
    name: 'rules',
    transform: (text, path) =>
      path.endsWith('.md')
        ? { code: `export default ${JSON.stringify(parseRules(text))}`, map: null, moduleType: 'js' }
        : null,
  };
}
