import { expect, test } from "vitest";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { spliced } from "./splice.ts";
import { fileTask } from "./task.ts";

/** An answer for the function that begins in a line; without one, the last of the name. */
function put(file: string, text: string, definition: string, answer: string, line?: number): string | null {
  return spliced(fileTask(file, text, { name: definition, definition, line }, "", ""), text, answer);
}

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
    expect(put(`a${LANGUAGES[language].extensions[0]}`, file, entryPoint, answer)).toBe(now);
  },
);

const JAVA = "class Half {\n  int of(int x) { return x; }\n  class Of {\n    int of(long x) { return 1; }\n  }\n}\n";

test("of several functions of a name the one that is meant takes the answer, alone or as a whole file", () => {
  const answer = "int of(int x) { return x / 2; }";
  const now = JAVA.replace("return x;", "return x / 2;");
  expect(put("Half.java", JAVA, "of", answer, 2)).toBe(now);
  expect(put("Half.java", JAVA, "of", now.replaceAll("  ", "    "), 2)).toContain("  int of(int x) { return x / 2; }");
  expect(put("Half.java", JAVA, "of", "int of(long x) { return 2; }", 4)).toBe(JAVA.replace("return 1", "return 2"));
});

test.each([
  ["another function", "func Third(x int) int { return x / 3 }"],
  ["a file with imports", 'package p\nimport "fmt"\nfunc Half(x int) int { fmt.Println(x); return x / 2 }'],
  ["two functions", "func Half(x int) int { return by(x) }\nfunc by(x int) int { return x / 2 }"],
  ["a body", "return x / 2"],
])("%s is put together by the language", (_, answer) => {
  expect(put("a.go", GO, "Half", answer)).toBeNull();
});

test("Python is", () => {
  expect(put("a.py", "def f(): pass\n", "f", "def f(): return 1\n")).toBeNull();
});

test("the examples of a docstring end where it does", () => {
  const text = 'def half(x):\n    """Half.\n\n    >>> half(4)\n    2.0\n    """\n    return x * 2\n';
  const name = { name: "half", definition: "half" };
  expect(fileTask("half.py", text, name, "", "").exampleTest).toBe(">>> half(4)\n2.0");
});
