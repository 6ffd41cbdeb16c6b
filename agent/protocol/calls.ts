/** Reads calls that are not in the labelled format: XML elements, JSON with the tool's name in it, `name(…)`. */
import { commonIndent, dedentCode } from "../../utils/languages/python/indent.ts";
import { parseArguments, parseLenient } from "./lenient-json.ts";
import { ANSWER_TOOL, sameName } from "./tool-names.ts";

/** A call as written; `name` is not yet one of the tools. */
export interface Call {
  name: string;
  input: unknown;
  /** Offset after the call. */
  end: number;
  /** False where the text ended inside the call. */
  closed: boolean;
}

const NAME_KEYS = ["name", "tool", "tool_name", "action", "function", "recipient_name"];
const INPUT_KEYS = [
  "arguments",
  "args",
  "parameters",
  "params",
  "action_input",
  "tool_input",
  "tool_args",
  "input",
  "kwargs",
];
const ANSWER_KEYS = ["final_answer", "Final Answer", "finalAnswer", "answer"];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of the first of `keys` that `object` has; undefined where it has none. */
export const firstOf = (object: Record<string, unknown>, keys: readonly string[]): unknown =>
  object[keys.find((key) => Object.hasOwn(object, key)) ?? ""];

/** The call that a JSON value stands for: `{"name": …, "arguments": …}` in any of its spellings; null where it is none. */
export function callInJson(value: unknown, tools: readonly string[]): { name: string; input: unknown } | null {
  const item: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(item)) return null;
  for (const key of ["tool_calls", "tool_call", "function_call", "action", "function"]) {
    const inner = item[key];
    if (typeof inner === "object" && inner !== null) return callInJson(inner, tools);
  }
  const name = firstOf(item, NAME_KEYS);
  if (typeof name === "string") {
    const given = firstOf(item, INPUT_KEYS);
    const rest = Object.entries(item).filter(
      ([key]) => !NAME_KEYS.includes(key) && !/^(?:thoughts?|id|type)$/.test(key),
    );
    return { name, input: given === undefined ? Object.fromEntries(rest) : given };
  }
  const tool = Object.keys(item).find((key) => tools.some((known) => sameName(known, key)));
  if (tool !== undefined) return { name: tool, input: item[tool] };
  const answer = firstOf(item, ANSWER_KEYS);
  return answer === undefined ? null : { name: ANSWER_TOOL, input: answer };
}

