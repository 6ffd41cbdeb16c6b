/** Source between a model and the sandbox, checked with the real Python. */
// @module-tag ci

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { importedNames, topLevelBlocks } from "../languages/python/blocks.ts";
import { mentions, scan } from "../languages/python/scan.ts";
import { anyCharacter } from "../testing/characters.ts";
import { ALSO_DEEP, DEEP, runs } from "../testing/repeats.ts";
import {
  assembleProgram,
  extractFunction,
  hasDunderMain,
  injectMainForTesting,
  stripInjectedMain,
} from "./code_postprocess.ts";
import type { VisibleTask } from "./task.ts";

/** Runs a Python script with `input` as JSON on its standard input; what it prints is JSON. */
function python<T>(script: string, input: unknown, shape: z.ZodType<T>): T {
  const run = spawnSync("python3", ["-c", script], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return shape.parse(JSON.parse(run.stdout));
}

function task(more: Partial<VisibleTask> = {}): VisibleTask {
  return {
    id: "t",
    language: "python",
    entryPoint: "total",
    instruction: "",
    declaration: "import math\n\n\ndef half(x):\n    return x / 2\n\n\ndef total(xs):\n",
    buggyCode: "    return sum(xs) - 1\n",
    epilogue: "",
    exampleTest: "",
    ...more,
  };
}

const HELPERS = "import math\n\n\ndef half(x):\n    return x / 2\n\n\n";
const FIXED = "def total(xs):\n    return sum(xs)\n";

describe("assembleProgram", () => {
  const whole = HELPERS + FIXED;
  const cases: [name: string, answer: string, program: string][] = [
    ["the function alone keeps imports and helpers", FIXED, whole],
    ["the function without a last line break", FIXED.trim(), whole],
    ["the whole program is not doubled", whole, whole],
    ["Windows line ends", whole.replaceAll("\n", "\r\n"), whole],
    ["everything indented", FIXED.replace(/^/gm, "    ").trimEnd(), whole],
    ["only the body", "    return sum(xs)\n", whole],
    ["only the body, dedented", "return sum(xs)", whole],
    [
      "a body whose first line lost its indentation",
      "n = 0\n    for x in xs:\n        n += x\n    return n",
      `${HELPERS}def total(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n`,
    ],
    [
      "a body that starts with a block and was trimmed",
      "for x in xs:\n        n = x\n    return n",
      `${HELPERS}def total(xs):\n    for x in xs:\n        n = x\n    return n\n`,
    ],
    [
      "a body with a helper of its own",
      "def add(a, b):\n    return a + b\nreturn add(*xs)",
      `${HELPERS}def total(xs):\n    def add(a, b):\n        return a + b\n    return add(*xs)\n`,
    ],
    [
      "a body with a string over several lines",
      's = """\nas is\n"""\nreturn s',
      `${HELPERS}def total(xs):\n    s = """\nas is\n"""\n    return s\n`,
    ],
    ["a body and then a test", "    return sum(xs)\n\nprint(total([1]))", whole],
    [
      "a body that needs a helper behind it",
      "    return add(xs)\n\n\ndef add(xs):\n    return sum(xs)\n",
      `${HELPERS}def total(xs):\n    return add(xs)\n\n\ndef add(xs):\n    return sum(xs)\n`,
    ],
    [
      "a new import before the function",
      `import itertools\n\n${FIXED}`,
      `import math\n\n\ndef half(x):\n    return x / 2\nimport itertools\n\n\n${FIXED}`,
    ],
    [
      "an import from the future comes first",
      `from __future__ import annotations\n${FIXED}`,
      `from __future__ import annotations\n${whole}`,
    ],
    [
      "a wider import replaces the narrow one",
      `import math, os\n\n${FIXED}`,
      whole.replace("import math", "import math, os"),
    ],
    [
      "an own version of a helper replaces it in place",
      `def half(x):\n    return x // 2\n\n\n${FIXED}`,
      whole.replace("x / 2", "x // 2"),
    ],
    [
      "a new helper stands before the function",
      `def add(a, b):\n    return a + b\n\n\n${FIXED}`,
      `${HELPERS.trimEnd()}\ndef add(a, b):\n    return a + b\n\n\n${FIXED}`,
    ],
    ["a decorator", `@staticmethod\n${FIXED}`, `${HELPERS}@staticmethod\n${FIXED}`],
    ["async code", `async ${FIXED}`, `${HELPERS}async ${FIXED}`],
    [
      "another signature and a docstring",
      'def total(xs, start=0):\n    """Adds."""\n    return sum(xs, start)\n',
      `${HELPERS}def total(xs, start=0):\n    """Adds."""\n    return sum(xs, start)\n`,
    ],
    ["a lambda", "total = lambda xs: sum(xs)", `${HELPERS}total = lambda xs: sum(xs)\n`],
    [
      "a class around the function",
      "class Solution:\n    def total(self, xs):\n        return sum(xs)\n",
      `${HELPERS.trimEnd()}\nclass Solution:\n    def total(self, xs):\n        return sum(xs)\n\n\ntotal = Solution().total\n`,
    ],
    ["an own main", `${FIXED}\n\nif __name__ == "__main__":\n    print(total([1]))\n`, whole],
    ["the injected test", injectMainForTesting(FIXED, "check(total)"), whole],
    ["asserts, prints and check()", `${FIXED}\nassert total([1]) == 1\nprint("ok")\ncheck(total)\n`, whole],
    [
      "a test that goes through variables and a loop",
      `${FIXED}\ncases = [total([1])]\nfor case in cases:\n    print(case)\n`,
      whole,
    ],
    ["two versions: the last", `def total(xs):\n    return 0\n\nprint(total([]))\n\n${FIXED}`, whole],
    [
      "a cache that the function reads stays",
      `${FIXED.replace("sum(xs)", "CACHE[0]")}\n\nCACHE = [3]\n`,
      `${HELPERS}def total(xs):\n    return CACHE[0]\n\n\nCACHE = [3]\n`,
    ],
    ["an attribute of the function stays", `${FIXED}total.memo = {}\n`, `${whole}total.memo = {}\n`],
    [
      "a higher recursion limit stays",
      `${FIXED}sys.setrecursionlimit(9999)\n`,
      `${whole}sys.setrecursionlimit(9999)\n`,
    ],
    ["words come back as they are", "I cannot see a bug here.", "I cannot see a bug here."],
    ["another function comes back as it is", "def other(x):\n    return x\n", "def other(x):\n    return x\n"],
    ["nothing comes back as it is", "", ""],
  ];
  test.each(cases)("%s", DEEP, (_, answer, program) => expect(assembleProgram(task(), answer)).toBe(program));

  const file = task({
    declaration:
      '"""Sums."""\nfrom __future__ import annotations\nfrom typing import List\n\nSCALE = 2\n\n\n@cached\ndef total(xs: List[int]) -> int:\n    """Adds."""\n',
    buggyCode: "    return sum(xs) * 0\n\n\n",
    epilogue: 'def after():\n    return total([SCALE])\n\n\nif __name__ == "__main__":\n    print(after())\n# end\n',
  });
  const head = file.declaration.slice(0, file.declaration.indexOf("@cached"));
  const signature = "def total(xs: List[int]) -> int:\n";

  test("a body takes the place of the body, and what follows stays", () => {
    expect(assembleProgram(file, "    return sum(xs)\n")).toBe(
      `${file.declaration}    return sum(xs)\n\n\n${file.epilogue}`,
    );
  });

  test("the whole file gives the whole file", () => {
    const fixed = `${file.declaration}    return sum(xs)\n\n\n${file.epilogue}`;
    expect(assembleProgram(file, fixed)).toBe(fixed);
  });

  test("the function takes the place of the function with its decorators", () => {
    const fixed = `${signature}    return sum(xs)`;
    expect(assembleProgram(file, fixed)).toBe(`${head}${fixed}\n\n\n${file.epilogue}`);
  });

  test("a changed constant, a changed later function and a new main", () => {
    const answer = `SCALE = 3\n\n${signature}    return sum(xs)\n\ndef after():\n    return 1\n\nif __name__ == "__main__":\n    total([])\n`;
    const program = `${head}${signature}    return sum(xs)\n\n\n${file.epilogue}`;
    expect(assembleProgram(file, answer)).toBe(
      program.replace("SCALE = 2", "SCALE = 3").replace("total([SCALE])", "1"),
    );
  });

  test("a new docstring or import never pushes an import from the future down", () => {
    const answer = `"""Fixed."""\nimport os\n\n${signature}    return sum(xs)\n`;
    const [compiles] = python(COMPILES, [assembleProgram(file, answer)], z.array(z.string()));
    expect(compiles).toBe("");
  });

  test("a procedure's body needs no return", () => {
    const procedure = task({ buggyCode: "    xs.clear()\n" });
    expect(assembleProgram(procedure, "xs.append(1)")).toBe(`${HELPERS}def total(xs):\n    xs.append(1)\n`);
  });

  test("a task whose function is a class", () => {
    const type = task({ entryPoint: "Box", declaration: "import math\n\n\nclass Box:\n", buggyCode: "    size = 1\n" });
    expect(assembleProgram(type, "class Box:\n    size = 2\n")).toBe("import math\n\n\nclass Box:\n    size = 2\n");
  });

  test("a declaration without the function gives the answer as it is", () => {
    expect(assembleProgram(task({ declaration: "x = 1\n" }), FIXED)).toBe(FIXED);
  });

  test("never throws, whatever is sent", ALSO_DEEP, () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          'def total(xs):¦\n¦    ¦return xs¦"""¦\'¦(¦)¦\\¦#¦@d¦import a¦class A:¦if x:¦else:¦\t¦:¦=¦total',
          "from __future__ import x",
        ].flatMap((line) => line.split("¦")),
      ),
      fc.string({ unit: anyCharacter, maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(typeof assembleProgram(file, pieces.join(""))).toBe("string");
      }),
      { numRuns: runs(500) },
    );
  });
});

