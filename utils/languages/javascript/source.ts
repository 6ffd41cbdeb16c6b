/** Reads JavaScript lexically: where its top-level statements are and which names they bind, without judging its grammar. */

interface Token {
  kind: "word" | "text" | "mark";
  start: number;
  end: number;
  /** Open brackets around it; an opening and its closing bracket have the same. */
  depth: number;
  /** True where it is the first of its line. */
  startsLine: boolean;
}

export interface JavaScriptScan {
  tokens: Token[];
  /** Brackets that are still open at the end. */
  depth: number;
  /** False where a bracket or a quote is somewhere it can never be. */
  sound: boolean;
}

const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*/uy;
const MARK = /=>|[-+*/%&|^<>=!?.]+|[\s\S]/y;
const BEFORE_OPERAND = /^(?:return|typeof|case|in|of|new|delete|void|throw|do|else|yield|await|instanceof)$/;

/** Linear in the length of `code`; total. */
export function scanJavaScript(code: string): JavaScriptScan {
  const scan: JavaScriptScan = { tokens: [], depth: 0, sound: true };
  /** Depths at which a `}` goes on with a template. */
  const templates: number[] = [];
  let startsLine = true;
  const add = (kind: Token["kind"], start: number, end: number, depth = scan.depth) => {
    scan.tokens.push({ kind, start, end, depth, startsLine });
    startsLine = false;
    return end;
  };
  for (let at = 0; at < code.length; ) {
    const char = code.charAt(at);
    if (char === "\n") {
      startsLine = true;
      at += 1;
    } else if (/\s/.test(char)) at += 1;
    else if (code.startsWith("//", at)) at = endOfLine(code, at);
    else if (code.startsWith("/*", at)) at = endAfter(code, "*/", at + 2, scan);
    else if (char === '"' || char === "'") at = add("text", at, endOfString(code, at, scan));
    else if (char === "`" || (char === "}" && templates.at(-1) === scan.depth)) {
      if (char === "}") {
        templates.pop();
        scan.depth -= 1;
      }
      const { end, opens } = endOfTemplate(code, at + 1, scan);
      add("text", at, end);
      if (opens) templates.push(++scan.depth);
      at = end;
    } else if (char === "/" && startsOperand(code, scan.tokens.at(-1)))
      at = add("text", at, endOfRegExp(code, at, scan));
    else if (isWordStart(code, at)) at = add("word", at, at + match(WORD, code, at).length);
    else if ("([{".includes(char)) {
      at = add("mark", at, at + 1);
      scan.depth += 1;
    } else if (")]}".includes(char)) {
      if (scan.depth === 0) scan.sound = false;
      else scan.depth -= 1;
      at = add("mark", at, at + 1);
    } else at = add("mark", at, at + match(MARK, code, at).length);
  }
  return scan;
}

function match(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? code.charAt(at);
}

function isWordStart(code: string, at: number): boolean {
  WORD.lastIndex = at;
  return WORD.test(code);
}

const endOfLine = (code: string, at: number): number => (code.indexOf("\n", at) + 1 || code.length + 1) - 1;

function endAfter(code: string, mark: string, from: number, scan: JavaScriptScan): number {
  const at = code.indexOf(mark, from);
  if (at === -1) scan.sound = false;
  return at === -1 ? code.length : at + mark.length;
}

function endOfString(code: string, start: number, scan: JavaScriptScan): number {
  for (let at = start + 1; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === code.charAt(start)) return at + 1;
    if (char === "\\") at += 1;
    if (char === "\n") break;
  }
  scan.sound = false;
  return endOfLine(code, start);
}

function endOfTemplate(code: string, from: number, scan: JavaScriptScan): { end: number; opens: boolean } {
  for (let at = from; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === "`") return { end: at + 1, opens: false };
    if (char === "\\") at += 1;
    else if (code.startsWith("${", at)) return { end: at + 2, opens: true };
  }
  scan.sound = false;
  return { end: code.length, opens: false };
}

/** Whether a slash after `before` starts a regular expression and is no division. */
function startsOperand(code: string, before: Token | undefined): boolean {
  if (!before) return true;
  const text = code.slice(before.start, before.end);
  if (before.kind === "word") return BEFORE_OPERAND.test(text);
  return before.kind === "mark" && ![")", "]", "}", "++", "--"].includes(text);
}

