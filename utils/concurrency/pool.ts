/** Bounded concurrency: at most `width` pieces of work at a time, started in order. */

/**
 * Runs `work` on every item. Stops handing out items once `drained()` is true; what has begun is awaited.
 * A failure of `work` stops the pool and is thrown after the rest has ended.
 */
export async function pool<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
  drained: () => boolean = () => false,
): Promise<void> {
  const failures: unknown[] = [];
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    while (failures.length === 0 && !drained()) {
      const { done, value } = queue.next();
      if (done) return;
      await work(value).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
  if (failures.length > 0) throw failures[0];
}
