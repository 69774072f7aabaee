/** Items that are rendered in one frame. */
const AT_ONCE = 12;

/** Renders a long list over several frames, so that the page stays responsive. */
export function progressive<T>(all: () => readonly T[]): { readonly made: readonly T[] } {
  let count = $state(0);
  const made = $derived(count < all().length ? all().slice(0, count) : all());
  $effect(() => {
    if (count >= all().length) {
      count = Infinity;
      return;
    }
    const frame = requestAnimationFrame(() => (count += AT_ONCE));
    return () => cancelAnimationFrame(frame);
  });
  return {
    get made() {
      return made;
    },
  };
}
