/** Tests in JavaScript and TypeScript whose expectations are wrong. */

import { oneOf } from "../../utils/base/text/patterns.ts";
import type { Node } from "../../utils/search/syntax/tree.ts";
import type { Draw } from "./draw.ts";
import { callOf, Expectations, isCall, opposites, TOLERANT } from "./expectations.ts";

/** Assertions that compare two values, as members of what is called `assert` or `t`; of one value in a chain. */
const EQUAL = new RegExp(
  `^${oneOf(
    /(?:(?:strict|deep|deepStrict|looseDeep|deepLoose|loose|shallow)?equals?|same|is|eql?|be|match|closeTo|isEqual)/,
    /(?:lengthOf|includes?|contains?)/,
    /(?:toBe|toEqual|toStrictEqual|toBeCloseTo|toHaveLength|toContain|toContainEqual|toMatchObject)/,
    /(?:toHaveBeenCalledWith|toHaveBeenCalledTimes|toReturnWith)/,
  )}$`,
  "i",
);
const EQUAL_NAME = /^(?:assert|strict|deep|deepStrict)_?Equals?$|^equals?$/i;
const TRUTH = /^(?:ok|notOk|true|false|truthy|falsy|isTrue|isFalse|isOk|isNotOk|assert)$/;
const THROWS = /^(?:throws|throwsAsync|rejects|toThrow|toThrowError|throw|Throw)$/;
const OPPOSITES = opposites([
  ["toBeTruthy", "toBeFalsy"],
  ["toBeDefined", "toBeUndefined"],
  ["toBeNull", "toBeTruthy"],
  ["toBeGreaterThan", "toBeLessThanOrEqual"],
  ["toBeLessThan", "toBeGreaterThanOrEqual"],
  ["toHaveBeenCalled", "toHaveBeenNthCalledWith"],
  ["true", "false"],
  ["null", "NaN"],
  ["undefined", "null"],
  ["isNull", "isNotNull"],
  ["isUndefined", "isDefined"],
]);
const ASSERTER = /^(?:assert|t|st|tt|test|chai|should|expect|is|ctx|QUnit)$|assert$/i;
const TESTS = /^(?:it|test|specify|t|tape|st|tt)$/;
const NEGATION = /^(?:not|never)$|^not[A-Z]|^doesNot/;
const INSTEAD_OF = { null: "0", undefined: "0", "[]": "[0]", "{}": "{ a: 0 }" };

export class ScriptExpectations extends Expectations {
  readonly #fails: string;

  constructor(draw: Draw, token: string) {
    super(draw, { not: ["!(", ")"], unlike: ["[", ", 0]"], insteadOf: INSTEAD_OF });
    this.#fails = `throw new Error("${token}");`;
  }

  change(root: Node): void {
    const open = [root];
    for (let node = open.pop(); node; node = open.pop()) {
      const { startIndex: start } = node;
      const isChanged = isCall(node) ? this.#assertion(node) : this.#chained(node);
      if (isChanged) this.reaching.push([start, start, `void (() => { ${this.#fails} })() || `]);
      if (isChanged) continue;
      if (isCall(node)) this.#test(node);
      open.push(...node.children.toReversed());
    }
  }

  protected expected(actual: Node, expected: Node, tolerant = false): boolean {
    return this.other(expected, tolerant) || this.other(actual, tolerant) || this.unlike(expected);
  }

