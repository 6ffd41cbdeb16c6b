/** Tests in JavaScript and TypeScript whose expectations are wrong, by edits of their text. */

import { tsPlugin } from "@sveltejs/acorn-typescript";
import { type AnyNode, type Options, Parser } from "acorn";
import type { TextEdit } from "../project/edits.ts";
import { ASSERTER, EQUAL, EQUAL_NAME, NEGATION, OPPOSITES, TESTS, THROWS, TOLERANT, TRUTH } from "./assertions.ts";
import { type Draw, throwing, type WrongTests } from "./draw.ts";

const MOST_BYTES = 2_000_000;
const MOST_DEPTH = 400;

/** @throws Error where the text is no JavaScript or TypeScript */
export function wrongJavaScript(text: string, draws: readonly Draw[], token: string): WrongTests {
  if (text.length > MOST_BYTES) throw new Error("a file is too long");
  const program = parsed(text);
  const files = draws.map((draw) => {
    const file = new ScriptTests(text, draw, token);
    file.walk(program, 0);
    return file;
  });
  const { reaching = [], starts = [] } = files[0] ?? {};
  return { wrong: files.map(({ wrong }) => wrong), reaching, starts };
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
  readonly starts: TextEdit[] = [];
  readonly #text: string;
  readonly #draw: Draw;
  readonly #token: string;

  constructor(text: string, draw: Draw, token: string) {
    this.#text = text;
    this.#draw = draw;
    this.#token = token;
  }

  /** Changes the assertions in a node. */
  walk(node: AnyNode, depth: number): void {
    if (depth > MOST_DEPTH) return;
    const { start } = node;
    const isChanged =
      node.type === "CallExpression"
        ? this.#assertion(node.callee, node.arguments)
        : node.type === "MemberExpression" && this.#chained(node);
    if (isChanged) this.reaching.push([start, start, `void (() => { ${throwing(this.#token)} })() || `]);
    if (isChanged) return;
    if (node.type === "CallExpression") this.#test(node.callee, node.arguments);
    for (const child of childrenOf(node)) this.walk(child, depth + 1);
  }

  /** A call that gives a test its function: there it begins. */
  #test(callee: AnyNode, given: readonly AnyNode[]): void {
    const test = given.findLast((one) => /^(?:Arrow)?FunctionExpression$/.test(one.type));
    if (given.length < 2 || !TESTS.test(nameOf(rootOf(callee)))) return;
    if (test?.type !== "ArrowFunctionExpression" && test?.type !== "FunctionExpression") return;
    const { body } = test;
    if (body.type === "BlockStatement") this.starts.push([body.start + 1, body.start + 1, ` ${throwing(this.#token)}`]);
    else this.starts.push([body.start, body.end, `{ ${throwing(this.#token)} }`]);
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
      return EQUAL.test(name) && first !== undefined && this.#value(first, TOLERANT.test(name));
    }
    if (chain.names.includes("should"))
      return !isNegated && EQUAL.test(name) && first !== undefined && this.#value(first);
    if (!ASSERTER.test(nameOf(rootOf(callee))) || !first) return false;
    if (TRUTH.test(name)) return this.#around(first, "!(", ")");
    if (isNegated) return false;
    if (THROWS.test(name))
      return this.#put(
        first,
        /function|=>/.test(this.#text.slice(first.start, first.end)) ? "() => {}" : "Promise.resolve()",
      );
    return EQUAL.test(name) && second ? this.#expected(first, second, TOLERANT.test(name)) : false;
  }

  /** `sinon.assert.calledWith(spy, x)` */
  #spied(property: AnyNode, name: string, expected: AnyNode | undefined): boolean {
    if (/^(?:always)?called(?:Once)?With|^callCount$/i.test(name) && expected) return this.#value(expected);
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

  #expected(actual: AnyNode, expected: AnyNode, tolerant = false): boolean {
    return this.#other(expected, tolerant) || this.#other(actual, tolerant) || this.#around(expected, "[", ", 0]");
  }

  #value(expected: AnyNode, tolerant = false): boolean {
    return this.#other(expected, tolerant) || this.#around(expected, "[", ", 0]");
  }

  /** Puts another value in the place of a literal; false if the node is not a literal. */
  #other(node: AnyNode, tolerant: boolean): boolean {
    const draw = this.#draw;
    const some = (nodes: readonly (AnyNode | null)[]) =>
      draw.shuffled(nodes).some((one) => one !== null && this.#other(one, tolerant));
    switch (node.type) {
      case "Literal":
        if (typeof node.value === "string") return this.#put(node, JSON.stringify(draw.text(node.value)));
        if (typeof node.value === "number") return this.#put(node, String(draw.number(node.value, tolerant)));
        if (typeof node.value === "boolean") return this.#put(node, String(!node.value));
        return node.value === null && !("regex" in node) && !("bigint" in node) ? this.#put(node, "0") : false;
      case "TemplateLiteral": {
        const [only] = node.quasis;
        const isText = node.quasis.length === 1 && only !== undefined;
        return isText && this.#put(node, JSON.stringify(draw.text(only.value.cooked ?? "")));
      }
      case "Identifier":
        return node.name === "undefined" ? this.#put(node, "0") : false;
      case "UnaryExpression":
        return /^[-+]$/.test(node.operator) && this.#other(node.argument, tolerant);
      case "ArrayExpression":
        return node.elements.length === 0 ? this.#put(node, "[0]") : some(node.elements);
      case "ObjectExpression":
        if (node.properties.length === 0) return this.#put(node, "{ a: 0 }");
        return some(node.properties.map((one) => (one.type === "Property" ? one.value : null)));
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
