/** The window's title and its sign: both tell, in a row of many windows, that a decision is awaited here. */

const CALM = '/icon.svg';
const AWAITED = '/icon-turn.svg';

/** Names the page. awaited: this browser is asked for a decision. */
export function entitle(title: string, awaited = false): void {
  document.title = `${awaited ? '● ' : ''}${title ? `${title} · ` : ''}Ekoes`;
  const icon = document.querySelector('link[rel=icon]');
  const wanted = awaited ? AWAITED : CALM;
  if (icon && icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}