function endOfRegExp(code: string, start: number, scan: JavaScriptScan): number {
  let inClass = false;
  for (let at = start + 1; at < code.length && code.charAt(at) !== "\n"; at++) {
    const char = code.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return at + 1;
  }
  scan.sound = false;
  return start + 1;
}

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
const FUNCTION_VALUE = new RegExp(
  `=\\s*(?:async\\s*)?(?:function\\b|(?:<[^]*?>\\s*)?\\([^]*?\\)\\s*(?::[^;]*?)?=>|${NAME}\\s*=>)`,
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
  const { tokens } = scanJavaScript(code);
  const text = (token: Token | undefined) => (token ? code.slice(token.start, token.end) : "");
  const groups: Token[][] = [];
  tokens.forEach((token, i) => {
    const group = groups.at(-1);
    if (!group || beginsStatement(token, text(token), tokens[i - 1], text(tokens[i - 1]))) groups.push([token]);
    else group.push(token);
  });
  const blocks: Block[] = [];
  let end = 0;
  for (const group of groups) {
    const start = group[0]?.start ?? end;
    const stop = withLineEnd(code, group.at(-1)?.end ?? start);
    const content = code.slice(start, stop);
    blocks.push({ ...classify(content), lead: code.slice(end, start), text: content, start });
    end = stop;
  }
  return { blocks, tail: code.slice(end) };
}

/** The end of the line where nothing but a comment follows, else `at`. */
function withLineEnd(code: string, at: number): number {
  const rest = code.slice(at, endOfLine(code, at));
  return /^\s*(?:\/\/.*)?$/.test(rest) ? Math.min(code.length, endOfLine(code, at) + 1) : at;
}

function beginsStatement(token: Token, own: string, before: Token | undefined, last: string): boolean {
  if (token.depth > 0 || !before || own === ";") return false;
  if (last === ";" && before.depth === 0) return true;
  if (!token.startsLine || NEEDS_MORE.test(last) || GOES_ON.test(own)) return false;
  if (before.kind === "mark" && !ENDS_STATEMENT.test(last)) return false;
  return !/^[([`]/.test(own) || last === "}";
}

function classify(text: string): Pick<Block, "kind" | "names"> {
  const [, named = ""] = FUNCTION.exec(text) ?? [];
  if (named) return { kind: "function", names: [named] };
  const [, type = ""] = CLASS.exec(text) ?? [];
  if (type) return { kind: "class", names: [type] };
  const variable = VARIABLE.exec(text);
  if (variable) {
    const names = variable[1] ? [variable[1]] : destructured(variable[2] ?? "");
    if (/=\s*require\s*\(/.test(text)) return { kind: "import", names };
    return { kind: FUNCTION_VALUE.test(text) && variable[1] ? "function" : "value", names };
  }
  if (/^import\b(?!\s*\()/.test(text)) return { kind: "import", names: imported(text) };
  const [, described = ""] = TYPE.exec(text) ?? [];
  if (described) return { kind: "value", names: [described] };
  const [assignment = "", assigned = ""] = ASSIGNED.exec(text) ?? [];
  if (assigned && FUNCTION_VALUE.exec(text)?.index === assignment.length)
    return { kind: "function", names: [assigned] };
  if (/^(?:module\.exports|exports\.|export\b)/.test(text)) return { kind: "export", names: [] };
  return { kind: "other", names: [] };
}

/** What an `import` statement binds. */
function imported(text: string): string[] {
  const clause = /^import\s+(?:type\s+)?([^"'`]*?)\s*from\b/.exec(text)?.[1] ?? "";
  const [, before = "", list = ""] = /^([^{]*)(?:\{([^}]*)\})?/.exec(clause) ?? [];
  const alone = before.replace(/\*\s*as\s+/, "").split(",");
  return [...alone, ...list.split(",")].flatMap((item) => /([\w$]+)\s*$/.exec(item.trim())?.[1] ?? []);
}

const destructured = (list: string): string[] =>
  list.split(",").flatMap((item) => /([\w$]+)\s*$/.exec(item.replace(/=.*/, ""))?.[1] ?? []);

/** True where `code` uses `name` outside strings and comments. */
export const mentions = (code: string, name: string): boolean =>
  code.includes(name) &&
  scanJavaScript(code).tokens.some(({ kind, start, end }) => kind === "word" && code.slice(start, end) === name);

/** True where `code` returns outside every bracket: it is a function's body, not a program. */
export const returnsAtTopLevel = (code: string): boolean =>
  scanJavaScript(code).tokens.some(
    ({ kind, start, end, depth }) => kind === "word" && depth === 0 && code.slice(start, end) === "return",
  );

export const isDefinition = ({ kind }: Block): boolean => kind === "function" || kind === "class";

/** Length of a definition up to and with the bracket or arrow that its body follows, a line end included. */
export function headerLength(definition: string): number {
  const { tokens } = scanJavaScript(definition);
  const opening = tokens.find(({ start, end, depth }) => depth === 0 && definition.slice(start, end) === "{");
  const arrow = tokens.find(({ start, end, depth }) => depth === 0 && definition.slice(start, end) === "=>");
  const isExpression = arrow !== undefined && !/^\s*\{/.test(definition.slice(arrow.end));
  const end = (isExpression ? arrow : opening)?.end ?? 0;
  return withLineEnd(definition, end);
}
