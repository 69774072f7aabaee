/** The keyboard at an EKKO table: a number and Enter plays a card; letters do the rest. */
import type { Advising } from './advice.svelte';
import type { EkkoTableState } from './table.svelte';

/** Does what a key means; keys for fields, dialogs and the browser are left alone. `open`: opens a leaf. */
export function keydown(event: KeyboardEvent, table: EkkoTableState, open: (leaf: 'help' | 'chat') => void, advising?: Advising): void {
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
  if (event.key === 'Escape') advising?.letGo();
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
      return done(table.letGo() === undefined);
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

/** Lets mirrors go by until the player looks up, or looks up. */
function lookAway({ away, mayLookAway }: EkkoTableState): boolean {
  if (away.on) away.up();
  else if (mayLookAway) away.look();
  else return false;
  return true;
}

function done(did: boolean): boolean {
  return did;
}

/** From card to card of the hand. */
function walk(target: HTMLElement | null, step: number): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('button[data-card]')];
  const at = cards.findIndex((card) => card === target);
  const next = at < 0 ? cards[step > 0 ? 0 : cards.length - 1] : cards[at + step];
  next?.focus();
  return next !== undefined;
}
