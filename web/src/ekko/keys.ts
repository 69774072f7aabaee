import { isTaken } from '../ui/browser.svelte';
import type { Hints } from './hints.svelte';
import type { EkkoTableState } from './table.svelte';

/** Keys for fields, dialogs and the browser are left alone. */
export function keydown(
  event: KeyboardEvent,
  table: EkkoTableState,
  open: (tab: 'help' | 'chat') => void,
  advising?: Hints,
): void {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (isTaken(event)) return;
  if (table.sheet && event.key === 'Escape') return void (table.sheet = false);
  if (event.key === '?') return open('help');
  if (event.key.toLowerCase() === 'c' && table.chat.isOn) {
    event.preventDefault();
    return open('chat');
  }
  if (event.key === 'Escape') advising?.deselect();
  if (event.key.toLowerCase() === 'h' && advising?.offered) return void advising.advise();
  if (act(event.key, target, table)) event.preventDefault();
}

/** Returns whether the key is one of the table's. */
function act(key: string, target: HTMLElement | null, table: EkkoTableState): boolean {
  const keys: Record<string, () => unknown> = {
    backspace: () => table.rubOut(),
    escape: () => table.deselect(),
    d: () => (table.choosing ? table.effect('draw') : table.draw()),
    p: () => table.pass(),
    u: () => switchAutoPass(table),
    r: () => table.ready(),
    arrowleft: () => walk(target, -1),
    arrowright: () => walk(target, 1),
    ...(table.typed !== '' && { enter: () => table.enter() }),
    ...(table.choosing && { a: () => table.effect('discard') }),
  };
  if (/^\d$/.test(key)) {
    if (table.hand !== null) table.type(key);
    return table.hand !== null;
  }
  return keys[key.toLowerCase()] !== undefined && keys[key.toLowerCase()]?.() !== false;
}

function switchAutoPass({ autoPass, mayAutoPass }: EkkoTableState): boolean {
  if (autoPass.on) autoPass.up();
  else if (mayAutoPass) autoPass.look();
  else return false;
  return true;
}

function walk(target: HTMLElement | null, step: number): boolean {
  const cards: (HTMLElement | null)[] = [...document.querySelectorAll<HTMLElement>('button[data-card]')];
  const at = cards.indexOf(target);
  const next = at < 0 ? cards[step > 0 ? 0 : cards.length - 1] : cards[at + step];
  next?.focus();
  return next !== undefined;
}
