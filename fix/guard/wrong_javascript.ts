/** Tests in JavaScript and TypeScript whose expectations are wrong, by edits of their text. */

import { tsPlugin } from "@sveltejs/acorn-typescript";
import { type AnyNode, type Options, Parser } from "acorn";
import { ASSERTER, EQUAL, EQUAL_NAME, NEGATION, OPPOSITES, TESTS, THROWS, TRUTH } from "./assertions.ts";
import { type TextEdit, UNKNOWN, type WrongTests } from "./edits.ts";

const FAR = 1009;
const MOST_BYTES = 2_000_000;
const MOST_DEPTH = 400;

/** @throws Error where the text is no JavaScript or TypeScript */
export function wrongJavaScript(text: string): WrongTests {
  if (text.length > MOST_BYTES) throw new Error("it is too long");
  const file = new ScriptTests(text);
  file.walk(parsed(text), 0);
  return { wrong: file.wrong, reaching: file.reaching, ending: file.ending, tests: file.tests };
}

function parsed(text: string): AnyNode {
  const options = { ecmaVersion: "latest", allowHashBang: true, allowReturnOutsideFunction: true } as const;
  const ways: [typeof Parser, Options][] = [
    [Parser, { ...options, sourceType: "module" }],
    [Parser, { ...options, sourceType: "script" }],
    [Parser.extend(tsPlugin({ jsx: {} })), { ...options, sourceType: "module", locations: true }],
    [Parser.extend(tsPlugin()), { ...options, sourceType: "module", locations: true }],
  ];
  let problem: unknown;
  for (const [parser, how] of ways) {
    try {
      return parser.parse(text, how);
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const childrenOf = (node: AnyNode): AnyNode[] => Object.values(node).flat().filter(isNode);

class ScriptTests {
  readonly wrong: TextEdit[] = [];
  readonly reaching: TextEdit[] = [];
  readonly ending: TextEdit[] = [];
  readonly tests: Record<string, boolean> = {};
  readonly #text: string;
  /** Functions of the file that surely assert something where they are called. */
  readonly #helpers = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** @returns whether an assertion in it that is reached whatever happens was changed */
  walk(node: AnyNode, depth: number): boolean {
    if (depth > MOST_DEPTH) return false;
    if (node.type === "CallExpression") {
      const [callee, given] = [node.callee, node.arguments];
      const body = given.findLast((one) => /^(?:Arrow)?FunctionExpression$/.test(one.type));
      if (body && TESTS.test(nameOf(rootOf(callee))) && given.length > 1) this.#test(given[0], body, depth);
      else if (this.#helpers.has(nameOf(callee)) || this.#assertion(callee, given)) return this.#reached(node);
      else for (const child of childrenOf(node)) this.walk(child, depth + 1);
      return false;
    }
    if (node.type === "MemberExpression" && this.#chained(node)) return this.#reached(node);
    if (node.type === "Program")
      for (const one of node.body) if (one.type === "FunctionDeclaration") this.#helper(one.id, one, depth);
    if (node.type === "FunctionDeclaration") return false;
    if (node.type === "VariableDeclarator" && node.init && /^(?:Arrow)?FunctionExpression$/.test(node.init.type)) {
      this.#helper(node.id, node.init, depth);
      return false;
    }
    const found = childrenOf(node).map((child) => this.walk(child, depth + 1));
    return (
      /^(?:ExpressionStatement|AwaitExpression|ReturnStatement|ParenthesizedExpression)$/.test(node.type) &&
      found.some(Boolean)
    );
  }

  #reached({ start }: AnyNode): boolean {
    this.reaching.push([start, start, 'void (() => { throw new Error("wrong"); })() || ']);
    return true;
  }

  #helper(name: AnyNode | null, made: AnyNode, depth: number): void {
    if (
      made.type !== "FunctionDeclaration" &&
      made.type !== "FunctionExpression" &&
      made.type !== "ArrowFunctionExpression"
    )
      return;
    if (this.#isSure(made.body, depth) && name) this.#helpers.add(nameOf(name));
  }

  #isSure(body: AnyNode, depth: number): boolean {
    if (body.type !== "BlockStatement") return this.walk(body, depth + 1);
    return body.body.map((one) => this.walk(one, depth + 1)).some(Boolean);
  }

  #test(title: AnyNode | undefined, test: AnyNode, depth: number): void {
    if (test.type !== "ArrowFunctionExpression" && test.type !== "FunctionExpression") return;
    const { body } = test;
    const isSure = this.#isSure(body, depth);
    if (body.type === "BlockStatement") {
      this.ending.push([body.start + 1, body.start + 1, ' throw new Error("wrong");']);
    } else {
      this.ending.push([body.start, body.end, '{ throw new Error("wrong"); }']);
    }
    const name = title ? titleOf(title) : UNKNOWN;
    this.tests[name] = (this.tests[name] ?? true) && isSure;
  }

  /** Changes what an assertion expects; false where the call is none. */
  #assertion(callee: AnyNode, given: readonly AnyNode[]): boolean {
    const [first, second] = given;
    if (callee.type === "Identifier") {
      if (/^(?:assert|ok)$/.test(callee.name) && first) return this.#around(first, "!(", ")");
      return EQUAL_NAME.test(callee.name) && first && second ? this.#expected(first, second) : false;
    }
    if (callee.type !== "MemberExpression") return false;
    const name = nameOf(callee.property);
    const chain = chainOf(callee.object);
    if (chain.names.at(-1) === "assert") return this.#spied(callee.property, name, second);
    const isNegated = NEGATION.test(name) || chain.names.some((one) => NEGATION.test(one));
    if (chain.expects) {
      if (THROWS.test(name) && !isNegated && chain.expects.arguments[0])
        return this.#put(
          chain.expects.arguments[0],
          chain.names.includes("rejects") ? "Promise.resolve()" : "() => {}",
        );
      if (isNegated) return false;
      if (OPPOSITES.has(name)) return this.#put(callee.property, OPPOSITES.get(name) ?? name);
      return EQUAL.test(name) && first ? this.#other(first) || this.#around(first, "[", ", 0]") : false;
    }
    if (chain.names.includes("should"))
      return !isNegated && EQUAL.test(name) && first ? this.#other(first) || this.#around(first, "[", ", 0]") : false;
    if (!ASSERTER.test(nameOf(rootOf(callee))) || !first) return false;
    if (TRUTH.test(name)) return this.#around(first, "!(", ")");
    if (isNegated) return false;
    if (THROWS.test(name))
      return this.#put(
        first,
        /function|=>/.test(this.#text.slice(first.start, first.end)) ? "() => {}" : "Promise.resolve()",
      );
    return EQUAL.test(name) && second ? this.#expected(first, second) : false;
  }

  /** `sinon.assert.calledWith(spy, x)` */
  #spied(property: AnyNode, name: string, expected: AnyNode | undefined): boolean {
    if (/^(?:always)?called(?:Once)?With|^callCount$/i.test(name) && expected)
      return this.#other(expected) || this.#around(expected, "[", ", 0]");
    if (/^called(?:Once|Twice|Thrice)?$/.test(name)) return this.#put(property, "notCalled");
    return name === "notCalled" && this.#put(property, "called");
  }

  /** `expect(x).to.be.true` */
  #chained(node: AnyNode): boolean {
    if (node.type !== "MemberExpression" || node.computed) return false;
    const { names, expects } = chainOf(node.object);
    const name = nameOf(node.property);
    const isChain = (expects !== null && names.some((one) => /^(?:to|be|is)$/.test(one))) || names.includes("should");
    if (!isChain || names.some((one) => NEGATION.test(one)) || !OPPOSITES.has(name)) return false;
    return this.#put(node.property, OPPOSITES.get(name) ?? name);
  }

  #expected(actual: AnyNode, expected: AnyNode): boolean {
    return this.#other(expected) || this.#other(actual) || this.#around(expected, "[", ", 0]");
  }

  /** Another value in the place of a literal; false where it is none. */
  #other(node: AnyNode): boolean {
    switch (node.type) {
      case "Literal":
        if (typeof node.value === "string") return this.#put(node, JSON.stringify(`${node.value}x`));
        if (typeof node.value === "number") return this.#put(node, String(node.value > 1e15 ? FAR : node.value + FAR));
        if (typeof node.value === "boolean") return this.#put(node, String(!node.value));
        return node.value === null && !("regex" in node) && !("bigint" in node) ? this.#put(node, "0") : false;
      case "TemplateLiteral": {
        const [only] = node.quasis;
        return node.quasis.length === 1 && only
          ? this.#put(node, JSON.stringify(`${only.value.cooked ?? ""}x`))
          : false;
      }
      case "Identifier":
        return node.name === "undefined" ? this.#put(node, "0") : false;
      case "UnaryExpression":
        return /^[-+]$/.test(node.operator) && this.#other(node.argument);
      case "ArrayExpression":
        if (node.elements.length === 0) return this.#put(node, "[0]");
        return node.elements.some((one) => one !== null && this.#other(one));
      case "ObjectExpression":
        if (node.properties.length === 0) return this.#put(node, "{ a: 0 }");
        return node.properties.some((one) => one.type === "Property" && this.#other(one.value));
      default:
        return false;
    }
  }

  #around({ start, end }: AnyNode, before: string, after: string): boolean {
    this.wrong.push([start, start, before], [end, end, after]);
    return true;
  }

  #put({ start, end }: AnyNode, text: string): boolean {
    this.wrong.push([start, end, text]);
    return true;
  }
}

function rootOf(node: AnyNode): AnyNode {
  if (node.type === "MemberExpression") return rootOf(node.object);
  return node.type === "CallExpression" ? rootOf(node.callee) : node;
}

const nameOf = (node: AnyNode): string => (node.type === "Identifier" ? node.name : "");

/** The members before one, and the call of `expect` that they begin with. */
function chainOf(node: AnyNode): { names: string[]; expects: (AnyNode & { type: "CallExpression" }) | null } {
  if (node.type === "MemberExpression") {
    const inner = chainOf(node.object);
    return { names: [...inner.names, nameOf(node.property)], expects: inner.expects };
  }
  if (node.type === "CallExpression") {
    if (/^expect$/.test(nameOf(rootOf(node.callee)))) return { names: [], expects: node };
    return chainOf(node.callee);
  }
  return { names: [], expects: null };
}

/** With `*` for what is not known before the file runs. */
function titleOf(node: AnyNode): string {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  return node.type === "TemplateLiteral" ? node.quasis.map(({ value }) => value.cooked ?? "").join(UNKNOWN) : UNKNOWN;
}