/** The call in Python's syntax at `at` (`code_interpreter("…")`, `name[…]`, `name {…}`); null where there is none. */
export function callInPython(text: string, at: number): Call | null {
  const head = /[\s`*"']*([A-Za-z_][\w\\. -]{0,60}?)[\s`*"':]*(?=[([{])/y;
  head.lastIndex = at;
  const found = head.exec(text);
  if (!found) return null;
  const from = at + found[0].length;
  const name = found[1] ?? "";
  if (text.charAt(from) !== "(") {
    const read = parseLenient(text, from);
    return read && !read.cutInString ? { name, input: read.value, end: read.end, closed: read.closed } : null;
  }
  const read = parseArguments(text, from + 1);
  if (!read || read.cutInString) return null;
  const { positional, keyword } = read.value;
  const input =
    Object.keys(keyword).length > 0
      ? { ...(positional.length > 0 ? { code: positional[0] } : {}), ...keyword }
      : positional[0];
  return { name, input: input ?? {}, end: read.end, closed: read.closed };
}

const WRAPPER =
  /<(tool_?call|function_?calls?|tool_?use|invoke|function|tool)\b[^<>\n]{0,80}>|\[TOOL_CALLS\]|<\|(?:tool_call|python_tag)\|>/iy;
const ELEMENT = /<([A-Za-z_][\w.-]{0,60})((?:=|\s)[^<>\n]{0,120})?>/y;

/** The XML-style call that starts at `at`; null where there is none. */
export function callInXml(text: string, at: number, tools: readonly string[]): Call | null {
  WRAPPER.lastIndex = at;
  const wrapper = WRAPPER.exec(text);
  if (wrapper) return wrappedCall(text, at, wrapper, tools);
  const element = elementAt(text, at, text.length);
  if (!element || !tools.some((tool) => sameName(tool, element.tag))) return null;
  return { name: element.tag, input: contentOf(element.content), end: element.end, closed: element.closed };
}

function wrappedCall(text: string, at: number, wrapper: RegExpExecArray, tools: readonly string[]): Call | null {
  const from = at + wrapper[0].length;
  const tag = wrapper[1];
  const ahead = text.slice(from, from + 200).trimStart();
  if (/^[{[]/.test(ahead)) {
    const read = parseLenient(text, from);
    const call = read && !read.cutInString ? callInJson(read.value, tools) : null;
    if (read && call) return { ...call, end: read.end, closed: read.closed };
  }
  if (tag === undefined) {
    const code = /python_tag/i.test(wrapper[0]) ? text.slice(from) : null;
    return code === null ? null : { name: "python", input: code, end: text.length, closed: true };
  }
  const element = elementAt(text, at, text.length);
  if (!element) return null;
  const name = attributeName(element.attributes);
  const { content, end, closed } = element;
  const quoted = /["'](?:name|tool|action)["']\s*:\s*["']([^"'\n]{1,60})["']/.exec(content.slice(0, 300))?.[1];
  if (quoted !== undefined && ahead.startsWith("{")) return { name: quoted, input: content, end, closed };
  if (name !== "") return { name, input: contentOf(content), end, closed };
  return { ...callInElement(content, tools), end, closed };
}

/** `<TOOL_NAME>…</TOOL_NAME><TOOL_ARGS>…</TOOL_ARGS>`, `<function=…>`, `<invoke name=…>` or the tool's own element. */
function callInElement(content: string, tools: readonly string[]): { name: string; input: unknown } {
  let name = "";
  let input: unknown = {};
  for (const element of elements(content)) {
    const attribute = attributeName(element.attributes);
    if (/^(?:function|invoke|tool)$/i.test(element.tag) && attribute !== "")
      return { name: attribute, input: contentOf(element.content) };
    if (/^(?:tool_?name|name|tool|function)$/i.test(element.tag)) name = element.content.trim();
    else if (/^(?:tool_?args|arguments|args|parameters|input|tool_?input)$/i.test(element.tag))
      input = contentOf(element.content);
    else if (tools.some((tool) => sameName(tool, element.tag)))
      return { name: element.tag, input: contentOf(element.content) };
    else if (isObject(input)) input = { ...input, [element.tag]: leafOf(element.content) };
  }
  return { name, input };
}

interface Element {
  tag: string;
  attributes: string;
  content: string;
  end: number;
  closed: boolean;
}

/** `=name` or ` name="name"`. */
const attributeName = (attributes: string): string =>
  /(?:^=|\bname\s*=)\s*["']?([^"'\s>]+)/.exec(attributes)?.[1] ?? "";

function elementAt(text: string, at: number, limit: number): Element | null {
  ELEMENT.lastIndex = at;
  const open = ELEMENT.exec(text);
  const tag = open?.[1];
  if (!open || tag === undefined) return null;
  const from = at + open[0].length;
  const closing = new RegExp(`</${tag.replaceAll(".", "\\.")}\\s*>`, "gi");
  closing.lastIndex = from;
  let close = closing.exec(text);
  // Code may hold its own closing tag in a string, so the last one before the end of the enclosing element counts.
  for (let later = close; /^code$/i.test(tag) && later && later.index < limit; later = closing.exec(text))
    close = later;
  const closed = close !== null && close.index < limit;
  const to = closed && close ? close.index : limit;
  const end = closed && close ? to + close[0].length : limit;
  return { tag, attributes: open[2] ?? "", content: text.slice(from, to), end, closed };
}

function* elements(content: string): Generator<Element> {
  for (let at = content.indexOf("<"); at !== -1; at = content.indexOf("<", at)) {
    const element = elementAt(content, at, content.length);
    if (element) yield element;
    at = element ? element.end : at + 1;
  }
}

/** What an element holds: its child elements as an object, JSON, or text. */
function contentOf(content: string): unknown {
  const trimmed = content.trimStart();
  if (trimmed.startsWith("{")) return parseLenient(trimmed, 0)?.value ?? content;
  if (!/^<[A-Za-z]/.test(trimmed)) return leafOf(content);
  const entries = [...elements(content)].map((element): [string, unknown] => [
    attributeName(element.attributes) || element.tag.toLowerCase(),
    leafOf(element.content),
  ]);
  return Object.fromEntries(entries);
}

/** The text of an element: without the line breaks next to the tags, CDATA marks, and the indentation of the XML. */
function leafOf(content: string): string {
  const bare = content.replace(/^\s*<!\[CDATA\[/, "").replace(/\]\]>\s*$/, "");
  const lines = bare.replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "");
  return bare === lines || !/^[ \t]/.test(lines) ? lines : dedentCode(lines, commonIndent(lines));
}
