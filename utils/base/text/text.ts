/** Small text helpers for what is shown to models and people. */

/**
 * The text if it fits, else its head and tail with a note of how much was left out between them.
 * Cuts at line ends where one is near, and never inside a surrogate pair.
 * @param maxChars what the shown parts may have together, the note not counted
 */
export function headAndTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = cutHead(text, Math.ceil(maxChars / 2));
  const tail = cutTail(text, Math.floor(maxChars / 2));
  const omitted = text.length - head.length - tail.length;
  return `${head}\n… ${omitted} characters left out …\n${tail}`;
}

function cutHead(text: string, length: number): string {
  const head = text
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD$/, "");
  const lineEnd = head.lastIndexOf("\n");
  return lineEnd > length * 0.7 ? head.slice(0, lineEnd) : head;
}

function cutTail(text: string, length: number): string {
  const tail = text
    .slice(-length)
    .toWellFormed()
    .replace(/^\uFFFD/, "");
  const lineEnd = tail.indexOf("\n");
  return lineEnd >= 0 && lineEnd < length * 0.3 ? tail.slice(lineEnd + 1) : tail;
}

/** The first lines of a text that are not blank. */
export function firstLines(text: string, most: number): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(0, most).join("\n");
}

/** `a, b and 3 more`. */
export const listed = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");

/** `and 3 more: a, b, c`: those behind the first `shown` ones, as lines; no line where there are none. */
export function further(names: readonly string[], shown: number): string[] {
  const left = names.slice(shown);
  return left.length === 0 ? [] : [`and ${left.length} more: ${listed(left, MOST_FURTHER)}`];
}
const MOST_FURTHER = 12;

/** Shows control characters as escapes: neither a model nor a file may drive the terminal. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (char) =>
    char === "\n" || char === "\t" ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );

/** How much of a name or a value is shown within a sentence. */
const LONGEST_IN_LINE = 200;

/**
 * A name or a value as part of a sentence on one line: without characters that drive a terminal, cut in its middle
 * where it is long.
 */
export function inLine(text: string, most = LONGEST_IN_LINE): string {
  const half = Math.floor(most / 2);
  const cut =
    text.length > most
      ? `${text.slice(0, half)}… (${text.length} characters) …${text.slice(-half)}`.toWellFormed()
      : text;
  return printable(cut).replace(/[\n\t]/g, (char) => (char === "\n" ? "\\n" : "\\t"));
}
