/** Reads calls in JSON (`{"name": …, "arguments": …}`) and in Python's syntax (`name("…")`). */
import { parseArguments, parseLenient } from "./lenient_json.ts";
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
  const [head = "", name = ""] = HEAD.exec(text) ?? [];
  const from = at + head.length;
  if (head === "") return null;
  if (text.charAt(from) !== "(") {
    const read = parseLenient(text, from);
    return read && !read.cutInString ? { name, input: read.value, form: "call", end: read.end } : null;
  }
  const read = parseArguments(text, from + 1);
  if (!read || read.cutInString) return null;
  const { positional, keyword } = read.value;
  const named = { ...(positional.length > 0 && { code: positional[0] }), ...keyword };
  return { name, input: Object.keys(keyword).length > 0 ? named : (positional[0] ?? {}), form: "call", end: read.end };
}
