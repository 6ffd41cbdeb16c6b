/** Learned rows as rows of the tables' `rewrites`: a label becomes the patterns of the nodes that it stands for. */

import type { LearnedRow } from "./rows.ts";

const SIGNS: Readonly<Record<string, readonly string[]>> = {
  BinOp: ["+", "-", "*", "/", "//", "%", "**"],
  Compare: ["<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not"],
  AugAssign: ["+=", "-=", "*=", "/=", "//="],
  BoolOp: ["and", "or"],
  UnaryOp: ["-", "not "],
};

/** By the kind of a node; `SIGN` is each of its signs. */
const NODES: Readonly<Record<string, string>> = {
  BinOp: "{left} SIGN {right}",
  Compare: "{left} SIGN {comparators0}",
  BoolOp: "{values0} SIGN {values1}",
  UnaryOp: "SIGN{operand}",
  AugAssign: "{target} SIGN {value}",
  Assign: "{targets0} = {value}",
  Return: "return {value}",
  Subscript: "{value}[{slice}]",
  IfExp: "{body} if {test} else {orelse}",
  insert: "{_:statement}",
  place: "{_}",
};

/** Kinds of values, as labels and slots name them. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ int: "num", float: "num", num: "num", str: "str", list: "[]", coll: "[]", seq: "[]", tuple: "tuple" },
  ...{ dict: "dict", set: "<>", bool: "bool", none: "none", any: "", condition: "condition", operand: "condition" },
};

/** What has no such kind is of a sort that all languages share: another sign, another name. */
const SLOT = /\$([a-z]+)(\d?)/g;

/** The new text with holes for its slots; null where it has one that no hole stands for. */
function holed(template: string): string | null {
  const slots = [...template.matchAll(SLOT)].map(([, kind = ""]) => kind);
  if (!slots.every((kind) => kind in KINDS) || /\{\w*!|\{args\}|\{\w+:\$/.test(template)) return null;
  return template
    .replaceAll("{func.value}", "{value}")
    .replaceAll(SLOT, (_, kind: string, number: string) => `{${kind}${number}${KINDS[kind] && `:${KINDS[kind]}`}}`);
}

/** Patterns of what a word of a label stands for. */
function patternsOf(word: string, template: string): string[] {
  if (word in KINDS) return [`{_:${KINDS[word]}}`];
  const [, name = word, count] = /^(\w+)(?:\((\w*)\))?$/.exec(word) ?? [];
  const node = NODES[name];
  if (node !== undefined) {
    // Of a statement what is written on its left is no value.
    return node.includes("SIGN") ? (SIGNS[name] ?? []).map((sign) => node.replace("SIGN", sign)) : [node];
  }
  const given = Array.from({ length: Number(count || 1) }, (_, at) => `{args${at}}`).join(", ");
  if (!/^\d*$/.test(count ?? "")) return [];
  if (name === "Call")
    return [`{func}(${given})`, ...(template.includes("{value}") ? [`{value}.{func}(${given})`] : [])];
  return /^[a-z_]\w*$/.test(name) ? [`${name}(${given})`, `{value}.${name}(${given})`] : [];
}

const HOLE = /\{(\w+)\}/g;
const holesIn = (text: string) => [...text.matchAll(HOLE)].map(([, name = ""]) => name);

/** Whether a text has in it what the pattern says of all parts that it names. */
const isWhole = (pattern: string, text: string) => {
  const known = new Set([...pattern.matchAll(/\{(\w+)/g)].map(([, name]) => name));
  return holesIn(text).every((name) => known.has(name) || name in KINDS || /^any\d$/.test(name));
};

/** [pattern, new text] of a row; none where the vocabulary of all languages has what it does, or nothing says it. */
export function rewritesOf({ label, template }: Pick<LearnedRow, "label" | "template">): [string, string][] {
  const text = holed(template);
  if (text === null) return [];
  if (label === "insert") return [[NODES.insert ?? "", `${text}\n{_}`]];
  const found = new Set(label.split(" ").flatMap((word) => patternsOf(word, text)));
  return [...found].flatMap((pattern): [string, string][] => {
    const sign = /\} ?([^{}]+?) ?\{/.exec(pattern)?.[1]?.trim() ?? /^(-|not )/.exec(pattern)?.[1]?.trim() ?? "";
    const made = text
      .replaceAll(/\{(?:op|ops0)\}/g, () => sign)
      .replaceAll("{func}", () =>
        pattern.includes("{func}") ? "{func}" : (/^(?:\{value\}\.)?\w+/.exec(pattern)?.[0] ?? ""),
      );
    return isWhole(pattern, made) && made !== pattern ? [[pattern, made]] : [];
  });
}
