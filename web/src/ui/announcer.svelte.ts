/** What screen readers say, one after the other: a text that is announced again is said again. */
export interface Announcement {
  n: number;
  text: string;
}

/** Announcements that stay in the page: a reader that is slow still finds them. */
const MOST = 5;
let said = $state.raw<readonly Announcement[]>([]);

/** The newest at the end. */
export const announcements = (): readonly Announcement[] => said;

export function announce(text: string): void {
  if (text) said = [...said, { n: (said.at(-1)?.n ?? 0) + 1, text }].slice(-MOST);
}
