import { expect, test } from "vitest";
import { functionIn, parse } from "../../syntax/grammar.ts";
import { javaGrammar } from "../java/grammar.ts";

test("the outermost function within lines is found: a method, and none where there is none", async () => {
  const java = "class A {\n    @Deprecated\n    int f() {\n        return 1;\n    }\n}\n";
  const root = await parse(javaGrammar, java);
  expect(functionIn(javaGrammar, root, { start: 2, end: 5 })?.childForFieldName("name")?.text).toBe("f");
  expect(functionIn(javaGrammar, root, { start: 4, end: 4 })).toBeNull();
});
