import { expect, test } from "vitest";
import { spliced } from "./splice.ts";

const GO =
  "package p\n\n// Half of x.\nfunc Half(x int) int {\n\treturn x\n}\n\nfunc Twice(x int) int { return x + x }\n";
const CPP =
  "namespace shop {\n  // Half of x.\n  int half(int x) {\n    return x;\n  }\n  int twice(int x) { return 2 * x; }\n}\n";

test.each([
  ["go", "Half", GO, "func Half(x int) int {\n\treturn x / 2\n}\n", GO.replace("return x\n", "return x / 2\n")],
  [
    "go",
    "Half",
    GO,
    "// Halves.\nfunc Half(x int) int {\n\treturn x / 2\n}",
    GO.replace("return x\n", "return x / 2\n"),
  ],
  [
    "go",
    "Half",
    GO,
    GO.replace("// Half of x.\n", "").replace("return x\n", "return x / 2\n"),
    GO.replace("return x\n", "return x / 2\n"),
  ],
  ["cpp", "half", CPP, "int half(int x) {\n  return x / 2;\n}", CPP.replace("return x;", "return x / 2;")],
] as const)(
  "in %s %s takes its own lines: comments and layout of the file stay",
  (language, entryPoint, file, answer, now) => {
    expect(spliced({ language, entryPoint }, file, answer)).toBe(now);
  },
);

test.each([
  ["another function", "func Third(x int) int { return x / 3 }"],
  ["a file with imports", 'package p\nimport "fmt"\nfunc Half(x int) int { fmt.Println(x); return x / 2 }'],
  ["two functions", "func Half(x int) int { return by(x) }\nfunc by(x int) int { return x / 2 }"],
  ["a body", "return x / 2"],
])("%s is put together by the language", (_, answer) => {
  expect(spliced({ language: "go", entryPoint: "Half" }, GO, answer)).toBeNull();
});

test("Python is", () => {
  expect(spliced({ language: "python", entryPoint: "f" }, "def f(): pass\n", "def f(): return 1\n")).toBeNull();
});
