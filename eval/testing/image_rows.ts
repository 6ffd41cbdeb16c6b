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

/** A set of other images: their files, and a row that a fix of `half` resolves. */
export interface ImageSet {
  name: string;
  files: Readonly<Record<string, string>>;
  row: object;
}

const { "testbed/calc.py": CALC, "testbed/tests/test_calc.py": CALC_TESTS } = IMAGE_FILES;
const GO_FIX =
  "diff --git a/half.go b/half.go\n--- a/half.go\n+++ b/half.go\n@@ -1,3 +1,3 @@\n package half\n \n-func Half(x int) int { return x * 2 }\n+func Half(x int) int { return x / 2 }\n";
const GO_TESTS =
  'package half\n\nimport "testing"\n\nfunc TestZero(t *testing.T) {\n\tif Half(0) != 0 {\n\t\tt.Fatal("not 0")\n\t}\n}\n';
const GO_TEST_FIX = `diff --git a/half_test.go b/half_test.go\n--- a/half_test.go\n+++ b/half_test.go\n@@ -7,3 +7,9 @@ func TestZero(t *testing.T) {\n \t\tt.Fatal("not 0")\n \t}\n }\n+\n+func TestHalf(t *testing.T) {\n+\tif Half(6) != 3 {\n+\t\tt.Fatal("not 3")\n+\t}\n+}\n`;

/** As the images of Multi-SWE-bench, which hold its scripts and both patches. */
export const MULTI_SET: ImageSet = {
  name: "mswebench/mend-test_m_half:pr-7",
  files: {
    "home/half/go.mod": "module example.com/half\n\ngo 1.19\n",
    "home/half/half.go": "package half\n\nfunc Half(x int) int { return x * 2 }\n",
    "home/half/half_test.go": GO_TESTS,
    "home/run.sh": "#!/bin/bash\nset -e\n\ncd /home/half\ngo test -v -count=1 ./...\n",
    "home/fix.patch": GO_FIX,
    "home/test.patch": GO_TEST_FIX,
  },
  row: {
    ...{
      org: "mend-test",
      repo: "half",
      number: 7,
      base: { sha: "0".repeat(40) },
      resolved_issues: [{ title: "half(6) is 12" }],
    },
    ...{ fix_patch: GO_FIX, test_patch: GO_TEST_FIX, f2p_tests: { TestHalf: {} }, p2p_tests: { TestZero: {} } },
  },
};

/** As those of SWE-bench Pro. */
export const PRO_SET: ImageSet = {
  name: "jefzda/sweap-images:mend-test.calc-mend-test__calc-1",
  files: {
    "app/calc.py": CALC,
    "app/tests/test_calc.py": CALC_TESTS,
    "app/conftest.py": "",
    "usr/bin/python": '#!/bin/sh\nPYTHONPATH=/usr/lib/python3/dist-packages exec python3 "$@"\n',
  },
  row: {
    ...{
      instance_id: "instance_mend-test__calc-1",
      repo: "mend-test/calc",
      base_commit: "0".repeat(40),
      repo_language: "python",
    },
    ...{
      patch: PATCH,
      test_patch: TEST_PATCH,
      problem_statement: "half(6) is 12",
      requirements: "It halves.",
      interface: "",
    },
    ...{ fail_to_pass: "['tests/test_calc.py::test_half']", pass_to_pass: "['tests/test_calc.py::test_whole']" },
    ...{ dockerhub_tag: "mend-test.calc-mend-test__calc-1", selected_test_files_to_run: "['tests/test_calc.py']" },
    before_repo_set_cmd: "git checkout 1 -- tests/test_calc.py",
  },
};
