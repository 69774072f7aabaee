/** Long lists that are made over some frames, so that the page answers meanwhile. */

const AT_ONCE = 12;

/** Some things, a few more with each frame until all are there; from then on always all. */
export function piecemeal<T>(all: () => readonly T[]): { readonly made: readonly T[] } {
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
