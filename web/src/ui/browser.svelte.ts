import type { Snippet } from 'svelte';
import type { ChallengeInfo } from '../protocol/messages';

const size = $state({ width: innerWidth, height: innerHeight });

addEventListener('resize', () => Object.assign(size, { width: innerWidth, height: innerHeight }));

export const layout = {
  /** Everything fits in a column beside the table. */
  get wide(): boolean {
    return size.width >= 1000;
  },
  /** A column beside the table, or on a phone in landscape the essentials. */
  get beside(): boolean {
    return layout.wide || (size.width >= 600 && size.height < 520);
  },
  /** A column beside the board of a review or an analysis, which have no players' cards. */
  get roomy(): boolean {
    return layout.beside || size.width >= 900;
  },
};

/** Whether fingers are what this device is used with: there is no keyboard then. */
export const touches = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;

const CALM = '/icon.svg';
const AWAITED = '/icon-turn.svg';

/** The invitations from and to this account, how many of them await its answer, and how those are shown. `call`: the window's title while
 * a game of a tournament waits for the player. */
export const inbox = new (class {
  invitations = $state.raw<readonly ChallengeInfo[]>([]);
  unanswered = $state(0);
  call = $state<string | null>(null);
  shown = $state<'badge' | 'line' | 'list'>('badge');
  /** In the header, while games other than the open one wait for the player: which. */
  turns = $state.raw<Snippet | null>(null);
})();

/** Called in an effect, which runs again when the number of invitations or the call of a tournament changes. */
export function setTitle(title: string, awaited = false): void {
  const [called, isAwaited] = [inbox.call ?? title, awaited || inbox.call !== null || inbox.turns !== null];
  document.title = `${inbox.unanswered > 0 ? `(${inbox.unanswered}) ` : ''}${isAwaited ? '● ' : ''}${called ? `${called} · ` : ''}Ekoes`;
  const icon = document.querySelector('link[rel=icon]');
  const wanted = isAwaited ? AWAITED : CALM;
  if (icon && icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}

/** Opens the system's share sheet; closing it is not an error. */
export const shareLink = (url: string): Promise<void> =>
  navigator.share({ title: document.title, url }).catch(() => undefined);

/** Also works where a page over plain http may not use the clipboard. Returns whether it succeeded. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement as HTMLElement | null;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.cssText = 'position:fixed;inset-block-start:0;opacity:0';
  // outside an open modal dialog nothing can be selected
  (document.querySelector('dialog:modal') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  before?.focus();
  return copied;
}

/** The time, renewed each second while something counts down. */
export function ticking(counts: () => boolean): { readonly now: number } {
  let now = $state(Date.now());
  $effect(() => {
    if (!counts()) return;
    const tick = (): void => void (now = Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}

/** Whether a key belongs to a field, a dialog, a popover or the browser and not to the game. */
export function isTaken(event: KeyboardEvent): boolean {
  const field =
    event.target instanceof HTMLElement && event.target.closest('input, select, textarea, dialog, [role=dialog]');
  const isCovered = document.querySelector(':popover-open') !== null;
  return !!field || isCovered || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
}

/** Arrow keys, Home and End on the buttons of a list that is one tab stop. */
export function walkList(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const buttons = [...(event.currentTarget.closest('ol')?.querySelectorAll('button') ?? [])];
  const at = buttons.indexOf(event.currentTarget as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[to]?.focus();
}
