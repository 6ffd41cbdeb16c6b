/** Edits that differ only in how a number is written, such as `return False`, `return 0` and `return 0.0`. */

const RETURNED = /(\breturn -?\d+)\.0(?=;?[ \t]*$)/gm;
const TRUTH = /\b(?:true|false)\b/gi;

const numbered = (text: string): string =>
  text.replace(TRUTH, (word) => String(Number(/true/i.test(word)))).replace(RETURNED, "$1");

const truthsIn = (text: string): number => text.match(TRUTH)?.length ?? 0;

/** Of edits that differ only so the one that is written like the text before: with truths if that has some. */
export function withoutTwins<E>(edits: readonly E[], textsOf: (edit: E) => { before: string; after: string }): E[] {
  const kept = new Map<string, E>();
  for (const edit of edits) {
    const { before, after } = textsOf(edit);
    const key = numbered(after);
    const twin = kept.get(key);
    const more = twin === undefined ? 0 : truthsIn(after) - truthsIn(textsOf(twin).after);
    if (twin === undefined || (truthsIn(before) > 0 ? more > 0 : more < 0)) kept.set(key, edit);
  }
  return [...kept.values()];
}
