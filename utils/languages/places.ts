/** Where functions stand in a source file. */

export interface FunctionPlace {
  /** As a person would name it: `Shelf.put`, `outer.inner`. */
  name: string;
  /** First and last line, 1-based; decorators belong to it. */
  start: number;
  end: number;
}

/** Lines of a file, both included, 1-based. */
export type LineRange = Pick<FunctionPlace, "start" | "end">;

/** The offsets at which the lines of `text` begin. */
export function lineStarts(text: string): number[] {
  const found = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) found.push(at + 1);
  return found;
}

/** Of a function's name what it is called by: `put` of `Shelf.put` and of `shop::Shelf::put`. */
export const plainName = (name: string): string => name.split(/\.|::/).at(-1) ?? name;

/** What begins in a line of `source`. */
export function beginningIn(source: string, line: number): (one: { start: number }) => boolean {
  const starts = lineStarts(source);
  return ({ start }) => lineOf(starts, start) === line;
}

/** The line of an offset, 1-based. @param starts of `lineStarts` */
export function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