  #value(expected: Node | undefined, tolerant = false): boolean {
    return expected !== undefined && (this.other(expected, tolerant) || this.unlike(expected));
  }

  /** A call that gives a test its function: there it begins. */
  #test(call: Node): void {
    const { given } = callOf(call);
    const body = given.findLast(({ type }) => /function/.test(type))?.childForFieldName("body");
    if (given.length < 2 || !body || !TESTS.test(rootOf(call))) return;
    const { startIndex: start, endIndex: end } = body;
    if (body.type === "statement_block") this.starts.push([start + 1, start + 1, ` ${this.#fails}`]);
    else this.starts.push([start, end, `{ ${this.#fails} }`]);
  }

  /** Changes what an assertion expects; false where the call is none. */
  #assertion(call: Node): boolean {
    const { name, word, given } = callOf(call);
    const [first, second] = given;
    const callee = call.childForFieldName("function");
    if (!callee || !word) return false;
    if (callee === word) {
      if (/^(?:assert|ok)$/.test(name) && first) return this.condition(first);
      return EQUAL_NAME.test(name) && first !== undefined && second !== undefined && this.expected(first, second);
    }
    const { names, expects } = chainOf(callee.childForFieldName("object"));
    if (names.at(-1) === "assert") return this.#spied(word, second);
    const isNegated = [name, ...names].some((one) => NEGATION.test(one));
    if (expects) {
      const [actual] = callOf(expects).given;
      if (THROWS.test(name) && !isNegated && actual)
        return this.put(actual, names.includes("rejects") ? "Promise.resolve()" : "() => {}");
      if (isNegated) return false;
      const opposite = OPPOSITES.get(name);
      if (opposite !== undefined) return this.put(word, opposite);
      return EQUAL.test(name) && this.#value(first, TOLERANT.test(name));
    }
    if (names.includes("should")) return !isNegated && EQUAL.test(name) && this.#value(first);
    if (!ASSERTER.test(rootOf(callee)) || !first) return false;
    if (TRUTH.test(name)) return this.opposite(first);
    if (isNegated) return false;
    if (THROWS.test(name)) return this.put(first, /function|=>/.test(first.text) ? "() => {}" : "Promise.resolve()");
    return EQUAL.test(name) && second !== undefined && this.expected(first, second, TOLERANT.test(name));
  }

  /** `sinon.assert.calledWith(spy, x)` */
  #spied(word: Node, expected: Node | undefined): boolean {
    const name = word.text;
    if (/^(?:always)?called(?:Once)?With|^callCount$/i.test(name)) return this.#value(expected);
    if (/^called(?:Once|Twice|Thrice)?$/.test(name)) return this.put(word, "notCalled");
    return name === "notCalled" && this.put(word, "called");
  }

  /** `expect(x).to.be.true` */
  #chained(node: Node): boolean {
    const property = node.type === "member_expression" ? node.childForFieldName("property") : null;
    const opposite = OPPOSITES.get(property?.text ?? "");
    if (!property || opposite === undefined) return false;
    const { names, expects } = chainOf(node.childForFieldName("object"));
    const isChain = (expects !== null && names.some((one) => /^(?:to|be|is)$/.test(one))) || names.includes("should");
    return isChain && !names.some((one) => NEGATION.test(one)) && this.put(property, opposite);
  }
}

/** What a member is taken of, or what is called. */
const before = (node: Node): Node | null => node.childForFieldName("object") ?? node.childForFieldName("function");

/** Longer chains are not followed to their end. */
const MOST_LINKS = 40;

/** A chain of members and calls from one of them to where it begins. */
function linksOf(node: Node | null): Node[] {
  const links: Node[] = [];
  for (let at = node; at && links.length < MOST_LINKS; at = before(at)) links.push(at);
  return links;
}

/** The name with which a chain begins; empty where it is no name. */
function rootOf(node: Node): string {
  const root = linksOf(node).at(-1);
  return root?.type === "identifier" ? root.text : "";
}

/** The members up to this one, and the call of `expect` that they begin with. */
function chainOf(node: Node | null): { names: string[]; expects: Node | null } {
  const links = linksOf(node);
  const isExpect = links.at(-1)?.text === "expect";
  const end = isExpect ? links.findIndex(isCall) : -1;
  const names = (end === -1 ? links : links.slice(0, end)).flatMap((one) => one.childForFieldName("property") ?? []);
  return { names: names.map(({ text }) => text).reverse(), expects: links[end] ?? null };
}
