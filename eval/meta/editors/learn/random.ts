/**
 * Rows drawn at random from the grammar of rows, with supports as random: the control that the learner is compared
 * with.
 */

import { deriveSeed } from "../../../../utils/base/statistics/seed.ts";
import type { LearnedRow } from "./rows.ts";

/** Labels with the parts that their templates may name. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  place: ["{_}"],
  "condition operand filter": ["{_}"],
  "int float": ["{_}"],
  str: ["{_}"],
  "list tuple str": ["{_}"],
  "list tuple str set dict range": ["{_}"],
  BinOp: ["{left}", "{right}"],
  "Compare(1)": ["{left}", "{comparators0}"],
  "BoolOp(2)": ["{values0}", "{values1}"],
  "Call(1)": ["{args0}", "{func}"],
  "Call(2)": ["{args0}", "{args1}", "{func}"],
  Subscript: ["{value}", "{slice}"],
  IfExp: ["{body}", "{test}", "{orelse}"],
  insert: [],
};
const LABELS = Object.keys(PARTS);
const SLOTS = ["$any", "$num", "$int", "$str", "$list", "$coll", "$seq", "$dict", "$predicate", "$copy"] as const;
const CONSTANTS = ["0", "1", "2", "-1", "''", "' '", "None", "True", "False", "[]"] as const;
const SIGNS = "+ - * / // % ** < <= > >= == != in is and or".split(" ");
const FUNCTIONS = "len sum min max abs int str list set tuple sorted reversed any all round bool range ord chr".split(
  " ",
);
const METHODS = "lower upper strip split keys values items pop copy isdigit isalpha title".split(" ");
const STATEMENTS = [
  "$any = ?",
  "$num += ?",
  "$list.append(?)",
  "return ?",
  "if ?: return ?",
  "if ?: break",
  "if ?: $any = ?",
] as const;
const MOST_SUPPORT = 100;

type Draw = <Item>(items: readonly Item[]) => Item;

export function randomRows(seed: number, count: number): LearnedRow[] {
  let drawn = 0;
  const number = (below: number) => deriveSeed(seed, "random row", drawn++) % below;
  const draw: Draw = (items) => {
    const item = items[number(items.length)];
    if (item === undefined) throw new Error("nothing to draw from");
    return item;
  };
  const found = new Map<string, LearnedRow>();
  while (found.size < count) {
    const label = draw(LABELS);
    const template =
      label === "insert"
        ? draw(STATEMENTS).replaceAll("?", () => expression(draw, [], 1))
        : expression(draw, PARTS[label] ?? [], 2);
    const isEdit = label === "insert" || (/\{/.test(template) && !/^\{_\}$/.test(template));
    // One support in a hundred is the highest, as few rows that are learned have many files.
    if (isEdit)
      found.set(`${label} ${template}`, { label, template, support: 1 + number(MOST_SUPPORT), example: null });
  }
  return [...found.values()].sort((a, b) => b.support - a.support);
}

/** A leaf, or one or two smaller expressions put together. */
function expression(draw: Draw, parts: readonly string[], depth: number): string {
  if (depth === 0) return draw([...parts, ...parts, draw(SLOTS), draw(CONSTANTS)]);
  const inner = () => expression(draw, parts, depth - 1);
  const made = draw([
    () => `(${inner()} ${draw(SIGNS)} ${inner()})`,
    () => `${draw(FUNCTIONS)}(${inner()})`,
    () => `${draw([...parts, draw(SLOTS)])}.${draw(METHODS)}()`,
    () => `${draw([...parts, draw(SLOTS)])}[${inner()}]`,
    () => `(not ${inner()})`,
    inner,
  ]);
  return made();
}
