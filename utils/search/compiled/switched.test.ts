import { expect, test } from "vitest";
import { cppGrammar } from "./cpp/grammar.ts";
import { functionIn, parse } from "./grammar.ts";
import { javaGrammar } from "./java/grammar.ts";
import { switched } from "./switched.ts";

const CPP = "namespace a {\nint Shop::twice(int x) const {\n    return x * 3;\n}\n}\n";

test("each version is a branch of the function in its own place, in lines of its own; the last is the function as it is", async () => {
  const body = functionIn(cppGrammar, await parse(cppGrammar, CPP), { start: 2, end: 4 })?.childForFieldName("body");
  if (!body) throw new Error("not found");
  const { text, lines } = switched("cpp", CPP, body, [CPP.replace("3", "2"), CPP.replace("* 3", "+ x")]);
  const all = text.split("\n");
  expect(
    lines.map(([first, last]) =>
      all
        .slice(first - 1, last)
        .join("\n")
        .trim(),
    ),
  ).toEqual(["return x * 2;", "return x + x;"]);
  expect(text.startsWith("#include <cstdlib>\nnamespace a {\nint Shop::twice(int x) const { static const int")).toBe(
    true,
  );
  expect(text.match(/mend_at == \d/g)).toEqual(["mend_at == 1", "mend_at == 2"]);
  expect(text.endsWith("} else {\n\n    return x * 3;\n\n}\n}\n}\n")).toBe(true);
});

test("the outermost function within lines is found: a method, and none where there is none", async () => {
  const java = "class A {\n    @Deprecated\n    int f() {\n        return 1;\n    }\n}\n";
  const root = await parse(javaGrammar, java);
  expect(functionIn(javaGrammar, root, { start: 2, end: 5 })?.childForFieldName("name")?.text).toBe("f");
  expect(functionIn(javaGrammar, root, { start: 4, end: 4 })).toBeNull();
});
