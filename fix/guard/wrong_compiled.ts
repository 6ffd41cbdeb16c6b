/** Tests in Go, Rust, Java and C++ whose expectations are wrong. */

import { oneOf } from "../../utils/base/text/patterns.ts";
import type { Node } from "../../utils/search/syntax/tree.ts";
import type { Draw } from "./draw.ts";
import { CALLS, callOf, Expectations, isText, TOLERANT, unwrapped } from "./expectations.ts";

/** What compares two values; what says that one is true; what fails a test of Go. */
const EQUAL = new RegExp(
  `^${oneOf(
    /(?:debug_|prop_)?assert_eq/,
    /assert(?:Array|Iterable|Lines)?Equals|assertSame|isEqualTo/,
    /(?:EXPECT|ASSERT)_(?:EQ|STREQ|DOUBLE_EQ|FLOAT_EQ|NEAR)/,
    /(?:Exactly|Deep)?Equalf?|EqualValuesf?|InDeltaf?|Lenf?/,
  )}$`,
);
const TRUE = /^(?:assert|debug_assert|REQUIRE|CHECK|(?:EXPECT|ASSERT)_TRUE|assertTrue|Truef?)$/;
const OPPOSITE = new Map([
  ["assertFalse", "assertTrue"],
  ["assertNull", "assertNotNull"],
  ["assertNotNull", "assertNull"],
  ["assertNotEquals", "assertEquals"],
  ["EXPECT_FALSE", "EXPECT_TRUE"],
  ["ASSERT_FALSE", "ASSERT_TRUE"],
  ["EXPECT_NE", "EXPECT_EQ"],
  ["ASSERT_NE", "ASSERT_EQ"],
  ["EXPECT_LT", "EXPECT_GE"],
  ["EXPECT_GT", "EXPECT_LE"],
  ["assert_ne", "assert_eq"],
]);
const FAILS = /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|Fatalln|panic|abort|exit)$/;
const BLOCK = /^(?:block|compound_statement)$/;

/** Macros of Rust as calls: a parser reads what is in a macro as words alone. The text stays as long as it was. */
export const withoutMacros = (text: string): string => text.replace(/\b(\w*assert\w*|panic)!/g, "$1 ");

export class CompiledExpectations extends Expectations {
  /** Blocks in which a call fails the test. */
  #failingBlocks: ReadonlySet<Node | null> = new Set();

  constructor(draw: Draw) {
    super(draw, { not: ["!(", ")"], unlike: null, insteadOf: {} });
  }

  change(root: Node): void {
    const failing = root.descendantsOfType(CALLS).filter((call) => FAILS.test(callOf(call).name));
    this.#failingBlocks = new Set(failing.map(blockOf));
    for (const node of root.descendantsOfType([...CALLS, "assert_statement", "if_statement", "if_expression"])) {
      const [first] = node.namedChildren;
      if (node.type.startsWith("if_")) this.#failing(node);
      else if (node.type === "assert_statement") first && this.condition(first);
      else this.#call(node);
    }
  }

  protected expected(left: Node, right: Node): boolean {
    return this.other(right) || this.other(left);
  }

  #call(node: Node): void {
    const { name, word, given } = callOf(node);
    const opposite = OPPOSITE.get(name);
    const [first] = given;
    if (opposite !== undefined && word) this.put(word, opposite);
    else if (EQUAL.test(name)) this.#equal(given.slice(0, 3), TOLERANT.test(name) || given.length > 2);
    else if (TRUE.test(name)) {
      const condition = given.find((one) => !isText(one) && one.text !== "t");
      if (condition) this.condition(condition);
    } else if (name === "assertThrows" && first) this.put(first, "java.io.IOError.class");
  }

  /** The expected value is a literal or holds one; which argument it is differs. */
  #equal(given: readonly Node[], tolerant: boolean): boolean {
    return (
      given.some((one) => this.other(one, tolerant)) ||
      given.toReversed().some((one) => this.otherWithin(one, tolerant))
    );
  }

  /** `if got != 80 { t.Error(...) }`: it fails where it passed. */
  #failing(node: Node): void {
    const written = node.childForFieldName("condition");
    const block = node.childForFieldName("consequence");
    const condition = written && unwrapped(written);
    // A check that there is no error expects no value.
    if (!condition || !block || /^let_|declaration$/.test(condition.type) || /!=\s*nil$/.test(condition.text)) return;
    if (this.#failingBlocks.has(block)) this.condition(condition, "!=");
  }
}

/** The innermost block around a node. */
function blockOf(node: Node): Node | null {
  let at = node.parent;
  while (at && !BLOCK.test(at.type)) at = at.parent;
  return at;
}
