import { messageOf } from "../data/errors.ts";

/** The end of tracing: what is on its way gets a moment, and no dead server holds the exit. */

interface Destination {
  where: string;
  /** @throws where traces were lost */
  flush: (signal: AbortSignal) => Promise<void>;
}

const destinations = new Map<string, Destination>();

/** Said by whatever begins to send traces somewhere; twice is once. */
export function tracesGoTo(destination: Destination): void {
  destinations.set(destination.where, destination);
}

/**
 * Waits until all traces have arrived, at most `limitMs`.
 * @returns what was lost, a sentence for each place; then connections may still be open that only an exit ends
 */
export async function flushTraces(limitMs = 3000): Promise<string[]> {
  const expired = new AbortController();
  const within = new Promise<never>((_, reject) => {
    expired.signal.addEventListener("abort", () => reject(new Error(`no answer within ${limitMs / 1000} s`)));
  });
  within.catch(() => {});
  const timer = setTimeout(() => expired.abort(), limitMs);
  const lost = [...destinations.values()].map(async (destination) => {
    try {
      await Promise.race([destination.flush(expired.signal), within]);
      return [];
    } catch (error) {
      return [`tracing: ${destination.where}: ${messageOf(error)}; traces are lost.`];
    }
  });
  const sentences = (await Promise.all(lost)).flat();
  clearTimeout(timer);
  return sentences;
}
