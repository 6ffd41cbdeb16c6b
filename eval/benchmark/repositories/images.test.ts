import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { demand } from "../../../utils/sandbox/container/engine.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { makeImage, podmanForTests } from "../../../utils/testing/container_image.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { repositories } from "./row.ts";
import { sweBenchImage } from "./swe_bench.ts";

const engine = await podmanForTests();
const hasPytest = existsSync("/usr/lib/python3/dist-packages/pytest");

const FILES = {
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

test.skipIf(!engine || !hasPytest)("a row is solved and scored in its image, and nothing is left", DEEP, async () => {
  if (!engine) throw new Error("unreachable");
  await using image = await makeImage(engine, FILES);
  using folder = temporaryFolder();
  const rows = join(folder.path, "rows.jsonl");
  const row = {
    instance_id: "own__calc-1",
    repo: "own/calc",
    base_commit: "0".repeat(40),
    patch: PATCH,
    test_patch: TEST_PATCH,
    problem_statement: "half(6) is 12",
    FAIL_TO_PASS: ["tests/test_calc.py::test_half"],
    PASS_TO_PASS: ["tests/test_calc.py::test_whole"],
    image_name: image.name,
  };
  writeFileSync(rows, `${JSON.stringify(row)}\n`);
  const evaluated = (...more: string[]) =>
    run("eval/pass1.ts", ["--dataset", rows, "--container-engine", "podman", ...more], folder.path);
  const gold = await evaluated("--gold", "--run", "gold");
  expect(gold.stderr + gold.stdout).toContain('"pass":true');
  expect((await evaluated("--empty")).stdout).toContain('"pass":false');
  const edit = `Thought: It doubles.\nAction: edit\nAction Input: ${JSON.stringify({ path: "calc.py", old: "x * 2", new: "x / 2" })}`;
  writeFileSync(
    join(folder.path, "replies.json"),
    JSON.stringify([{ turn: 1, reply: edit }, { reply: "Final Answer: It halves." }]),
  );
  const solved = await evaluated("--model", "script:replies.json", "--few-shot-k", "0", "--run", "solved");
  expect(solved.stdout, solved.stderr).toContain('"pass":true');
  const exported = await run(
    "eval/cli/commands/export.ts",
    ["solved", "--predictions", "--out", "preds.json"],
    folder.path,
  );
  expect(exported.exitCode, exported.stderr).toBe(0);
  const scored = await run("eval/cli/commands/score.ts", ["preds.json", "--dataset", rows], folder.path);
  expect(scored.stdout, scored.stderr).toContain('"successes":1');
  expect(await demand(engine, ["ps", "--all", "--format", "{{.Names}}"])).not.toContain(`mend-${process.pid}`);
});

test("without an engine a sentence tells of the other way", async () => {
  const openEngine = () => Promise.reject(new UserError("No container engine works here: podman is not installed."));
  const openBox = () => Promise.reject(new Error("unreachable"));
  const opened = repositories.open("rows.jsonl", { openEngine, openBox, prepare: false, log: () => {} });
  await expect(opened).rejects.toThrow(/--repositories PATH.*podman is not installed/);
});

test("images of SWE-bench's tasks are named as it names them", () => {
  expect(sweBenchImage("sphinx-doc__sphinx-9698", "sphinx-doc/sphinx")).toBe(
    "swebench/sweb.eval.x86_64.sphinx-doc_1776_sphinx-9698:latest",
  );
  expect(sweBenchImage("a__b-1", "a/b")).toBeUndefined();
});
