/** How long the event loop of this process is held up while something else works. */

const TICK_MS = 5;

/** @returns the longest time between two turns of the event loop while `work` ran, in milliseconds, beyond the 5 ms asked for */
export async function largestGapMs(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let largest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    largest = Math.max(largest, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  await work().finally(() => clearInterval(timer));
  return largest;
}
