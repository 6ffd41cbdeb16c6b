/** Refuses sources that no interpreter should be given. */

const MAX_BYTES = 1_000_000;
/** Of tests, which may carry large inputs. */
export const MAX_TEST_BYTES = 32_000_000;

/** Why `source` (called `what` in the sentence) is refused, or undefined where it is fine. */
export function refusal(source: string, what = "the program", maxBytes = MAX_BYTES): string | undefined {
  const bytes = Buffer.byteLength(source);
  if (bytes > maxBytes) return `${what} is ${bytes} bytes long; the limit is ${maxBytes}`;
  if (source.includes("\0")) return `${what} contains a NUL character`;
  if (/\p{Surrogate}/u.test(source)) return `${what} contains a lone surrogate, which is not text`;
  return undefined;
}
