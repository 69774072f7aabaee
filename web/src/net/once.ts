/** Loads something once. After a failure the next call tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    }));
}

/** Loads something once for each key; what has arrived is kept for some milliseconds, a failure not at all. */
export function onceFor<T>(load: (key: string) => Promise<T>, kept = Infinity): (key: string) => Promise<T> {
  const loading = new Map<string, Promise<T>>();
  return (key) => {
    const known = loading.get(key);
    if (known) return known;
    const found = load(key);
    const forget = (): void => void loading.delete(key);
    loading.set(key, found);
    found.then(() => kept < Infinity && setTimeout(forget, kept), forget);
    return found;
  };
}
