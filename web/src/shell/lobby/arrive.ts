/** Who follows *Sit down* in the lobby takes a free seat at once: the table to which they are on their way. */
let wanted: string | null = null;

export function comeToSit(table: string): void {
  wanted = table;
}

/** Whether this is the table; it is asked once. */
export function cameToSit(table: string): boolean {
  const came = wanted !== null && wanted === table;
  if (came) wanted = null;
  return came;
}
