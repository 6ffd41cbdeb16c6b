/** Cuts Python source into its top-level statements and says what each one is and which names it binds. */
import { type LogicalLine, mentions, scan, words } from "./scan.ts";

type BlockKind = "future" | "import" | "function" | "class" | "assign" | "main" | "other";

/** One top-level statement: a function with its decorators, an import, an `if` with its `else`. */
export interface Block {
  kind: BlockKind;
  /** What a function, a class or a plain assignment (`NAME = …`) is called; empty otherwise. */
  name: string;
  /** Blank lines and comments before the statement. */
  lead: string;
  text: string;
  /** Offset of `text` in the source. */
  start: number;
}

const NAME = "[\\p{L}_][\\p{L}\\p{N}_]*";
const DEFINITION = new RegExp(`^(?:async\\s+)?(def|class)\\s+(${NAME})`, "u");
const DEFINING_LINE = /^(?:async|def|class)\s/m;
const ASSIGNMENT = new RegExp(`^(${NAME})\\s*(?:=(?!=)|:(?!=))`, "u");
const CLAUSE = /^(?:else|elif|except|finally)\b/;
const MAIN = /^if[\s(]+(?:__name__\s*==\s*(["'])__main__\1|(["'])__main__\2\s*==\s*__name__)/;
const MAIN_BLOCK = { kind: "main", name: "" } as const;
const NOT_A_NAME = new Set(["else", "try", "finally", "lambda"]);

/** The blocks of `code` in order; their leads and texts, joined, are the source up to `tail`. */
export function topLevelBlocks(code: string): { blocks: Block[]; tail: string } {
  const groups: LogicalLine[][] = [];
  let decorated = false;
  for (const line of scan(code).lines) {
    const text = code.slice(line.start, line.end);
    const group = groups.at(-1);
    if (group && (line.indent !== "" || decorated || CLAUSE.test(text))) group.push(line);
    else groups.push([line]);
    if (line.indent === "") decorated = text.startsWith("@");
  }
  const blocks: Block[] = [];
  let end = 0;
  for (const group of groups) {
    const start = group[0]?.start ?? end;
    const lead = code.slice(end, start);
    end = group.at(-1)?.end ?? end;
    const text = code.slice(start, end);
    blocks.push({ ...(MAIN.test(text) ? MAIN_BLOCK : classify(headOf(code, group))), lead, text, start });
  }
  return { blocks, tail: code.slice(end) };
}

/** The statement that names the block: the first line that is not a decorator. */
function headOf(code: string, group: LogicalLine[]): string {
  const head = group.find((line) => line.indent === "" && code.charAt(line.start) !== "@") ?? group[0];
  return head ? code.slice(head.start, head.end) : "";
}

function classify(head: string): { kind: BlockKind; name: string } {
  const definition = DEFINITION.exec(head);
  if (definition) return { kind: definition[1] === "class" ? "class" : "function", name: definition[2] ?? "" };
  if (/^from\s+__future__\b/.test(head)) return { kind: "future", name: "" };
  if (/^(?:import|from)\s/.test(head)) return { kind: "import", name: "" };
  const name = ASSIGNMENT.exec(head)?.[1] ?? "";
  return name === "" || NOT_A_NAME.has(name) ? { kind: "other", name: "" } : { kind: "assign", name };
}

/** True for a `def` or a `class`. */
export const isDefinition = (block: Block): boolean => block.kind === "function" || block.kind === "class";

/** True where `code` has a `def` or a `class` at its top level: the same as a block that `isDefinition`. */
export const definesAtTopLevel = (code: string): boolean =>
  DEFINING_LINE.test(code) &&
  scan(code).lines.some(({ start, end, indent }) => indent === "" && DEFINITION.test(code.slice(start, end)));

/**
 * What an import statement binds, one text a name, so that two imports can be compared:
 * `from a import b as c, d` gives `a.b=c` and `a.d=d`; `import a.b` gives `a.b`.
 */
export function importedNames(statement: string): string[] {
  const flat = statement
    .replace(/#.*$/gm, "")
    .replace(/[()\\\n]/g, " ")
    .trim();
  const from = /^from\s+(\S+)\s+import\s+(.*)$/.exec(flat);
  const list = from?.[2] ?? flat.replace(/^import\s+/, "");
  return list
    .split(",")
    .map((item) => item.trim().split(/\s+as\s+/))
    .filter(([name]) => name !== "")
    .map(([name = "", alias]) => (from ? `${from[1]}.${name}=${alias ?? name}` : `${name}${alias ? `=${alias}` : ""}`));
}

const LEAVING = /\b(?:return|yield)\b/;

/** True where `code` returns or yields outside every function and class: it is a function's body, not a program. */
export function returnsAtTopLevel(code: string): boolean {
  if (!LEAVING.test(code)) return false;
  let inside = -1;
  for (const line of scan(code).lines) {
    if (inside >= 0 && line.indent.length > inside) continue;
    inside = -1;
    const text = code.slice(line.start + line.indent.length, line.end);
    if (DEFINITION.test(text)) inside = line.indent.length;
    else if (LEAVING.test(text) && words(text).some((word) => word === "return" || word === "yield")) return true;
  }
  return false;
}

const TEST_CALLS = ["print", "assert", "check", "input", "breakpoint", "exit", "quit", "argv"];
const LIBRARY_SETTING = /^sys\s*\.\s*setrecursionlimit\b/;

/**
 * Leaves out what an answer has after its function to try it: asserts, calls, loops over cases, an own `__main__`, and
 * what only these use. Kept: definitions, imports, assignments that a definition reads (a cache, a table) or that set
 * the function itself (`f.memo = {}`), raising the recursion limit, and whatever the file has too.
 */
export function withoutTestCode(blocks: Block[], entryPoint: string, inFile: Set<string>): Block[] {
  const definitions = blocks.filter(isDefinition);
  const from = blocks.findIndex((block) => block.name === entryPoint);
  const dropped: string[] = [];
  return blocks.filter((block, at) => {
    if (inFile.has(block.text.trim())) return true;
    if (block.kind === "main") return false;
    if (isDefinition(block) || block.kind === "import" || block.kind === "future") return true;
    if (at <= from) return block.name === entryPoint || !mentions(block.text, entryPoint);
    const needed =
      block.kind === "assign" &&
      (block.name === entryPoint || definitions.some(({ text }) => mentions(text, block.name)));
    if (needed || LIBRARY_SETTING.test(block.text)) return true;
    const mentionsAny = (names: string[]): boolean => names.some((name) => mentions(block.text, name));
    if (block.kind === "assign") {
      if (!mentionsAny([entryPoint, ...TEST_CALLS, ...dropped])) return true;
      dropped.push(block.name);
      return false;
    }
    if (setsAttribute(block, definitions)) return true;
    return opensBlock(block) && !mentionsAny([entryPoint, ...TEST_CALLS, ...dropped]);
  });
}

const opensBlock = (block: Block): boolean => scan(block.text).lines[0]?.opensBlock === true;

/** `f.memo = {}`, where `f` is a function or class of the answer. */
const setsAttribute = (block: Block, definitions: Block[]): boolean =>
  definitions.some(({ name }) => block.text.startsWith(`${name}.`) && /^[\p{L}\p{N}_.]+\s*=(?!=)/u.test(block.text));
