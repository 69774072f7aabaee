/** What a control without words is called: to a screen reader, and as a tip. */
export const named = (label: string): { 'aria-label': string; title: string } => ({
  'aria-label': label,
  title: label,
});
