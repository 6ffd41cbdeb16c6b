/** Refuses sources that no Python should be given. */

const MAX_BYTES = 1_000_000;

/** Why `source` (called `what` in the sentence) is refused, or undefined where it is fine. */
export function refusal(source: string, what = "the program"): string | undefined {
  const bytes = Buffer.byteLength(source);
  if (bytes > MAX_BYTES) return `${what} is ${bytes} bytes long; the limit is ${MAX_BYTES}`;
  if (source.includes("\0")) return `${what} contains a NUL character`;
  if (/\p{Surrogate}/u.test(source)) return `${what} contains a lone surrogate, which is not text`;
  return undefined;
}
