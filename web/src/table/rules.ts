/** The rules of a game, which are loaded with the first page that needs them. */
import { once } from '../net/once';
import { loadServer } from '../net/server.svelte';
import { reload } from '../ui/reload';

/** The engine of a game. HASH: of its rules. */
interface RulesEngine {
  readonly HASH: string;
  startEngine(module: WebAssembly.Module): void;
}

/** The rules of a game and their module, which are there once the engine is started; before that, asking for them throws. */
export function startedBy<Rules>(make: (module: WebAssembly.Module) => Rules) {
  let started: { module: WebAssembly.Module; rules: Rules } | null = null;
  const begun = (): NonNullable<typeof started> => {
    if (!started) throw new Error('the engine is not started');
    return started;
  };
  return {
    startEngine(module: WebAssembly.Module): void {
      started ??= { module, rules: make(module) };
    },
    engine: (): Rules => begun().rules,
    rulesModule: (): WebAssembly.Module => begun().module,
  };
}

/** Returns what loads a page together with the rules. url: of their module. It throws if they can't be loaded, or the server has others; the next call tries again. */
export function rulesAt(url: string, load: () => Promise<RulesEngine>): <Page>(page: Promise<Page>) => Promise<Page> {
  const compiled = once(() => WebAssembly.compileStreaming(fetch(url)));
  return async (page) => {
    const [loaded, { HASH, startEngine }, module, server] = await Promise.all([page, load(), compiled(), loadServer()]);
    await checkRules(HASH, server.rules);
    startEngine(module);
    return loaded;
  };
}

/** Reloads an old page, once. Throws if the server has other rules than the page. Both are hashes of the rules. */
export async function checkRules(own: string, server: string): Promise<void> {
  if (own === server) return;
  await reload();
  throw new Error('the server has other rules');
}
