/** Edits of a file of tests after which its expectations are wrong: the part that all languages share. */

import type { Node } from "../../utils/search/syntax/tree.ts";
import type { TextEdit } from "../project/edits.ts";
import type { Draw } from "./draw.ts";

/** Edits of the text of one file of tests. */
export interface WrongTests {
  /** One list of edits for each draw: after it each expectation of the file is another one. */
  wrong: TextEdit[][];
  /** After these a test fails, with the token, where it comes to one of these expectations. */
  reaching: TextEdit[];
  /** After these each test fails, with the token, before it does anything. */
  starts: TextEdit[];
}

/** How a language writes what stands in the place of an expectation. */
export interface Writing {
  /** Text before and behind a condition, after which it says the opposite. */
  not: readonly [before: string, after: string];
  /** The same for a value, after which it equals nothing it may be compared with. Null where types forbid it. */
  unlike: readonly [before: string, after: string] | null;
  /** Values in the place of empty ones, and of `None`, `null` and `undefined`. */
  insteadOf: Readonly<Record<string, string>>;
}

const NUMBER = /^(?:number|integer|float)$|(?:int|integer|float|number|floating_point)_literal$/;
const TEXT = /^(?:string|template_string)$|(?:string|char|character|rune)_literal$/;
const TRUTH: Readonly<Record<string, string>> = { true: "false", false: "true", True: "False", False: "True" };
const GROUP = /^(?:list|tuple|set|array|dictionary|object|concatenated_string)$/;
/** Nodes around an expression that leave its value as it is. */
const WRAPPER = /^(?:parenthesized_expression|condition_clause|await|await_expression|non_null_expression)$/;
/** Comparisons that take near values for equal. */
export const TOLERANT = /almost|close|approx|near|within|InDelta/i;

export const CALLS = ["call", "call_expression", "method_invocation"] as const;

/** Names by their opposites, in both directions. */
export const opposites = (pairs: readonly (readonly [string, string])[]): Map<string, string> =>
  new Map(
    pairs.flatMap(([a, b]): [string, string][] => [
      [a, b],
      [b, a],
    ]),
  );

/** The last word of what is called, where it stands, and the arguments without those that have a name. */
export function callOf(node: Node): { name: string; word: Node | null; given: readonly Node[] } {
  let word = node.childForFieldName("name") ?? node.childForFieldName("function");
  while (word && word.namedChildren.length > 0) word = word.namedChildren.at(-1) ?? null;
  const given = node.childForFieldName("arguments")?.namedChildren ?? [];
  return { name: word?.text ?? "", word, given: given.filter(({ type }) => type !== "keyword_argument") };
}

const isComputed = ({ type }: Node): boolean => /interpolation|substitution/.test(type);
export const isCall = ({ type }: Node): boolean => CALLS.some((call) => call === type);
export const isText = ({ type }: Node): boolean => TEXT.test(type);
const isLiteral = (node: Node): boolean => NUMBER.test(node.type) || isText(node) || Object.hasOwn(TRUTH, node.text);

/** Without parentheses. */
export function unwrapped(node: Node): Node {
  const inner = WRAPPER.test(node.type) ? (node.childForFieldName("value") ?? node.namedChildren.at(0)) : undefined;
  return inner ? unwrapped(inner) : node;
}

/** The two sides of `a == b`; null for anything else. */
export function sidesOf({ type, children }: Node, operator: string): [left: Node, right: Node] | null {
  const [left, middle, right] = children;
  const isComparison = /^(?:comparison_operator|binary_expression)$/.test(type) && children.length === 3;
  return isComparison && left && right && middle?.text.replace("===", "==") === operator ? [left, right] : null;
}

export abstract class Expectations implements Omit<WrongTests, "wrong"> {
  readonly wrong: TextEdit[] = [];
  readonly reaching: TextEdit[] = [];
  readonly starts: TextEdit[] = [];
  readonly draw: Draw;
  readonly #writing: Writing;
  readonly #changed = new Set<number>();

  constructor(draw: Draw, writing: Writing) {
    this.draw = draw;
    this.#writing = writing;
  }

  /** Makes the edits. */
  abstract change(root: Node): void;

  /** Changes what two values are compared for; false where it cannot. */
  protected abstract expected(left: Node, right: Node, tolerant?: boolean): boolean;

  protected put(node: Node, text: string): true {
    return this.#edit(node, [[node.startIndex, node.endIndex, text]]);
  }

  /** Changes a value that may be any. */
  protected unlike(node: Node): boolean {
    const { unlike } = this.#writing;
    return unlike !== null && this.#around(node, unlike);
  }

  protected opposite(condition: Node): true {
    return this.#around(unwrapped(condition), this.#writing.not);
  }

  /** Puts another value in the place of a literal, or of one in a list; false for anything else. */
  protected other(written: Node, tolerant = false): boolean {
    const node = unwrapped(written);
    const { type, text, namedChildren } = node;
    if (NUMBER.test(type)) return this.put(node, this.draw.written(text, tolerant));
    if (isText(node)) return !namedChildren.some(isComputed) && this.put(node, this.draw.quoted(text));
    const instead = TRUTH[text] ?? this.#writing.insteadOf[text.replace(/\s/g, "")];
    if (instead !== undefined) return this.put(node, instead);
    if (/^unary_/.test(type)) return /^[-+]/.test(text) && namedChildren.some((one) => this.other(one, tolerant));
    if (isCall(node)) {
      const { name, given } = callOf(node);
      return TOLERANT.test(name) && given[0] !== undefined && this.other(given[0], true);
    }
    const items = GROUP.test(type) ? namedChildren : [];
    const values = items.map((one) => (one.type === "pair" ? (one.childForFieldName("value") ?? one) : one));
    return this.draw.shuffled(values).some((one) => this.other(one, tolerant));
  }

  /** The same for any literal in it. */
  protected otherWithin(node: Node, tolerant = false): boolean {
    const literals: Node[] = [];
    const open = [node];
    for (let one = open.pop(); one; one = open.pop()) {
      if (isLiteral(one)) literals.push(one);
      else open.push(...one.children);
    }
    return this.draw.shuffled(literals).some((one) => this.other(one, tolerant));
  }

  /** Changes a condition that has to hold. @param operator the one after which it may hold for another value */
  protected condition(node: Node, operator = "=="): boolean {
    const inner = unwrapped(node);
    const sides = sidesOf(inner, operator);
    return (sides !== null && this.expected(...sides)) || this.opposite(inner);
  }

  #around(node: Node, [before, after]: readonly [string, string]): true {
    const { startIndex, endIndex } = node;
    return this.#edit(node, [
      [startIndex, startIndex, before],
      [endIndex, endIndex, after],
    ]);
  }

  /** Each node is changed once. */
  #edit({ id }: Node, edits: readonly TextEdit[]): true {
    if (!this.#changed.has(id)) this.wrong.push(...edits);
    this.#changed.add(id);
    return true;
  }
}
