/** What is done when this process ends: one listener for all, as Node.js takes more than ten for a leak and warns. */

const pending = new Set<() => void>();
let listens = false;

/**
 * Runs tasks at the end of this process, in the order of the calls.
 * @param task is not awaited; one that throws does not stop the others
 * @returns cancels it
 */
export function atExit(task: () => void): () => void {
  if (!listens) process.once("exit", doAll);
  listens = true;
  pending.add(task);
  return () => void pending.delete(task);
}

function doAll(): void {
  const [first] = [...pending].flatMap((task) => {
    try {
      task();
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (first !== undefined) throw first;
}
