/** Types of Rust in one word. References, and what owns a value, count as the value. */

export const NUMBERS = new Set([
  ...["num", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "f32", "f64"],
]);

/**
 * `[item]` for a list, `{key:value}` for pairs, `<item>` for what comes one after the other, `item?` for an `Option`.
 */
export function kindOf(type: string): string {
  const plain = type
    .replace(/'\w+|&|\b(?:mut|dyn)\b/g, "")
    .replace(/\b(?:\w+::)+/g, "")
    .replace(/\s+/g, "");
  if (plain === "String" || plain === "str") return "str";
  const [, item] = /^\[(.*?)(?:;[^;\]]*)?\]$/.exec(plain) ?? [];
  if (item !== undefined) return `[${kindOf(item)}]`;
  const [, name = "", inside = ""] = /^(\w+)<(.*)>$/.exec(plain) ?? [];
  switch (name) {
    case "Vec":
    case "VecDeque":
    case "LinkedList":
    case "BinaryHeap":
      return `[${kindOf(inside)}]`;
    case "HashSet":
    case "BTreeSet":
      return `<${kindOf(inside)}>`;
    case "HashMap":
    case "BTreeMap": {
      const [key = "", value = ""] = partsOf(inside);
      return `{${kindOf(key)}:${kindOf(value)}}`;
    }
    case "Option":
      return `${kindOf(inside)}?`;
    case "Box":
    case "Rc":
    case "Arc":
      return kindOf(inside);
    default:
      return plain === "_" ? "" : plain;
  }
}

/** Between commas that stand in no brackets. */
function partsOf(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const one of text) {
    if (/[<([]/.test(one)) depth += 1;
    if (/[>)\]]/.test(one)) depth -= 1;
    if (one === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += one;
  }
  return parts;
}

/** Of a list, of what comes one after the other, of an `Option`; the value of a pair. */
export const itemOf = (kind: string): string =>
  /^\[(.*)\]$/.exec(kind)?.[1] ??
  /^<(.*)>$/.exec(kind)?.[1] ??
  /^\{[^{}:]*:(.*)\}$/.exec(kind)?.[1] ??
  /^(.*)\?$/.exec(kind)?.[1] ??
  "";
