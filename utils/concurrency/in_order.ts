/** Work that ends in any order, told in one. */

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
