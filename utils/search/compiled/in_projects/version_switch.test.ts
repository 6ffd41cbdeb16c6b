import { expect, test } from "vitest";
import { functionIn, parse } from "../../syntax/grammar.ts";
import { cppGrammar } from "../cpp/grammar.ts";
import { goGrammar } from "../go/grammar.ts";
import { javaGrammar } from "../java/grammar.ts";
import { switched } from "./version_switch.ts";

const CPP = "namespace a {\nint Shop::twice(int x) const {\n    return x * 3;\n}\n}\n";

test("each version is a branch of the function in its own place, in lines of its own; the last is the function as it is", async () => {
  const body = functionIn(cppGrammar, await parse(cppGrammar, CPP), { start: 2, end: 4 })?.childForFieldName("body");
  if (!body) throw new Error("not found");
  const { head, versions, tail } = switched("cpp", CPP, body, [CPP.replace("3", "2"), CPP.replace("* 3", "+ x")]);
  expect(versions.map((version) => version.split("\n").slice(1, -1).join("\n").trim())).toEqual([
    "return x * 2;",
    "return x + x;",
  ]);
  const text = head + versions.join("") + tail;
  expect(text.startsWith("#include <cstdlib>\nnamespace a {\nint Shop::twice(int x) const { static const int")).toBe(
    true,
  );
  expect(text.match(/mend_at == \d/g)).toEqual(["mend_at == 1", "mend_at == 2"]);
  expect(text.endsWith("} else {\n\n    return x * 3;\n\n}\n}\n}\n")).toBe(true);
});

test("in Go a file gets one more import behind its package clause", async () => {
  const go = "// Package a counts.\npackage a // so far\n\nfunc Twice(x int) int {\n\treturn x * 3\n}\n";
  const body = functionIn(goGrammar, await parse(goGrammar, go), { start: 4, end: 6 })?.childForFieldName("body");
  if (!body) throw new Error("not found");
  const { head, versions } = switched("go", go, body, [go.replace("3", "2")]);
  expect(head).toBe(
    '// Package a counts.\npackage a; import mend_os "os" // so far\n\nfunc Twice(x int) int { ' +
      'mend_at := mend_os.Getenv("MEND_AT");',
  );
  expect(versions).toEqual([' if (mend_at == "1") {\n\n\treturn x * 2\n\n} else']);
});

test("the outermost function within lines is found: a method, and none where there is none", async () => {
  const java = "class A {\n    @Deprecated\n    int f() {\n        return 1;\n    }\n}\n";
  const root = await parse(javaGrammar, java);
  expect(functionIn(javaGrammar, root, { start: 2, end: 5 })?.childForFieldName("name")?.text).toBe("f");
  expect(functionIn(javaGrammar, root, { start: 4, end: 4 })).toBeNull();
});
