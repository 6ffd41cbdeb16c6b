/** A JSON value as a machine over bytes: which byte may come next, and how to end soonest. */

type Mode =
  | { at: "value" }
  /** After `{` or `[`: may close at once. */
  | { at: "first" }
  | { at: "key" }
  | { at: "colon" }
  | { at: "after" }
  | { at: "string"; isKey: boolean; blank: boolean }
  | { at: "escape"; isKey: boolean; blank: boolean }
  | { at: "unicode"; isKey: boolean; blank: boolean; digits: string }
  | { at: "literal"; rest: string }
  | { at: "number"; text: string }
  | { at: "done" };

export interface JsonState {
  mode: Mode;
  /** Open brackets, innermost last. */
  stack: string;
  /** White space in a row. */
  space: number;
  /** True until the first string has a visible character, where one is asked for. */
  wantsText: boolean;
}

const MAX_DEPTH = 12;
const MAX_SPACE = 24;
const MAX_NUMBER = 24;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** What a number may begin with. */
const BEGUN_NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?)?$/;

/** Before an object. */
export const objectStart: JsonState = { mode: { at: "value" }, stack: "", space: 0, wantsText: false };

/** Inside the string value of the first key of an object; the string must hold something visible. */
export const inFirstText: JsonState = {
  mode: { at: "string", isKey: false, blank: true },
  stack: "{",
  space: 0,
  wantsText: true,
};

export const isDone = (state: JsonState): boolean => state.mode.at === "done";

/** The state after one more byte; undefined where it may not come. */
export function stepJson(state: JsonState, byte: number): JsonState | undefined {
  const char = String.fromCharCode(byte);
  const { mode } = state;
  const go = (next: Mode, stack = state.stack): JsonState => ({ ...state, mode: next, stack, space: 0 });
  switch (mode.at) {
    case "string":
      return stepString(state, mode, byte);
    case "escape":
      if (char === "u") return go({ ...mode, at: "unicode", digits: "" });
      return '"\\/bfnrt'.includes(char) ? go({ ...mode, at: "string" }) : undefined;
    case "unicode":
      return stepUnicode(state, mode, char);
    case "literal":
      if (char !== mode.rest[0]) return undefined;
      return mode.rest.length === 1 ? afterValue(state) : go({ at: "literal", rest: mode.rest.slice(1) });
    case "number": {
      const text = mode.text + char;
      if (text.length <= MAX_NUMBER && BEGUN_NUMBER.test(text)) return go({ at: "number", text });
      return NUMBER.test(mode.text) ? stepJson(go({ at: "after" }), byte) : undefined;
    }
    case "done":
      return undefined;
  }
  if (" \n\t\r".includes(char)) return state.space < MAX_SPACE ? { ...state, space: state.space + 1 } : undefined;
  switch (mode.at) {
    case "value":
      return startValue(state, char);
    case "first":
      if (char === "}" && state.stack.endsWith("{")) return closeBracket(state);
      if (char === "]" && state.stack.endsWith("[")) return closeBracket(state);
      return state.stack.endsWith("{") ? startKey(state, char) : startValue(state, char);
    case "key":
      return startKey(state, char);
    case "colon":
      return char === ":" ? go({ at: "value" }) : undefined;
    case "after":
      if (char === ",") return go({ at: state.stack.endsWith("{") ? "key" : "value" });
      return char === (state.stack.endsWith("{") ? "}" : "]") ? closeBracket(state) : undefined;
  }
}

type StringMode = Extract<Mode, { at: "string" }>;

function stepString(state: JsonState, mode: StringMode, byte: number): JsonState | undefined {
  if (byte === 0x5c) return { ...state, mode: { ...mode, at: "escape" } };
  if (byte === 0x22) {
    if (state.wantsText && mode.blank) return undefined;
    return mode.isKey ? { ...state, mode: { at: "colon" } } : afterValue({ ...state, wantsText: false });
  }
  if (byte < 0x20) return undefined;
  const visible = byte > 0x20 && byte < 0x7f;
  return mode.blank && visible ? { ...state, mode: { ...mode, blank: false } } : state;
}

/** Half of a surrogate pair is not valid text, so neither half can be written. */
function stepUnicode(state: JsonState, mode: Extract<Mode, { at: "unicode" }>, char: string): JsonState | undefined {
  const digits = mode.digits + char.toLowerCase();
  if (!/^[0-9a-f]+$/.test(digits) || /^d[89a-f]/.test(digits)) return undefined;
  const { isKey, blank } = mode;
  const next: Mode = digits.length === 4 ? { at: "string", isKey, blank } : { ...mode, digits };
  return { ...state, mode: next };
}

function startKey(state: JsonState, char: string): JsonState | undefined {
  return char === '"' ? { ...state, mode: { at: "string", isKey: true, blank: true }, space: 0 } : undefined;
}

/** The outermost value is an object. */
function startValue(state: JsonState, char: string): JsonState | undefined {
  const go = (mode: Mode, stack = state.stack): JsonState => ({ ...state, mode, stack, space: 0 });
  if (char === "{" || char === "[") {
    const fits = state.stack === "" ? char === "{" : state.stack.length < MAX_DEPTH;
    return fits ? go({ at: "first" }, state.stack + char) : undefined;
  }
  if (state.stack === "") return undefined;
  if (char === '"') return go({ at: "string", isKey: false, blank: true });
  const literal = ["true", "false", "null"].find((word) => word.startsWith(char));
  if (literal) return go({ at: "literal", rest: literal.slice(1) });
  return BEGUN_NUMBER.test(char) ? go({ at: "number", text: char }) : undefined;
}

const afterValue = (state: JsonState): JsonState => ({ ...state, mode: { at: "after" }, space: 0 });

function closeBracket(state: JsonState): JsonState {
  const stack = state.stack.slice(0, -1);
  return { ...state, stack, mode: { at: stack === "" ? "done" : "after" }, space: 0 };
}

/** The shortest text that completes the value. */
export function closeJson(state: JsonState): string {
  const brackets = [...state.stack]
    .toReversed()
    .map((b) => (b === "{" ? "}" : "]"))
    .join("");
  return closeMode(state.mode, state) + brackets;
}

function closeMode(mode: Mode, state: JsonState): string {
  switch (mode.at) {
    case "value":
      return state.stack === "" ? "{}" : "0";
    case "key":
      return '"":0';
    case "colon":
      return ":0";
    case "string":
      return `${state.wantsText && mode.blank ? "0" : ""}"${mode.isKey ? ":0" : ""}`;
    case "escape":
      return `n${closeMode({ ...mode, at: "string" }, state)}`;
    case "unicode":
      return "0".repeat(4 - mode.digits.length) + closeMode({ ...mode, at: "string" }, state);
    case "literal":
      return mode.rest;
    case "number":
      return NUMBER.test(mode.text) ? "" : "0";
    case "first":
    case "after":
    case "done":
      return "";
  }
}
