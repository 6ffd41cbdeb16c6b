/** Edits as models write them in an answer: hunks of a unified diff, and search/replace blocks. */

/** Lines of a text that take the place of others. */
export interface TextEdit {
  /** Null where the edit names no file. */
  file: string | null;
  before: readonly string[];
  after: readonly string[];
}

/** The edits in a text, in their order; empty where it holds none. */
export function editsIn(text: string): TextEdit[] {
  const edits: TextEdit[] = [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  let file: string | null = null;
  let isDiff = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const next = lines[at + 1] ?? "";
    if (/^ {0,3}`{3,}(?:diff|patch)\b/.test(line)) isDiff = true;
    else if (/^ {0,3}`{3,}/.test(line)) isDiff = false;
    else if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      file = fileOf(next.slice(4)) ?? fileOf(line.slice(4));
      at += 1;
    } else if (SEARCH.test(line)) {
      const block = blockAt(lines, at + 1);
      if (!block) continue;
      edits.push({ file: nameBefore(lines, at) ?? file, ...block.edit });
      at = block.end;
    } else if (line.startsWith("@@") || (isDiff && CHANGED.test(line))) {
      const hunk = hunkAt(lines, line.startsWith("@@") ? at + 1 : at);
      if (hunk.isChange) edits.push({ file, ...hunk.edit });
      at = Math.max(at, hunk.end - 1);
    }
  }
  return edits;
}

const SEARCH = /^<{5,9} ?SEARCH\s*$/;
const CHANGED = /^(?:[+-](?!--|\+\+)|$)/;

const fileOf = (name: string): string | null => {
  const path = name.replace(/\t.*$/, "").trim();
  return path === "/dev/null" || path === "" ? null : path.replace(/^[ab]\//, "");
};

/** The lines of a hunk, from the first one behind its `@@`. */
function hunkAt(lines: readonly string[], start: number) {
  const before: string[] = [];
  const after: string[] = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (!/^(?:[ +-]|\\|$)/.test(line) || (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ "))) break;
    if (line.startsWith("\\")) continue;
    if (!line.startsWith("+")) before.push(line.slice(1));
    if (!line.startsWith("-")) after.push(line.slice(1));
  }
  // Empty lines at the end more likely belong to the text around it.
  while (before.at(-1) === "" && after.at(-1) === "") {
    before.pop();
    after.pop();
  }
  return { edit: { before, after }, isChange: before.join("\n") !== after.join("\n"), end: at };
}

/** A search/replace block, from the first line behind its mark; null where it has no end. */
function blockAt(lines: readonly string[], start: number) {
  const middle = lines.findIndex((line, at) => at >= start && /^={5,9}\s*$/.test(line));
  const end = lines.findIndex((line, at) => at > middle && /^>{5,9} ?REPLACE\s*$/.test(line));
  if (middle === -1 || end === -1) return null;
  return { edit: { before: lines.slice(start, middle), after: lines.slice(middle + 1, end) }, end };
}

/** The name of a file on the line before a block or its fence. */
function nameBefore(lines: readonly string[], at: number): string | null {
  const before = lines
    .slice(Math.max(0, at - 3), at)
    .filter((line) => line.trim() !== "" && !/^\s*`{3,}\w*$/.test(line));
  const [, name] = /^[\s#*`]*([\w@./-]+\.\w+)[`*:\s]*$/.exec(before.at(-1) ?? "") ?? [];
  return name ?? null;
}

/**
 * The text with all edits made; null where one does not fit. An edit fits where its lines occur exactly once. Where
 * they do not occur, as models leave lines out or misquote them, only the lines that change have to, and then around
 * them as much as is needed for one place.
 */
export function withEdits(source: string, edits: readonly TextEdit[]): string | null {
  let lines = source.split("\n");
  for (const edit of edits) {
    const made = madeIn(lines, edit);
    if (!made) return null;
    lines = made;
  }
  return lines.join("\n");
}

function madeIn(lines: readonly string[], { before, after }: TextEdit): string[] | null {
  const same = (a: string | undefined, b: string | undefined) => a?.trimEnd() === b?.trimEnd();
  const common = before.findIndex((line, i) => !same(line, after[i]));
  const head = common === -1 ? before.length : common;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && same(before.at(-1 - tail), after.at(-1 - tail)))
    tail += 1;
  // All lines around the change, then fewer and fewer.
  for (let around = Math.max(head, tail); around >= 0; around -= 1) {
    const [above, below] = [Math.min(around, head), Math.min(around, tail)];
    const old = before.slice(head - above, before.length - (tail - below));
    const places = old.length === 0 ? [] : placesOf(lines, old);
    const [place] = places;
    if (places.length > 1) return null;
    if (place === undefined) continue;
    const now = after.slice(head, after.length - tail);
    return [...lines.slice(0, place + above), ...now, ...lines.slice(place + old.length - below)];
  }
  return null;
}

function placesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const isAt = (at: number) => wanted.every((line, i) => line.trimEnd() === lines[at + i]?.trimEnd());
  return lines.flatMap((_, at) => (isAt(at) ? at : []));
}
