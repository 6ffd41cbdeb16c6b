/** What functions and methods of Rust's library give, by their names and what they are called on. */

import type { Node } from "../../syntax/grammar.ts";
import { itemOf, kindOf, NUMBERS } from "./kinds.ts";

const words = (kind: string, names: string): [string, string][] =>
  names.split(/\s+/).map((name): [string, string] => [name, kind]);

const GIVES: ReadonlyMap<string, string> = new Map([
  ...words("usize", "len count capacity"),
  ...words("u32", "count_ones leading_zeros trailing_zeros"),
  ...words("usize?", "position rposition"),
  ...words("(str,str)?", "split_once rsplit_once"),
  ...words("u32?", "to_digit"),
  ...words("str", "to_string to_lowercase to_uppercase to_owned trim trim_start trim_end replace repeat join format"),
  ...words("str", "as_str trim_matches trim_start_matches trim_end_matches from_utf8_lossy"),
  ...words("bool", "is_empty contains contains_key starts_with ends_with any all eq ne eq_ignore_ascii_case is_some"),
  ...words("bool", "is_none is_ok is_err is_alphabetic is_numeric is_alphanumeric is_whitespace is_uppercase"),
  ...words("bool", "is_lowercase is_digit is_ascii_digit is_ascii_alphabetic is_ascii_uppercase is_ascii_lowercase"),
  ...words("bool", "is_ascii_punctuation is_ascii_alphanumeric is_ascii_whitespace insert_if is_positive is_negative"),
  ...words("<char>", "chars"),
  ...words("{usize:char}", "char_indices"),
  ...words("<u8>", "bytes"),
  ...words("[u8]", "as_bytes to_vec_u8 into_bytes"),
  ...words("<str>", "split split_whitespace split_ascii_whitespace lines split_terminator"),
  ...words("char", "from_digit to_ascii_uppercase_char"),
]);
/** What they are called on, or a number like it. */
const SAME = new Set(
  `abs pow powi powf sqrt cbrt floor ceil round trunc fract exp ln log2 log10 signum rem_euclid div_euclid abs_diff
  wrapping_add wrapping_sub wrapping_mul saturating_add saturating_sub saturating_mul clamp clone cloned copied rev skip
  take filter skip_while take_while step_by by_ref peekable cycle chain inspect to_ascii_lowercase to_ascii_uppercase
  to_vec as_ref as_mut unsigned_abs hypot`.split(/\s+/),
);
const EACH = new Set("iter into_iter iter_mut drain values into_values".split(" "));
const MAYBE = new Set("first last get pop next nth pop_front pop_back peek find get_mut last_mut first_mut".split(" "));
const CHECKED = /^checked_/;
const OUT = new Set("unwrap unwrap_or unwrap_or_default unwrap_or_else expect".split(" "));

export function gives(
  called: string,
  receiver: string,
  call: Node,
  kind: (node: Node | null) => string,
): string | null {
  if (call.type === "macro_invocation") return ofMacro(called, call, kind);
  const inside = call.childForFieldName("arguments")?.namedChildren ?? [];
  if (SAME.has(called)) return receiver || ofPath(call) || null;
  if (called === "min" || called === "max") {
    const isOfItems = inside.length === 0 && receiver !== "";
    return isOfItems ? `${itemOf(receiver)}?` : receiver || kind(inside[0] ?? null) || null;
  }
  if (EACH.has(called)) return receiver.startsWith("{") ? receiver : `<${itemOf(receiver)}>`;
  if (called === "enumerate") return `{usize:${itemOf(receiver)}}`;
  if (called === "zip") return `{${itemOf(receiver)}:${itemOf(kind(inside[0] ?? null))}}`;
  if (called === "keys") return `<${/^\{([^{}:]*):/.exec(receiver)?.[1] ?? ""}>`;
  if (called === "windows" || called === "chunks") return `<${receiver}>`;
  if (called === "map") return `<${kind(inside[0]?.childForFieldName("body") ?? null)}>`;
  if (called === "filter_map" || called === "flat_map") return "<>";
  if (MAYBE.has(called)) return `${itemOf(receiver)}?`;
  if (CHECKED.test(called)) return `${receiver}?`;
  if (OUT.has(called)) return receiver.endsWith("?") ? receiver.slice(0, -1) : null;
  if (called === "collect" || called === "sum" || called === "product" || called === "parse") {
    const written = writtenType(call);
    if (called === "parse") return `${written}?`;
    return written || (called === "collect" ? null : itemOf(receiver) || null);
  }
  if (called === "Some") return `${kind(inside[0] ?? null)}?`;
  if (called === "from" || called === "new") {
    const type = call.childForFieldName("function")?.childForFieldName("path")?.text ?? "";
    if (type === "") return null;
    // Without the type of what they hold.
    if (/^(?:Vec(?:Deque)?|BinaryHeap|LinkedList)\b/.test(type)) return "[]";
    return /^(?:Hash|BTree)Set$/.test(type) ? "<>" : kindOf(type);
  }
  return GIVES.get(called) ?? null;
}

/** `i32::pow(a, b)`. */
function ofPath(call: Node): string {
  const path = call.childForFieldName("function")?.childForFieldName("path")?.text ?? "";
  return NUMBERS.has(path) ? path : "";
}

/** Of `collect::<Vec<i32>>()`. */
function writtenType(call: Node): string {
  const named = call.childForFieldName("function")?.childForFieldName("type_arguments");
  return named ? kindOf(named.text.slice(1, -1)) : "";
}

function ofMacro(called: string, call: Node, kind: (node: Node | null) => string): string | null {
  if (called === "format") return "str";
  if (called !== "vec") return null;
  const tokens = call.namedChildren.at(-1)?.namedChildren ?? [];
  return `[${kind(tokens[0] ?? null)}]`;
}
