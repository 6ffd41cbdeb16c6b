/** Edits of a text. */

/** First character, the one behind the last, and what stands in their place. */
export type TextEdit = [start: number, end: number, text: string];

/** A text after edits that do not overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => b[0] - a[0] || b[1] - a[1]);
  return sorted.reduce((result, [start, end, put]) => result.slice(0, start) + put + result.slice(end), text);
}
