import { expect, test } from "vitest";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { counting } from "../testing/by_chance.ts";
import { makeRepository } from "../testing/repositories.ts";
import { prepareForTests } from "../testing/scripted.ts";
import { adviceFor, lastWords } from "./baseline.ts";

const FILES = {
  "half.py": "def half(x):\n    return x * 2\n\n\ndef third(x):\n    return x / 3\n",
  "test_half.py": `import os
import unittest
from half import half, third


class Numbers(unittest.TestCase):
    def test_half(self):
        self.assertEqual(half(4), 2)

    def test_third(self):
        self.assertEqual(third(6), 2)

    def test_first_run(self):
        self.assertNotEqual(os.environ["RUN"], "1")
`,
};

test("few tests are run twice, the second time watched: what fails once is flaky, and what ran is known", async () => {
  using repository = makeRepository(FILES);
  const { box, seen } = counting(await openCommandBox());
  using prepared = await prepareForTests(repository.path, "python3 -m unittest", { box });
  const { baseline, evidence, suspects } = prepared;
  expect(seen.runs).toBe(2);
  expect(baseline.failing.map(({ name }) => name)).toEqual([expect.stringContaining("test_half")]);
  expect(baseline.flaky).toEqual([expect.stringContaining("test_first_run")]);
  expect(evidence?.failing).toMatchObject([{ lines: { "half.py": [1, 2] } }]);
  expect(evidence?.passing).toMatchObject([{ lines: { "half.py": [5, 6] } }]);
  expect(suspects[0]?.name).toBe("half");
});

test("of many tests those that fail run again, and all of them only where one passes alone", async () => {
  const many = Array.from({ length: 120 }, (_, i) => `    def test_${i}(self): pass\n`).join("");
  const test = FILES["test_half.py"].replace("    def test_first_run", `${many}    def test_first_run`);
  using repository = makeRepository({ ...FILES, "test_half.py": test });
  using steady = makeRepository({ ...FILES, "test_half.py": test.replace(/ {4}def test_first_run[\s\S]*/, "") });
  const { box, seen } = counting(await openCommandBox());
  const taken = async (path: string) => {
    seen.runs = 0;
    using prepared = await prepareForTests(path, "python3 -m unittest", { box });
    return { ...prepared.baseline, runs: seen.runs };
  };
  const { passing, flaky, runs } = await taken(steady.path);
  // The first, that of what fails, and one that is watched.
  expect({ passing: passing.length, flaky, runs }).toEqual({ passing: 121, flaky: [], runs: 3 });
  const changing = await taken(repository.path);
  expect(changing.failing.map(({ name }) => name)).toEqual([expect.stringContaining("test_half")]);
  expect(changing.flaky).toEqual([expect.stringContaining("test_first_run")]);
  expect(changing.runs).toBe(4);
});

// Elsewhere vitest does not start by way of a linked node_modules.
test.skipIf((await openCommandBox()).layer !== "bwrap")(
  "what a run of the failing tests skips is not flaky",
  async () => {
    const files = {
      "package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }',
      "half.js": "export const half = (x) => x * 2;\n",
      "half.test.js": `import { expect, it } from "vitest";
import { half } from "./half.js";
it("halves nothing", () => expect(half(0)).toBe(0));
it("halves four", () => expect(half(4)).toBe(2));
`,
    };
    using repository = makeRepository(files, true);
    using prepared = await prepareForTests(repository.path, "vitest run");
    const { failing, passing, flaky } = prepared.baseline;
    expect([failing, passing].map((tests) => tests.map(({ name }) => name))).toEqual([
      ["halves four"],
      ["halves nothing"],
    ]);
    expect(flaky).toEqual([]);
  },
);

test("where no test fails and an issue is given, the tests run once", async () => {
  const passes = FILES["test_half.py"]
    .replace(/ {4}def test_half[\s\S]*?(?= {4}def )/, "")
    .replace(/ {4}def test_first_run[\s\S]*/, "");
  using repository = makeRepository({ ...FILES, "test_half.py": passes });
  const { box, seen } = counting(await openCommandBox());
  using prepared = await prepareForTests(repository.path, "python3 -m unittest", { box, issue: "half(3) is wrong" });
  expect(prepared.baseline.failing).toEqual([]);
  expect(seen.runs).toBe(1);
});

test.each([
  [
    "CMake Error at CMakeLists.txt:4 (find_package):\n  By not providing a file this project has\n  asked for None.\n\n  Add it.",
    "CMake Error at CMakeLists.txt:4 (find_package): By not providing a file this project has asked for None.",
  ],
  [
    "  File \"/tmp/p/shop/add.py\", line 3\n    def add(a, b)\n                 ^\nE   SyntaxError: expected ':'",
    "SyntaxError: expected ':'.",
  ],
  [
    "  File \"shop/add.py\", line 3\n    def add(a, b)\n                 ^\nE   SyntaxError: expected ':'",
    "SyntaxError: expected ':' (shop/add.py, line 3).",
  ],
  ["src/Rates.java:8: error: ';' expected\n  int best = floor\n1 error", "src/Rates.java:8: error: ';' expected."],
  [
    "error: expected `;` --> src/lib.rs:5:23\nerror: could not compile `shop` due to previous error",
    "error: expected `;` --> src/lib.rs:5:23.",
  ],
  ["\u001b[0m\u001b[1m[ERROR] no such artifact\u001b[0m\n", "[ERROR] no such artifact."],
])("the message on a failed build names an error, not the number of errors", (said, words) => {
  expect(lastWords(said)).toBe(words);
});

test("a folder that git does not track is missing in the copy, which is not a failing test", async () => {
  using repository = makeRepository(FILES);
  await expect(prepareForTests(repository.path, "cd build && make check")).rejects.toThrow(
    "cd build && make check runs no tests here: sh: 1: cd: can't cd to build. Tests run in a copy without untracked " +
      "files: create the folder first, mkdir -p build && cd build.",
  );
});

test.each([
  "Cannot access central (https://repo.example/maven2) in offline mode and the artifact org.example:kit:jar:1 is missing",
  "error: no matching package named `kit` found\nAs a reminder, you're using offline mode (--offline)",
  "error: failed to download `itoa v1.0.19`",
  'main.go:3:8: example.com/kit@v1.0.0: Get "https://proxy.example/kit": dial tcp: lookup proxy.example: no host',
])("modules that are missing are fetched with --prepare", (said) => {
  expect(adviceFor(said, "bwrap")).toBe(" If the project's modules are not fetched yet, add --prepare.");
});