const COMPILES = `
import json, sys
def problem(source):
    try:
        compile(source, "answer", "exec")
        return ""
    except (SyntaxError, ValueError) as error:
        return str(error)
print(json.dumps([problem(source) for source in json.load(sys.stdin)]))
`;

const data = resolve(process.env.MEND_SHARED_DATA ?? "../shared/data", "humanevalfix-dev.jsonl");
const Fix = z.object({
  task_id: z.string(),
  entry_point: z.string(),
  declaration: z.string(),
  canonical_solution: z.string(),
  buggy_solution: z.string(),
});

/** For each program: whether it is the expected one as a syntax tree, helpers and imports included. */
const SAME_TREE = `
import ast, json, sys
def verdict(case):
    try:
        return ast.dump(ast.parse(case["program"])) == ast.dump(ast.parse(case["expected"]))
    except SyntaxError as error:
        return False
print(json.dumps([verdict(case) for case in json.load(sys.stdin)]))
`;

describe.skipIf(!existsSync(data))(
  "assembleProgram on the development tasks (skipped where ../shared/data is absent)",
  () => {
    const rows = existsSync(data)
      ? readFileSync(data, "utf8")
          .trim()
          .split("\n")
          .map((line) => Fix.parse(JSON.parse(line)))
      : [];

    /** The shapes an answer comes in, made from the correct program. */
    const shapes: Record<string, (row: z.infer<typeof Fix>) => string> = {
      "the function alone": (row) =>
        extractFunction(row.declaration + row.canonical_solution, row.entry_point)?.text ?? "",
      "the whole program": (row) => row.declaration + row.canonical_solution,
      "the body": (row) => row.canonical_solution,
      "the body, dedented": (row) => row.canonical_solution.replace(/^ {4}/gm, ""),
      "the body, trimmed": (row) => row.canonical_solution.trim(),
      "the function and tests": (row) =>
        `${shapes["the function alone"]?.(row)}\n\nassert ${row.entry_point}(1)\nprint(${row.entry_point}(2))\n`,
      "the buggy function, then the whole program": (row) =>
        `${row.declaration}${row.buggy_solution}\n\n${row.declaration}${row.canonical_solution}`,
    };

    test("every shape of the correct answer gives the correct program", DEEP, () => {
      const programs = Object.entries(shapes).flatMap(([shape, answer]) =>
        rows.map((row) => ({
          name: `${row.task_id}: ${shape}`,
          program: assembleProgram(
            task({ entryPoint: row.entry_point, declaration: row.declaration, buggyCode: row.buggy_solution }),
            answer(row),
          ),
          expected: row.declaration + row.canonical_solution,
        })),
      );
      const same = python(SAME_TREE, programs, z.array(z.boolean()));
      expect(programs.filter((_, at) => !same[at]).map(({ name }) => name)).toEqual([]);
      expect(same).toHaveLength(82 * Object.keys(shapes).length);
    });
  },
);

