import { expect, test } from "vitest";
import { moduleAdvice } from "./module_advice.ts";

/** As jest 29 says it. */
const ofJest = (file: string) => `    Jest encountered an unexpected token

    Details:

    ${file}:1
    ({"Object.<anonymous>":function(module,exports,require){import { pages } from "./pages";
                                                            ^^^^^^
    SyntaxError: Cannot use import statement outside a module`;
const OF_NODE = `/x/pages.js:1
import { pages } from "./pages.js";
^^^^^^
SyntaxError: Cannot use import statement outside a module`;

test.each([
  [ofJest("/x/pages.test.js"), /babel-jest and @babel\/preset-env/],
  [ofJest("/x/pages.test.ts"), /ts-jest.*@babel\/preset-typescript/],
  [ofJest("/x/node_modules/@a/b/index.js"), /transformIgnorePatterns.*@a\/b is written as an ES module/],
  [OF_NODE, /"type": "module"/],
])("what is missing is named: %j", (text, advice) => expect(moduleAdvice(text)).toMatch(advice));

test("other errors than those of modules have no advice", () => {
  expect(moduleAdvice("TypeError: pages is not a function")).toBeNull();
});
