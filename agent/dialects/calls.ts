/** Reads calls in JSON (`{"name": …, "arguments": …}`), in Python's syntax (`name("…")`) and in elements (`<tool_call>`). */
import { dedentCode } from "../../utils/languages/python/indent.ts";
import type { Fence } from "./fences.ts";
import { jsonIn, parseArguments, parseLenient } from "./lenient_json.ts";
import { ANSWER_TOOL, sameName } from "./tool_names.ts";

/** A call as written; `name` is not yet one of the tools. */
export interface Call {
  name: string;
  input: unknown;
  /** How it was written. */
  form: "json" | "element" | "call";
  /** Offset after the call. */
  end: number;
}

/** What stands somewhere in a reply. */
export interface Content {
  text: string;
  fences: Fence[];
  /** The JSON value or the arguments of the call that stand there; undefined where there are none. */
  value?: unknown;
  /** How the value was written. */
  form: Call["form"];
  /** Of the call that stands there. */
  name?: string;
}

const NAME_KEYS = ["name", "tool", "tool_name", "action", "function", "recipient_name"];
const INPUT_KEYS = "arguments args parameters params action_input tool_input tool_args input kwargs".split(" ");
const ANSWER_KEYS = ["final_answer", "Final Answer", "finalAnswer", "answer"];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of the first of `keys` that `object` has; undefined where it has none. */
export const firstOf = (object: Record<string, unknown>, keys: readonly string[]): unknown =>
  object[keys.find((key) => Object.hasOwn(object, key)) ?? ""];

/** The call that a JSON value stands for, in any of its spellings; null where it is none. */
export function callInJson(value: unknown, tools: readonly string[]): { name: string; input: unknown } | null {
  const item: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(item)) return null;
  for (const key of ["tool_calls", "tool_call", "function_call", "action", "function"]) {
    const inner = item[key];
    if (typeof inner === "object" && inner !== null) return callInJson(inner, tools);
  }
  const name = firstOf(item, NAME_KEYS);
  if (typeof name === "string") {
    const others = Object.entries(item).filter(
      ([key]) => !NAME_KEYS.includes(key) && !/^(?:thoughts?|id|type)$/.test(key),
    );
    return { name, input: firstOf(item, INPUT_KEYS) ?? Object.fromEntries(others) };
  }
  const tool = Object.keys(item).find((key) => tools.some((known) => sameName(known, key)));
  if (tool !== undefined) return { name: tool, input: item[tool] };
  const answer = firstOf(item, ANSWER_KEYS);
  return answer === undefined ? null : { name: ANSWER_TOOL, input: answer };
}