describe("the injected test", () => {
  const own = 'x = 1\nif __name__ == "__main__":\n    raise SystemExit("own main ran")\nelse:\n    y = 2\n';

  test("runs, and the program's own main does not", () => {
    const program = injectMainForTesting(
      own,
      'text = """a\n b"""\nassert (x, y, text) == (1, 2, "a\\n b")\nprint("harness ran")',
    );
    const run = spawnSync("python3", ["-c", program], { encoding: "utf8" });
    expect(run.stdout + run.stderr).toBe("harness ran\n");
  });

  test("does not run when the program is imported", () => {
    const program = injectMainForTesting("x = 1", "raise SystemExit(3)");
    const run = spawnSync("python3", ["-c", "import sys; exec(sys.stdin.read(), {'__name__': 'm'})"], {
      input: program,
    });
    expect(run.status).toBe(0);
  });

  test("an empty one is still a program", () => {
    expect(
      python(COMPILES, [injectMainForTesting("x = 1", ""), injectMainForTesting("", "# nothing")], z.array(z.string())),
    ).toEqual(["", ""]);
  });

  test("replaces an earlier one", () => {
    expect(injectMainForTesting(injectMainForTesting(own, "a"), "b")).toBe(injectMainForTesting(own, "b"));
  });

  test("a copy whose end a model left out is removed as well", () => {
    const cut = injectMainForTesting(FIXED, "check(total)").split("# <<<")[0] ?? "";
    expect(stripInjectedMain(cut)).toBe(FIXED);
  });

  const source = fc.array(
    fc.oneof(
      fc.constantFrom(
        own,
        FIXED,
        "\n",
        '"""',
        "'",
        "(",
        "if __name__ == '__main__':\n    pass\n",
        "# <<< mend: injected test\n",
        "\\",
        "    ",
      ),
      fc.string(),
    ),
    { maxLength: 12 },
  );

  test("is removed exactly", ALSO_DEEP, () => {
    fc.assert(
      fc.property(
        source,
        fc.oneof(fc.string(), fc.constantFrom(own, "# <<< mend: injected test", "'''")),
        (pieces, harness) => {
          const code = pieces.join("");
          expect(stripInjectedMain(injectMainForTesting(code, harness))).toBe(code);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test("removing twice removes no more than removing once", ALSO_DEEP, () => {
    const marks = fc.constantFrom(
      "\n# >>> mend: injected test\n",
      "# <<< mend: injected test\n",
      'if False if "mend: own main is off" else x:\n',
      "\n",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(marks, fc.string()), { maxLength: 12 }), (pieces) => {
        const once = stripInjectedMain(pieces.join(""));
        expect(stripInjectedMain(once)).toBe(once);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("hasDunderMain", () => {
  test.each([
    ['if __name__ == "__main__":\n    f()', true],
    ["if __name__=='__main__': f()", true],
    ['if "__main__" == __name__:\n    f()', true],
    ['if (__name__ == "__main__"):\n    f()', true],
    ['x = """\nif __name__ == "__main__":\n"""', false],
    ['# if __name__ == "__main__":', false],
    ['def f():\n    if __name__ == "__main__":\n        pass', false],
    ['print("__main__")', false],
    ["", false],
  ])("%j: %s", (code, expected) => expect(hasDunderMain(code)).toBe(expected));
});

describe("extractFunction", () => {
  const decorated = "@a\n@b(\n    1)\nasync def f(x):\n    # why\n\n    return x\n";
  test.each([
    ["decorators and async", `x = 1\n${decorated}y = 2\n`, decorated],
    ["of two the last", `def f(): pass\ndef f(x): return x\n`, "def f(x): return x\n"],
    ["a class", "class f:\n    def g(self): pass\n\nx = f()", "class f:\n    def g(self): pass\n"],
    ["a def in a string is none", 'x = """\ndef f(): pass\n"""\n', undefined],
    ["a def in a comment is none", "# def f(): pass\n", undefined],
    ["a nested def is none", "def g():\n    def f(): pass\n", undefined],
    ["a longer name is another", "def ff(): pass\n", undefined],
    [
      "a string that looks like an end",
      'def f():\n    s = """\nx = 1\n"""\n    return s\nx = 2\n',
      'def f():\n    s = """\nx = 1\n"""\n    return s\n',
    ],
    ["brackets over column 0", "def f(\nx,\n):\n    return (\nx\n)\ny = 1", "def f(\nx,\n):\n    return (\nx\n)\n"],
    ["a continued line", "def f(x): \\\n  return x\ny = 1", "def f(x): \\\n  return x\n"],
    ["quotes in quotes", `def f():\n    return '"""' + "'" # """\ny = 1`, `def f():\n    return '"""' + "'" # """\n`],
    ["no line break at the end", "def f(): return 1", "def f(): return 1"],
  ])("%s", DEEP, (_, code, text) => {
    const span = extractFunction(code, "f");
    expect(span?.text).toBe(text);
    if (span) expect(code.slice(span.start, span.end)).toBe(text);
  });
});

/** Line ranges of the top-level statements of standard library modules, as Python's own parser sees them. */
const STATEMENTS = `
import ast, json, pathlib, sysconfig
def ranges(source):
    lines = []
    for node in ast.parse(source).body:
        first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
        if lines and first <= lines[-1][1]:
            lines[-1][1] = max(lines[-1][1], node.end_lineno)
        else:
            lines.append([first, node.end_lineno])
    return lines
files = sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py"))[:80]
sources = [f.read_text(encoding="utf8", errors="replace") for f in files]
print(json.dumps([{"source": s, "ranges": ranges(s)} for s in sources if "\\f" not in s]))
`;

describe("the lexical reader", () => {
  test("finds the same statements as Python's parser in the standard library", DEEP, () => {
    const modules = python(
      STATEMENTS,
      null,
      z.array(z.object({ source: z.string(), ranges: z.array(z.tuple([z.number(), z.number()])) })),
    );
    expect(modules.length).toBeGreaterThan(50);
    for (const { source, ranges } of modules) {
      let line = 1;
      let at = 0;
      const found = topLevelBlocks(source).blocks.map(({ start, text }) => {
        line += source.slice(at, start).split("\n").length - 1;
        at = start;
        return [line, line + text.trimEnd().split("\n").length - 1];
      });
      expect(found).toEqual(ranges);
    }
  });

  test("loses no character", ALSO_DEEP, () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom("def f():\n", "    x\n", "@a\n", "# c\n", '"""', "(", "\n", "else:\n"), fc.string()),
          { maxLength: 15 },
        ),
        (pieces) => {
          const code = pieces.join("");
          const { blocks, tail } = topLevelBlocks(code);
          expect(blocks.map(({ lead, text }) => lead + text).join("") + tail).toBe(code);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test.each([
    ["x = 1", true, true],
    ["x = (1,", false, true],
    ['x = """a', false, false],
    ["x = 'a", false, false],
    ["x = 'a\ny = 1", true, false],
    ["x = 1 \\", false, false],
    ["x = 1)", true, false],
    ["x = [')', '''\n''', # (\n]", true, true],
  ])("%j: complete %s, sound %s", (code, complete, sound) => expect(scan(code)).toMatchObject({ complete, sound }));

  test("names in strings, comments and numbers are not used", () => {
    expect(["a", "b", "e", "x"].map((name) => mentions('a = "b" # b\nc = 1e5 + 0x1f', name))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test.each([
    ["import a.b, c as d", ["a.b", "c=d"]],
    ["from a import (\n    b as c,  # why\n    d,\n)", ["a.b=c", "a.d=d"]],
    ["from .a import *", [".a.*=*"]],
  ])("%j binds %j", (statement, names) => expect(importedNames(statement)).toEqual(names));
});
