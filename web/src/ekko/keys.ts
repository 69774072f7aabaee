import type { Advising } from './advice.svelte';
import type { EkkoTableState } from './table.svelte';

/** Keys for fields, dialogs and the browser are left alone. */
export function keydown(event: KeyboardEvent, table: EkkoTableState, open: (tab: 'help' | 'chat') => void, advising?: Advising): void {
  const target = event.target instanceof HTMLElement ? event.target : null;
  const taken = target?.closest('input, select, textarea, [role=dialog]');
  if (taken || event.ctrlKey || event.metaKey || event.altKey) return;
  if (table.sheet && event.key === 'Escape') return void (table.sheet = false);
  if (table.sheet && table.state?.stage === 'over') return;
  if (event.key === '?') return open('help');
  if (event.key.toLowerCase() === 'c' && table.chat.isOn) {
    event.preventDefault();
    return open('chat');
  }
  if (event.key === 'Escape') advising?.deselect();
  if (event.key.toLowerCase() === 'h' && advising?.offered) return void advising.advise();
  if (act(event.key, target, table)) event.preventDefault();
}

function act(key: string, target: HTMLElement | null, table: EkkoTableState): boolean {
  if (/^\d$/.test(key)) return done(table.hand !== null && table.type(key) === undefined);
  switch (key.toLowerCase()) {
    case 'enter':
      return table.typed !== '' && done(table.enter() === undefined);
    case 'backspace':
      return done(table.rubOut() === undefined);
    case 'escape':
      return done(table.deselect() === undefined);
    case 'd':
      return done((table.choosing ? table.effect('draw') : table.draw()) === undefined);
    case 'a':
      return table.choosing && done(table.effect('discard') === undefined);
    case 'p':
      return done(table.pass() === undefined);
    case 'u':
      return done(lookAway(table));
    case 'r':
      return done(table.ready() === undefined);
    case 'arrowleft':
      return walk(target, -1);
    case 'arrowright':
      return walk(target, 1);
    default:
      return false;
  }
}

function lookAway({ autoPass, mayLookAway }: EkkoTableState): boolean {
  if (autoPass.on) autoPass.up();
  else if (mayLookAway) autoPass.look();
  else return false;
  return true;
}

function done(did: boolean): boolean {
  return did;
}

function walk(target: HTMLElement | null, step: number): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('button[data-card]')];
  const at = cards.findIndex((card) => card === target);
  const next = at < 0 ? cards[step > 0 ? 0 : cards.length - 1] : cards[at + step];
  next?.focus();
  return next !== undefined;
}