const HEAD = /[\s`*"']*([A-Za-z_][\w\\. -]{0,60}?)[\s`*"':]*(?=[([{])/y;

/** The call in Python's syntax at `at` (`name("…")`, `name[…]`, `name {…}`); null where there is none. */
export function callInPython(text: string, at: number): Call | null {
  HEAD.lastIndex = at;
  const [head, name = ""] = HEAD.exec(text) ?? [];
  if (head === undefined) return null;
  const from = at + head.length;
  if (text.charAt(from) !== "(") {
    const read = parseLenient(text, from);
    return read && !read.cutInString ? { name, input: read.value, form: "call", end: read.end } : null;
  }
  const read = parseArguments(text, from + 1);
  if (!read || read.cutInString) return null;
  const positional = read.value.find(([key]) => key === "");
  const keyword = read.value.filter(([key]) => key !== "");
  const named = positional && keyword.length > 0 ? [["code", positional[1]], ...keyword] : keyword;
  const input = named.length > 0 ? Object.fromEntries(named) : (positional?.[1] ?? {});
  return { name, input, form: "call", end: read.end };
}

const WRAPPER =
  /<(tool_?call|function_?calls?|tool_?use|invoke|function|tool)\b[^<>\n]{0,80}>|\[TOOL_CALLS\]|<\|(?:tool_call|python_tag)\|>/iy;
const ELEMENT = /<([A-Za-z_][\w.-]{0,60})((?:=|\s)[^<>\n]{0,120})?>/y;

/** The call in an element that starts at `at`; null where there is none. */
export function callInElement(text: string, at: number, tools: readonly string[]): Call | null {
  WRAPPER.lastIndex = at;
  const [wrapper = "", tag] = WRAPPER.exec(text) ?? [];
  const from = at + wrapper.length;
  const isJson = wrapper !== "" && /^\s*[{[]/.test(text.slice(from, from + 200));
  const read = isJson ? parseLenient(text, from) : null;
  const inJson = read && !read.cutInString ? callInJson(read.value, tools) : null;
  if (read && inJson) return { ...inJson, form: "element", end: read.end };
  if (/python_tag/i.test(wrapper))
    return { name: "python", input: text.slice(from), form: "element", end: text.length };
  const element = elementAt(text, at);
  if (!element || (tag === undefined && !isOneOf(tools, element.tag))) return null;
  const quoted = /["'](?:name|tool|action)["']\s*:\s*["']([^"'\n]{1,60})["']/.exec(element.content.slice(0, 300))?.[1];
  const call = isJson && quoted ? { name: quoted, input: element.content } : callOf(element, tools);
  return { ...call, form: "element", end: element.end };
}

const isOneOf = (tools: readonly string[], name: string): boolean => tools.some((tool) => sameName(tool, name));

/** `<function=NAME>…`, `<invoke name=NAME>…`, the tool's own element, one of these inside, or the name beside the input. */
function callOf(element: Element, tools: readonly string[]): { name: string; input: unknown } {
  const named = (one: Element): string => (isOneOf(tools, one.tag) ? one.tag : one.name);
  const children = named(element) === "" ? [...elements(element.content)] : [];
  const called = children.find((child) => isOneOf(tools, child.tag) || (child.name && !/^param/i.test(child.tag)));
  const own = called ?? element;
  if (named(own) !== "") return { name: named(own), input: contentOf(own.content) };
  const found = (pattern: RegExp) => children.find(({ tag }) => pattern.test(tag));
  const name = found(/^(?:(?:tool_?)?name|tool|function)$/i);
  const input = found(/^(?:(?:tool_?)?(?:args|input)|arguments|parameters)$/i);
  const others = children.filter((child) => child !== name);
  return { name: name?.content.trim() ?? "", input: input ? contentOf(input.content) : objectOf(others) };
}

interface Element {
  tag: string;
  /** `=name` or ` name="name"`; empty where there is none. */
  name: string;
  content: string;
  end: number;
}

function elementAt(text: string, at: number): Element | null {
  ELEMENT.lastIndex = at;
  const [opening = "", tag = "", attributes = ""] = ELEMENT.exec(text) ?? [];
  if (opening === "") return null;
  const from = at + opening.length;
  const closing = new RegExp(`</${tag.replaceAll(".", "\\.")}\\s*>`, "gi");
  closing.lastIndex = from;
  let close = closing.exec(text);
  // Code may hold its own closing tag in a string, so the last one counts.
  for (let later = close; /^code$/i.test(tag) && later; later = closing.exec(text)) close = later;
  const name = /(?:^=|\bname\s*=)\s*["']?([^"'\s>]+)/.exec(attributes)?.[1] ?? "";
  const end = close ? close.index + close[0].length : text.length;
  return { tag, name, content: text.slice(from, close?.index), end };
}

function* elements(content: string): Generator<Element> {
  for (let at = content.indexOf("<"); at !== -1; at = content.indexOf("<", at)) {
    const element = elementAt(content, at);
    if (element) yield element;
    at = element ? element.end : at + 1;
  }
}

/** What an element holds: its child elements as an object, JSON, or text. */
function contentOf(content: string): unknown {
  const trimmed = content.trimStart();
  if (trimmed.startsWith("{")) return jsonIn(trimmed) ?? content;
  return /^<[A-Za-z]/.test(trimmed) ? objectOf([...elements(content)]) : leafOf(content);
}

const objectOf = (children: readonly Element[]): unknown =>
  Object.fromEntries(children.map(({ name, tag, content }) => [name || tag.toLowerCase(), leafOf(content)]));

/** The text of an element: without the line breaks next to the tags, CDATA marks, and the indentation of the XML. */
function leafOf(content: string): string {
  const bare = content.replace(/^\s*<!\[CDATA\[/, "").replace(/\]\]>\s*$/, "");
  const lines = bare.replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "");
  return bare === lines || !/^[ \t]/.test(lines) ? lines : dedentCode(lines);
}
