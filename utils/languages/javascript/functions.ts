/**
 * The functions of JavaScript or TypeScript source, read lexically: cheap enough for a repository of thousands of
 * files.
 */

import { type FunctionPlace, lineOf, lineStarts } from "../places.ts";
import { scan, type Token } from "./scan.ts";

const NO_NAME =
  /^(?:if|for|while|switch|catch|with|return|function|super|constructor|await|typeof|new|throw|else|do|in|of)$/;
const WORD = /^[\p{ID_Start}$_#][\p{ID_Continue}$]*$/u;

/** In the order of their first lines. */
export function functionsIn(text: string): FunctionPlace[] {
  const { tokens } = scan(text);
  const code = (at: number) => tokens[at]?.text ?? "";
  const starts = lineStarts(text);
  const found: FunctionPlace[] = [];
  const { closing, ending, list } = ahead(tokens, code);
  /** Position of the token behind a bracket's closing one. */
  const behind = (at: number) => (closing[at] ?? tokens.length) + 1;
  const add = (name: string, from: number, body: number) => {
    if (code(body) !== "{" && code(body - 1) !== "=>") return;
    const [first, last] = [
      tokens[from],
      tokens[code(body) === "{" ? behind(body) - 1 : endOfExpression(body)] ?? tokens.at(-1),
    ];
    if (first && last) found.push({ name, start: lineOf(starts, first.start), end: lineOf(starts, last.end - 1) });
  };
  /** Behind the parameters of a type that may open at `at`. */
  const behindTypes = (at: number) => (code(at) === "<" ? (list[at] ?? tokens.length) : at);
  const endOfExpression = (at: number) => (ending[at] ?? tokens.length) - 1;
  /** Behind a list of parameters that opens at `at`, and a TypeScript return type. */
  const bodyBehind = (at: number) => {
    let next = behind(at);
    if (code(next) === ":")
      for (let most = 0; most < 40 && next < tokens.length && !/^(?:\{|=>|;)$/.test(code(next)); most++) next += 1;
    return next;
  };
  /** Where the parameters of a type begin that end before `at`, as in `<T>(x: T) => x`; else `at`. */
  const beforeTypes = (at: number) => {
    if (!code(at - 1).endsWith(">")) return at;
    let first = at - 1;
    for (let most = 0; most < 40 && first > 0 && code(first) !== "<"; most++) first -= 1;
    return code(first) === "<" ? first : at;
  };
  /** The arrow behind the parameters that open at `at`, and a TypeScript return type; null if there is none. */
  const arrowBehind = (at: number) => {
    let next = behind(at);
    if (code(next) !== ":") return code(next) === "=>" ? next : null;
    for (let most = 0; most < 40 && !/^(?:[;=)\]}]|)$/.test(code(next)); most++) {
      next = /^[([{]$/.test(code(next)) ? behind(next) : next + 1;
      if (code(next) === "=>") return next;
    }
    return null;
  };
  for (let at = 0; at < tokens.length; at++) {
    const word = code(at);
    if (tokens[at]?.kind !== "word" && word !== "(") continue;
    if (word === "function") {
      const star = code(at + 1) === "*" ? 1 : 0;
      const named = WORD.test(code(at + 1 + star)) ? code(at + 1 + star) : null;
      const parameters = behindTypes(at + 1 + star + (named ? 1 : 0));
      const name = named ?? nameBefore(code, at);
      if (name && code(parameters) === "(") add(name, at, bodyBehind(parameters));
    } else if (word === "(") {
      const arrow = arrowBehind(at);
      const from = beforeTypes(at);
      const name = arrow === null ? null : nameBefore(code, code(from - 1) === "async" ? from - 1 : from);
      if (name && arrow !== null) add(name, at, arrow + 1);
    } else if (WORD.test(word) && code(at + 1) === "=>") {
      const name = nameBefore(code, at);
      if (name) add(name, at, at + 2);
    } else if (
      WORD.test(word) &&
      (!NO_NAME.test(word) || word === "constructor") &&
      code(at + 1) === "(" &&
      code(at - 1) !== "function" &&
      code(at - 1) !== "."
    ) {
      const body = bodyBehind(at + 1);
      if (code(body) === "{" && !/^(?:new$|return$|\)$|[=!?:(&|+<-])/.test(code(at - 1))) add(word, at, body);
    }
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * For each token the position of one behind it, all found in one pass: the next bracket that closes at its depth, where
 * an expression ends in which it is, and the next `(`. The number of tokens where there is none.
 */
function ahead(tokens: readonly Token[], code: (at: number) => string) {
  const none = tokens.length;
  const closing: number[] = new Array(none);
  const ending: number[] = new Array(none);
  const list: number[] = new Array(none);
  /** By depth, the nearest that closes, and that ends an expression. */
  const closers: number[] = [];
  const enders: number[] = [];
  /** Positions with fewer and fewer open brackets, the nearest last. */
  const shallower: number[] = [];
  const depthOf = (at: number) => tokens[at]?.depth ?? 0;
  let parameters = none;
  for (let at = none - 1; at >= 0; at--) {
    const depth = depthOf(at);
    while (shallower.length > 0 && depthOf(shallower.at(-1) ?? 0) >= depth) shallower.pop();
    closing[at] = closers[depth] ?? none;
    ending[at] = Math.min(enders[depth] ?? none, shallower.at(-1) ?? none);
    const own = code(at);
    if (own === "(") parameters = at;
    list[at] = parameters;
    if (/^[)\]}]$/.test(own)) closers[depth] = at;
    if (/^[;,]$/.test(own) || isNewStatement(tokens, at, code)) enders[depth] = at;
    shallower.push(at);
  }
  return { closing, ending, list };
}

const GOES_ON = /^(?:in|of|instanceof|as|satisfies)$/;
const NEEDS_MORE = /^(?:return|typeof|case|new|delete|void|throw|do|else|yield|await|extends)$/;

/** Whether a token begins a statement on a line of its own, without a semicolon before it. */
function isNewStatement(tokens: readonly Token[], at: number, code: (at: number) => string): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (!token?.startsLine || !before || token.kind === "mark" || GOES_ON.test(code(at))) return false;
  return before.kind === "mark"
    ? /^[)\]}]$/.test(code(at - 1))
    : !NEEDS_MORE.test(code(at - 1)) && !GOES_ON.test(code(at - 1));
}

/** The name that a function's value gets: `NAME = function`, `NAME: function`, `a.NAME = function`. */
function nameBefore(code: (at: number) => string, at: number): string | null {
  const mark = code(at - 1);
  const name = code(at - 2);
  return (mark === "=" || mark === ":") && WORD.test(name) ? name : null;
}
