/** Moves Python source left or right without touching the inside of strings. */
import { scan } from "./scan.ts";

/** Applies `change` to every physical line that is layout: not blank, not inside a string. */
function mapLines(code: string, change: (line: string, offset: number) => string): string {
  const { insideString } = scan(code);
  let offset = 0;
  return code
    .split("\n")
    .map((line) => {
      const at = offset;
      offset += line.length + 1;
      return insideString.has(at) || line.trim() === "" ? line : change(line, at);
    })
    .join("\n");
}

/** Puts `prefix` before every line of `code` but blank ones and those that start inside a string. */
export const indentCode = (code: string, prefix: string): string => mapLines(code, (line) => prefix + line);

/** The longest white space that every statement of `code` starts with. */
function commonIndent(code: string): string {
  const indents = scan(code).lines.map((line) => line.indent);
  let common = indents[0] ?? "";
  for (const indent of indents) while (!indent.startsWith(common)) common = common.slice(0, -1);
  return common;
}

/** Removes `prefix` from the start of every line; a comment with less white space loses what it has of it. */
export function dedentCode(code: string, prefix: string = commonIndent(code)): string {
  if (prefix === "") return code;
  return mapLines(code, (line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line.trimStart()));
}

/**
 * True where the indentation is impossible: deeper with no block opened, or back to a level that was never open. Lines
 * inside brackets do not count.
 */
function isMisindented(code: string): boolean {
  const levels: string[] = [];
  let opened = true;
  for (const { indent, opensBlock } of scan(code).lines) {
    const top = levels.at(-1);
    if (top === undefined || (indent.length > top.length && opened)) levels.push(indent);
    else {
      while ((levels.at(-1)?.length ?? 0) > indent.length) levels.pop();
      if (levels.at(-1) !== indent) return true;
    }
    opened = opensBlock;
  }
  return false;
}

/**
 * Gives the first lines back the indentation they lost where the rest kept its own (`x = 0\n    for ...`), which is
 * what trimming an indented body does. Code whose indentation is possible comes back as it is.
 */
export function restoreFirstIndent(code: string): string {
  const { lines } = scan(code);
  const firstIndented = lines.findIndex((line) => line.indent !== "");
  if (firstIndented < 1 || !isMisindented(code)) return code;
  const rest = lines.slice(firstIndented);
  if (rest.some((line) => line.indent === "")) return code;
  const start = rest[0]?.start ?? 0;
  const shallowest = rest.reduce(
    (least, { indent }) => (indent.length < least.length ? indent : least),
    rest[0]?.indent ?? "",
  );
  return indentCode(code.slice(0, start), shallowest) + code.slice(start);
}
