/** Reads calls in JSON (`{"name": …, "arguments": …}`), in Python's syntax (`name("…")`) and in elements (`<tool_call>`). */
import { dedentCode } from "../../utils/languages/python/indent.ts";
import { jsonIn, parseLenient } from "./lenient_json.ts";
import { ANSWER_TOOL, isOneOf, toolNamed } from "./tool_names.ts";

/** A call as written; `name` is not yet one of the tools, and empty for JSON that is no call. */
export interface Call {
  name: string;
  input: unknown;
  /** How it was written. */
  form: "json" | "element" | "call";
  /** Offset after the call. */
  end: number;
}

type Named = Pick<Call, "name" | "input">;
type Tools = readonly string[];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of the first of `keys` that `object` has; undefined where it has none. */
export const firstOf = (object: Record<string, unknown>, keys: readonly string[]): unknown =>
  object[keys.find((key) => Object.hasOwn(object, key)) ?? ""];

/** The JSON, the element or the call of a known tool that is whole and starts at `at`; null where there is none. */
export function callAt(text: string, at: number, tools: Tools): Call | null {
  if (text.startsWith("<", at) || text.startsWith("[TOOL", at)) return callInElement(text, at, tools);
  if (!/[{[]/.test(text.charAt(at))) return callInPython(text, at, tools);
  const read = parseLenient(text, at);
  if (!read || read.cutInString) return null;
  return { name: "", input: read.value, ...callInJson(read.value, tools), form: "json", end: read.end };
}

const CALL_KEYS = ["tool_calls", "tool_call", "function_call", "action", "function"];
const NAME_KEYS = ["name", "tool", "tool_name", "action", "function", "recipient_name"];
const INPUT_KEYS = "arguments args parameters params action_input tool_input tool_args input kwargs".split(" ");
const ANSWER_KEYS = ["final_answer", "Final Answer", "finalAnswer", "answer"];
/** Keys beside a call's input that are no part of it. */
export const BESIDE = ["thought", "thoughts", "id", "type", ...NAME_KEYS];

/** The call that a JSON value stands for, in any of its spellings; null where it is none. */
export function callInJson(value: unknown, tools: Tools, depth = 0): Named | null {
  const item: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(item) || depth > 5) return null;
  const inner = CALL_KEYS.map((key) => item[key]).find((one) => typeof one === "object" && one !== null);
  if (inner !== undefined) return callInJson(inner, tools, depth + 1);
  const name = firstOf(item, NAME_KEYS);
  if (typeof name === "string") {
    const others = Object.entries(item).filter(([key]) => !BESIDE.includes(key));
    return { name, input: firstOf(item, INPUT_KEYS) ?? Object.fromEntries(others) };
  }
  const tool = Object.keys(item).find((key) => isOneOf(tools, key));
  if (tool !== undefined) return { name: tool, input: item[tool] };
  const answer = firstOf(item, ANSWER_KEYS);
  return answer === undefined ? null : { name: ANSWER_TOOL, input: answer };
}

const HEAD = /[\s`*"']*([A-Za-z_][\w\\. -]{0,60}?)[\s`*"':]*(?=[([{])/y;

/** `name("…")`, `name[…]`, `name {…}`. */
function callInPython(text: string, at: number, tools: Tools): Call | null {
  HEAD.lastIndex = at;
  const [head, name = ""] = HEAD.exec(text) ?? [];
  if (head === undefined || toolNamed(name, tools) === null) return null;
  const read = parseLenient(text, at + head.length);
  if (!read || read.cutInString) return null;
  const { "": first, ...keywords } = isObject(read.value) ? read.value : { "": read.value };
  const isAlone = Object.keys(keywords).length === 0;
  const input = first === undefined ? keywords : isAlone ? first : { code: first, ...keywords };
  return { name, input, form: "call", end: read.end };
}

interface Element {
  tag: string;
  /** `=name` or ` name="name"`; the tag where there is none. */
  name: string;
  content: string;
  end: number;
}

const OPENING =
  /<([A-Za-z_][\w.-]{0,60})(?:\s*(?:name)?\s*=\s*["']?([^"'<>\s]{1,60})["']?)?>|\[(TOOL_CALLS)\]|<\|(tool_call|python_tag)\|>/iy;
/** An element around JSON or other elements. */
const WRAPPER =
  /^(?:tool_?calls?|function_?calls?|tool_?use|invoke|function|tool|(?:tool_?)?(?:args|input)|arguments|parameters)$/i;
const NAME_IN_BROKEN_JSON = /["'](?:name|tool|action)["']\s*:\s*["']([^"'\n]{1,60})["']/;

/** The element at `at`; one that is not closed goes to the end. */
function elementAt(text: string, at: number): Element | null {
  OPENING.lastIndex = at;
  const [opening, element, attribute, ...marks] = OPENING.exec(text) ?? [];
  if (opening === undefined) return null;
  const tag = (element ?? marks.find((mark) => mark !== undefined) ?? "").toLowerCase();
  const from = at + opening.length;
  const closing = new RegExp(`</${tag.replaceAll(".", "\\.")}\\s*>`, "gi");
  closing.lastIndex = from;
  let close = closing.exec(text);
  // Code may hold its own closing tag in a string, so the last one counts.
  for (let later = close; tag === "code" && later; later = closing.exec(text)) close = later;
  const end = close ? close.index + close[0].length : text.length;
  return { tag, name: attribute ?? tag, content: text.slice(from, close?.index), end };
}

function callInElement(text: string, at: number, tools: Tools): Call | null {
  const element = elementAt(text, at);
  if (!element) return null;
  const { tag, name, content, end } = element;
  if (tag === "python_tag" && !/^\s*\{/.test(content)) return { name: "python", input: content, form: "element", end };
  const isTool = isOneOf(tools, tag);
  if (!isTool && !WRAPPER.test(tag) && tag !== "python_tag") return null;
  const inner = contentOf({ ...element, tag: "tool_call" });
  const call = name === tag && !isTool ? callInJson(inner, tools) : { name, input: inner };
  const written = NAME_IN_BROKEN_JSON.exec(content.slice(0, 300))?.[1] ?? "";
  return { ...(call ?? { name: written, input: content }), form: "element", end };
}

/** What an element holds: JSON, its children as an object, or text. */
function contentOf({ tag, content }: Element, depth = 0): unknown {
  if (WRAPPER.test(tag) && /^\s*[{[]/.test(content)) return jsonIn(content) ?? content;
  if (!WRAPPER.test(tag) || depth > 2 || !/^\s*<[A-Za-z]/.test(content)) return textOf(content);
  const children: Element[] = [];
  for (let from = content.indexOf("<"); from !== -1; from = content.indexOf("<", from)) {
    const child = elementAt(content, from);
    if (child) children.push(child);
    from = child?.end ?? from + 1;
  }
  return Object.fromEntries(children.map((child) => [child.name, contentOf(child, depth + 1)]));
}

/** The text of an element: without the line breaks next to the tags, and the indentation of the XML. */
function textOf(content: string): string {
  const lines = content.replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "");
  return content === lines || !/^[ \t]/.test(lines) ? lines : dedentCode(lines);
}
