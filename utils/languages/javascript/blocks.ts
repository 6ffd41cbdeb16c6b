/** The top-level statements of JavaScript source and the names they bind. */

import { scan, type Token } from "./scan.ts";

/** One top-level statement, with the comments before it as `lead`. */
export interface Block {
  kind: "function" | "class" | "value" | "import" | "export" | "other";
  names: string[];
  lead: string;
  text: string;
  start: number;
}

const NAME = "[\\p{ID_Start}$_][\\p{ID_Continue}$]*";
const PREFIX = "^(?:export\\s+(?:default\\s+)?)?";
const FUNCTION = new RegExp(`${PREFIX}(?:async\\s+)?function\\s*\\*?\\s*(${NAME})`, "u");
const CLASS = new RegExp(`${PREFIX}(?:abstract\\s+)?class\\s+(${NAME})`, "u");
const VARIABLE = new RegExp(
  `${PREFIX}(?:const|let|var)\\s+(?:(${NAME})(?:\\s*:[^\\n]*?)?|[{[]([^=]*?)[}\\]])\\s*(?:=|;|$)`,
  "u",
);
/** TypeScript's own declarations. */
const TYPE = new RegExp(
  `^(?:export\\s+)?(?:declare\\s+)?(?:const\\s+)?(?:interface|type|enum|namespace)\\s+(${NAME})`,
  "u",
);
/** `exports.NAME = function …`. */
const ASSIGNED = new RegExp(`^(?:module\\.)?exports\\.(${NAME})\\s*(?==)`, "u");

/** Marks after which a statement goes on in the next line, and words that always need more. */
const ENDS_STATEMENT = /^(?:[;)\]}]|\+\+|--)$/;
const NEEDS_MORE =
  /^(?:const|let|var|function|async|class|extends|new|typeof|export|default|in|of|instanceof|else|do|try)$/;
const GOES_ON = /^(?:[.,)\]}?:=*/%&|^<>+-].*|else|catch|finally|instanceof|in)$/;

/** The blocks of `code` in order; their leads and texts, joined, are the source up to `tail`. */
export function topLevelBlocks(code: string): { blocks: Block[]; tail: string } {
  const { tokens } = scan(code);
  const groups: Token[][] = [];
  tokens.forEach((token, i) => {
    const group = groups.at(-1);
    if (!group || beginsStatement(token, tokens[i - 1])) groups.push([token]);
    else group.push(token);
  });
  const blocks: Block[] = [];
  let end = 0;
  for (const group of groups) {
    const start = group[0]?.start ?? end;
    const stop = withLineEnd(code, group.at(-1)?.end ?? start);
    const signature = isSignature(blocks.at(-1)) ? blocks.pop() : undefined;
    const first = signature?.start ?? start;
    const content = code.slice(first, stop);
    const words = group.filter(({ depth }) => depth === (group[0]?.depth ?? 0)).map(({ text }) => text);
    const lead = signature?.lead ?? code.slice(end, start);
    blocks.push({ ...classify(content, words), lead, text: content, start: first });
    end = stop;
  }
  return { blocks, tail: code.slice(end) };
}

/** A function without a body: TypeScript's signatures belong to the definition that follows them. */
const isSignature = (block: Block | undefined): boolean =>
  block !== undefined && FUNCTION.test(block.text) && !endsWithBody(block.text);

const endsWithBody = (text: string): boolean => scan(text).tokens.at(-1)?.text === "}";

/** Behind the line's end where nothing but a comment follows, else `at`. */
function withLineEnd(code: string, at: number): number {
  const rest = /[^\S\n]*(?:\/\/[^\n]*)?(?:\n|(?![\s\S]))/y;
  rest.lastIndex = at;
  return rest.test(code) ? rest.lastIndex : at;
}

function beginsStatement(token: Token, before: Token | undefined): boolean {
  if (token.depth > 0 || !before || token.text === ";") return false;
  const [own, last] = [token.text, before.text];
  if (last === ";" && before.depth === 0) return true;
  if (!token.startsLine || NEEDS_MORE.test(last) || GOES_ON.test(own)) return false;
  if (before.kind === "mark" && !ENDS_STATEMENT.test(last)) return false;
  return !/^[([`]/.test(own) || last === "}";
}

/** @param words the tokens that stand in no bracket */
function classify(text: string, words: readonly string[]): Pick<Block, "kind" | "names"> {
  const [, named = ""] = FUNCTION.exec(text) ?? [];
  if (named) return { kind: "function", names: [named] };
  const [, type = ""] = CLASS.exec(text) ?? [];
  if (type) return { kind: "class", names: [type] };
  const variable = VARIABLE.exec(text);
  if (variable) {
    const names = variable[1] ? [variable[1]] : destructured(variable[2] ?? "");
    if (/=\s*require\s*\(/.test(text)) return { kind: "import", names };
    return { kind: variable[1] && givesFunction(words) ? "function" : "value", names };
  }
  if (/^import\b(?!\s*\()/.test(text)) return { kind: "import", names: imported(text) };
  const [, described = ""] = TYPE.exec(text) ?? [];
  if (described) return { kind: "value", names: [described] };
  const [, assigned = ""] = ASSIGNED.exec(text) ?? [];
  if (assigned && givesFunction(words)) return { kind: "function", names: [assigned] };
  if (/^(?:module\.exports|exports\.|export\b)/.test(text)) return { kind: "export", names: [] };
  return { kind: "other", names: [] };
}

/** Whether the first value of a declaration or an assignment is a function. */
function givesFunction(words: readonly string[]): boolean {
  const equals = words.indexOf("=");
  if (equals === -1) return false;
  const from = equals + (words[equals + 1] === "async" && words[equals + 2] !== "=>" ? 2 : 1);
  const [first = "", second] = words.slice(from, from + 2);
  if (first === "function" || second === "=>") return true;
  return /^[(<]/.test(first) && words.indexOf("=>", from) !== -1;
}

/** The names that an `import` statement binds. */
function imported(text: string): string[] {
  const [head = ""] = text.split(/["'`]/, 1);
  const clause = head.slice(0, Math.max(0, head.lastIndexOf("from"))).replace(/^import\s+(?:type\s+)?/, "");
  const [, before = "", list = ""] = /^([^{]*)(?:\{([^}]*)\})?/.exec(clause) ?? [];
  const alone = before.replace(/\*\s*as\s+/, "").split(",");
  return [...alone, ...list.split(",")].flatMap((item) => /(?<![\w$])[\w$]+$/.exec(item.trim())?.[0] ?? []);
}

const destructured = (list: string): string[] =>
  list.split(",").flatMap((item) => /(?<![\w$])[\w$]+$/.exec(item.replace(/=.*/, "").trim())?.[0] ?? []);

/** True where `code` returns outside every bracket: it is a function's body, not a program. */
export const returnsAtTopLevel = (code: string): boolean =>
  scan(code).tokens.some(({ kind, text, depth }) => kind === "word" && depth === 0 && text === "return");

export const isDefinition = ({ kind }: Block): boolean => kind === "function" || kind === "class";

/** Length of a definition up to and with the bracket or arrow that its body follows, a line end included. */
export function headerLength(definition: string): number {
  const { tokens } = scan(definition);
  const opening = tokens.find(({ text, depth }) => depth === 0 && text === "{");
  const arrow = tokens.find(({ text, depth }) => depth === 0 && text === "=>");
  const isExpression = arrow !== undefined && !/^\s*\{/.test(definition.slice(arrow.end));
  const end = (isExpression ? arrow : opening)?.end ?? 0;
  return withLineEnd(definition, end);
}
