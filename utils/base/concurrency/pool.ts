/**
 * Bounded concurrency: at most `width` pieces of work at a time, started and reported in order.
 */

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

/**
 * Hands items on in the order of `keys`, each as soon as all before it are there.
 * @returns `add` for an item that is there; `flush` for the end: hands on what still waits for one before it
 */
export function inOrder<Item>(keys: readonly string[], emit: (item: Item) => void) {
  const waiting = new Map<string, Item>();
  let next = 0;
  const handOn = ({ skip }: { skip: boolean }) => {
    for (; next < keys.length; next += 1) {
      const key = keys[next] ?? "";
      const item = waiting.get(key);
      if (item === undefined && !skip) return;
      if (item !== undefined) emit(item);
      waiting.delete(key);
    }
  };
  return {
    add(key: string, item: Item): void {
      waiting.set(key, item);
      handOn({ skip: false });
    },
    flush: () => handOn({ skip: true }),
  };
}
