/** What this page knows of tables before it has asked for them. */

/** The tables that this page has created. */
export const created = new Set<string>();

/** Which game a table plays. */
const games = new Map<string, string>();

export function noteGame(id: string, game: string): void {
  games.set(id, game);
}

export function notedGame(id: string): string | undefined {
  return games.get(id);
}
