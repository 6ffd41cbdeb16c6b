/**
 * Reads calls in JSON (`{"name": …, "arguments": …}`), in Python's syntax (`name("…")`) and in elements
 * (`<tool_call>`).
 */

import { parseLenient } from "../../utils/base/data/lenient_json.ts";
import { jsonValue } from "../../utils/base/data/record.ts";
import { oneOf } from "../../utils/base/text/patterns.ts";
import { dedentCode } from "../../utils/languages/python/indent.ts";
import { ANSWER_TOOL, isOneOf, toolNamed } from "./tool_names.ts";

/** A call as the model wrote it. `name` may not be a tool's, and is empty for JSON that is not a call. */
export interface WrittenCall {
  name: string;
  input: unknown;
  /** How it was written. */
  form: "json" | "element" | "call";
  /** Calls that stand behind it in the same list. */
  further?: readonly Pick<WrittenCall, "name" | "input">[];
  /** Offset after the call. */
  end: number;
}

type FoundCall = Pick<WrittenCall, "name" | "input" | "further">;

type Tools = readonly string[];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The arguments of a call as an object; null if they are not one. */
export function inputOf(args: unknown): Record<string, unknown> | null {
  const value = typeof args === "string" ? jsonValue(args) : args;
  return isObject(value) ? value : null;
}

/** True for no value, an empty text and an empty object. */
export const isBlank = (value: unknown): boolean =>
  (value ?? "") === "" || (isObject(value) && Object.keys(value).length === 0);

/** The value of the first of `keys` that `object` has; undefined where it has none. */
const firstOf = (object: Record<string, unknown>, keys: readonly string[]): unknown =>
  object[keys.find((key) => Object.hasOwn(object, key)) ?? ""];

const HEAD = /[\s`*"']*([A-Za-z_][\w\\. -]{0,60}?)[\s`*"':]*(?=[([{])/y;

/** What starts at `at` and is whole: JSON, an element, or the call of a known tool. Null where nothing does. */
export function callAt(text: string, at: number, tools: Tools): WrittenCall | null {
  const element = elementAt(text, at);
  if (element) return callInElement(element, tools);
  HEAD.lastIndex = at;
  const [head = "", name = ""] = HEAD.exec(text) ?? [];
  const isCall = head !== "" && toolNamed(name, tools) !== null;
  const read = isCall || /[{[]/.test(text.charAt(at)) ? parseLenient(text, at + head.length) : null;
  if (!read || read.cutInString) return null;
  const { value, end } = read;
  if (!isCall) return { name: "", input: value, ...callInJson(value, tools), form: "json", end };
  // Of `name("…", key="…")` the first value has no key.
  const { "": first, ...others } = isObject(value) ? value : { "": value };
  const input = first === undefined ? others : Object.keys(others).length === 0 ? first : { code: first, ...others };
  return { name, input, form: "call", end };
}

const MOST_IN_LIST = 20;
const CALL_KEYS = ["tool_calls", "tool_call", "function_call", "action", "function"];
const NAME_KEYS = ["name", "tool", "tool_name", "action", "function", "recipient_name"];
const INPUT_KEYS = "arguments args parameters params action_input tool_input tool_args input kwargs".split(" ");
const ANSWER_KEYS = ["final_answer", "Final Answer", "finalAnswer", "answer"];
/** Keys that may stand beside the input of a call and are not part of it. */
export const BESIDE = ["thought", "thoughts", "id", "type", ...NAME_KEYS];

/** The call that a JSON value stands for, in any of its spellings, or the first of a list; null if it is not a call. */
export function callInJson(item: unknown, tools: Tools, depth = 0): FoundCall | null {
  if (depth > 5) return null;
  if (Array.isArray(item)) {
    const [call, ...further] = item.slice(0, MOST_IN_LIST).flatMap((one) => callInJson(one, tools, depth + 1) ?? []);
    return call ? { ...call, further } : null;
  }
  if (!isObject(item)) return null;
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

interface Element {
  tag: string;
  /** `=name` or ` name="name"`; the tag where there is none. */
  name: string;
  content: string;
  end: number;
}

const ELEMENT = /<([A-Za-z_][\w.-]{0,60})(?:\s*(?:name)?\s*=\s*["']?([^"'<>\s]{1,60})["']?)?>/;
const OPENING = new RegExp(oneOf(ELEMENT, /(?:\[|<\|)(TOOL_CALLS|tool_call|python_tag)(?:\||>|\])+/), "iy");
/** An element around JSON or other elements. */
const WRAPPER = new RegExp(
  `^${oneOf(
    /python_tag|tool_?calls?|function_?calls?|tool_?use|invoke|function|tool/,
    /(?:tool_?)?(?:args|input)|arguments|parameters/,
  )}$`,
  "i",
);
const NAME_IN_BROKEN_JSON = /["'](?:name|tool|action)["']\s*:\s*["']([^"'\n]{1,60})["']/;

/** The element at `at`; one that is not closed goes to the end. */
function elementAt(text: string, at: number): Element | null {
  OPENING.lastIndex = at;
  const [opening, element, attribute, mark = ""] = OPENING.exec(text) ?? [];
  if (opening === undefined) return null;
  const tag = (element ?? mark).toLowerCase();
  // Code may hold its own closing tag in a string, so the last one counts.
  const body = new RegExp(`([^]*${tag === "code" ? "" : "?"})</${tag.replaceAll(".", "\\.")}\\s*>`, "iy");
  body.lastIndex = at + opening.length;
  const [whole, content] = body.exec(text) ?? [];
  const end = whole === undefined ? text.length : body.lastIndex;
  return { tag, name: attribute ?? tag, content: content ?? text.slice(at + opening.length), end };
}

function callInElement({ tag, name, content, end }: Element, tools: Tools): WrittenCall | null {
  const isTool = isOneOf(tools, tag);
  if (!isTool && !WRAPPER.test(tag)) return null;
  const input = contentOf("tool_call", content);
  const call = name === tag && !isTool ? callInJson(input, tools) : { name, input };
  const written = tag === "python_tag" ? "python" : (NAME_IN_BROKEN_JSON.exec(content.slice(0, 300))?.[1] ?? "");
  return { ...(call ?? { name: written, input: content }), form: "element", end };
}

/** What an element holds: JSON, its children as an object, or text without the indentation of the XML. */
function contentOf(tag: string, content: string, depth = 0): unknown {
  const isWrapper = WRAPPER.test(tag) && depth <= 3;
  if (isWrapper && /^\s*[{[]/.test(content)) return parseLenient(content)?.value ?? content;
  if (isWrapper && /^\s*<[A-Za-z]/.test(content)) {
    const children: [string, unknown][] = [];
    for (let at = content.indexOf("<"); at !== -1; at = content.indexOf("<", at)) {
      const child = elementAt(content, at);
      if (child) children.push([child.name, contentOf(child.tag, child.content, depth + 1)]);
      at = child?.end ?? at + 1;
    }
    return Object.fromEntries(children);
  }
  const lines = content.replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "");
  return content !== lines && /^[ \t]/.test(lines) ? dedentCode(lines) : lines;
}
