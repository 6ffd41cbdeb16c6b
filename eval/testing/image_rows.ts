/** For tests: rows whose repository is in an image, what is in it, and the replies that repair it. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An image that is made of this machine's files has its pytest. */
export const hasImagePytest = existsSync("/usr/lib/python3/dist-packages/pytest");

/** Stands for a module of Python that is written in C: its `setup.py` makes one file of another. */
export const COMPILED_FILES = {
  "calc.py": 'exec(open(__file__.replace("calc.py", "native.so")).read())\n\n\ndef whole(x):\n    return x\n',
  "native.c": "def half(x): return x * 2\n",
  "native.so": "def half(x): return x * 2\n",
  "setup.py":
    'import shutil, sys\nif sys.argv[2:] == ["build_ext", "--inplace"]:\n    shutil.copyfile("native.c", "native.so")\n',
};
export const COMPILED_PATCH =
  "diff --git a/native.c b/native.c\n--- a/native.c\n+++ b/native.c\n@@ -1 +1 @@\n-def half(x): return x * 2\n+def half(x): return x / 2\n";

/** A project in the layout of SWE-bench's images. */
export const IMAGE_FILES = {
  "testbed/calc.py": "def half(x):\n    return x * 2\n\n\ndef whole(x):\n    return x\n",
  "testbed/tests/test_calc.py": "from calc import whole\n\n\ndef test_whole():\n    assert whole(3) == 3\n",
  "testbed/conftest.py": "",
  "testbed/.git/HEAD": "ref: refs/heads/main\n",
  // As conda's: it puts the environment's programs first.
  "opt/miniconda3/bin/activate": 'export PATH="/opt/miniconda3/envs/$1/bin:$PATH"\n',
  "opt/miniconda3/envs/testbed/bin/python": '#!/bin/sh\nPYTHONPATH=/usr/lib/python3/dist-packages exec python3 "$@"\n',
};
const PATCH =
  "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,5 +1,5 @@\n def half(x):\n-    return x * 2\n+    return x / 2\n \n \n def whole(x):\n";
const TEST_PATCH =
  "diff --git a/tests/test_calc.py b/tests/test_calc.py\n--- a/tests/test_calc.py\n+++ b/tests/test_calc.py\n@@ -1,5 +1,9 @@\n-from calc import whole\n+from calc import half, whole\n \n \n def test_whole():\n     assert whole(3) == 3\n+\n+\n+def test_half():\n+    assert half(6) == 3\n";

const EDIT = { path: "calc.py", old: "x * 2", new: "x / 2" };
/** For a model `script:FILE`. */
export const IMAGE_REPAIR = [
  { turn: 1, reply: `Thought: It doubles.\nAction: edit\nAction Input: ${JSON.stringify(EDIT)}` },
  { reply: "Final Answer: It halves." },
];

/** @returns the path of a file with so many rows */
export function writeImageRows(folder: string, image: string, count: number, patch = PATCH): string {
  const file = join(folder, "rows.jsonl");
  const rows = Array.from({ length: count }, (_, i) => ({
    instance_id: `own__calc-${i + 1}`,
    repo: "own/calc",
    base_commit: "0".repeat(40),
    patch,
    test_patch: TEST_PATCH,
    problem_statement: "half(6) is 12",
    FAIL_TO_PASS: ["tests/test_calc.py::test_half"],
    PASS_TO_PASS: ["tests/test_calc.py::test_whole"],
    image_name: image,
  }));
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}
