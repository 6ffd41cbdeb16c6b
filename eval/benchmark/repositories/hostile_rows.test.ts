// @module-tag deep
/** Rows may be anybody's. What their tests and fields try reaches neither this machine nor hidden tests. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { hasPytest } from "../../../utils/testing/needs.ts";
import { TRIED, triesIn } from "../../testing/hostile_tries.ts";
import { IMAGE_FILES } from "../../testing/image_rows.ts";
import { openRepositoryBenchmark } from "./benchmark.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const HIDDEN = "hidden_words_of_the_test";
const KEY = "key-of-the-user-1234567";
/** What gets through asks this server, or leaves this file. */
let asked = 0;
const server = createServer((_, response) => {
  asked += 1;
  response.end("reached");
});
const portOf = (): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  vi.stubEnv("OPENAI_API_KEY", KEY);
  vi.stubEnv("XDG_CACHE_HOME", at("cache"));
  mkdirSync(at("user"));
  mkdirSync(at("open"));
  // Every user of this machine may read and write here.
  for (const name of [".", "user", "open"]) chmodSync(at(name), 0o777);
  writeFileSync(at("user/secret"), "secret");
  chmodSync(at("user/secret"), 0o666);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  folder[Symbol.dispose]();
});

const CALC = IMAGE_FILES["testbed/calc.py"];
const TESTS = IMAGE_FILES["testbed/tests/test_calc.py"];

const TEST = `
import pytest

@pytest.mark.parametrize("name", list(TRIED))
def test_blocked(name):
    assert not reached(name)
`;

const projectFiles = (): Record<string, string> => ({
  "calc.py": CALC,
  "tests/test_calc.py": TESTS,
  "tests/test_tries.py": triesIn(folder.path, portOf()) + TEST,
});

const written = (name: string, text: string): string =>
  `diff --git a/${name} b/${name}\nnew file mode 100755\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${text}\n`;
const PATCH = `diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,5 +1,5 @@\n def half(x):\n-    return x * 2\n+    return x / 2\n \n \n def whole(x):\n`;
const TEST_PATCH = `diff --git a/tests/test_half.py b/tests/test_half.py\nnew file mode 100644\n--- /dev/null\n+++ b/tests/test_half.py\n@@ -0,0 +1,5 @@\n+from calc import half\n+\n+\n+def test_half():\n+    assert half(6) == 3, "${HIDDEN}"\n`;

/** A row of a repository with these tests. */
function rowOf(more: object = {}) {
  using made = makeRepository(projectFiles());
  symlinkSync(at("user"), made.at("linked"));
  made.git("add", "--all");
  made.git("commit", "--quiet", "--message", "a link that leads out");
  const clone = at("clones/own/calc");
  if (!existsSync(clone)) made.git("clone", "--quiet", ".", clone);
  const base = execFileSync("git", ["-C", clone, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  return {
    ...{ instance_id: "own__calc-1", repo: "own/calc", base_commit: base, patch: PATCH, test_patch: TEST_PATCH },
    ...{ problem_statement: "half(6) is 12", FAIL_TO_PASS: ["tests/test_half.py::test_half"], PASS_TO_PASS: [] },
    mend: { language: "py", framework: "pytest", test_files: ["tests/test_half.py"] },
    ...more,
  };
}

async function opened(row: object) {
  writeFileSync(at("rows.jsonl"), JSON.stringify(row));
  return await openRepositoryBenchmark({
    ...{ rows: at("rows.jsonl"), repositories: at("clones"), prepare: false, log: () => {} },
    box: await openCommandBox(),
  });
}

/** Names of the tests that pass before a model is asked. */
async function passingOf(row: object): Promise<string[]> {
  using benchmark = await opened(row);
  const [task] = benchmark.tasks;
  if (task?.assignment.type !== "repository") throw new Error(JSON.stringify(benchmark.remarks));
  using prepared = await task.assignment.prepare(new AbortController().signal);
  return prepared.baseline.passing.map(({ name }) => name);
}

/** Nothing was left on this machine, and no server was asked. */
function expectNothing(): void {
  expect(readdirSync(at("open"))).toEqual([]);
  expect(readFileSync(at("user/secret"), "utf8")).toBe("secret");
  expect(statSync(at("user/secret")).mode & 0o7777).toBe(0o666);
  expect(asked).toBe(0);
}

const nameOf = (what: string): string => `tests/test_tries.py::test_blocked[${what}]`;
const canRun = await hasPytest();

describe.skipIf(!canRun)("what tests of a row try does not get there:", () => {
  let passing: string[] = [];
  beforeAll(async () => {
    passing = await passingOf(rowOf());
  });
  test.each(Object.keys(TRIED))("%s", (what) => {
    expect(passing).toContain(nameOf(what));
    expectNothing();
  });
});

/** What a field of a row tries, and what comes of it. */
const touch = () => `touch ${at("open/written")}`;
const FIELDS: Record<string, [said: RegExp, more: () => object]> = {
  "an id with words of a shell": [/"passed":true/, () => ({ instance_id: `$(${touch()});\`${touch()}\`/../../x` })],
  "a commit that is an option of git": [
    /is not the whole hash of a commit/,
    () => ({ base_commit: `--upload-pack=${touch()}` }),
  ],
  "a repository above the clones": [/is not the name of a repository/, () => ({ repo: "../user" })],
  "a repository that is an option": [/is not the name of a repository/, () => ({ repo: `--exec=${touch()}/x` })],
  "a patch of a file above the tree": [
    /invalid path/,
    () => ({
      patch: PATCH + written("../../../../../..".concat(at("open/written")), "x"),
    }),
  ],
  "a patch of an absolute path": [/invalid path/, () => ({ patch: PATCH + written(at("open/written"), "x") })],
  "a patch that writes through a link of its own": [
    /beyond a symbolic link/,
    () => ({
      patch: `${PATCH}diff --git a/out b/out\nnew file mode 120000\n--- /dev/null\n+++ b/out\n@@ -0,0 +1 @@\n+${at("open")}\n\\ No newline at end of file\n${written("out/written", "x")}`,
    }),
  ],
  "a patch of tests that writes hooks of git": [
    /invalid path/,
    () => ({
      test_patch:
        TEST_PATCH + written(".git/hooks/post-checkout", touch()) + written(".git/hooks/post-index-change", touch()),
    }),
  ],
  "a patch of tests that writes settings of git": [
    /invalid path/,
    () => ({
      test_patch:
        TEST_PATCH +
        written(".git/config", `[core] fsmonitor = "${touch()}"`) +
        written(".gitattributes", "* filter=x"),
    }),
  ],
  "a build command that asks a server and writes a file": [
    /"passed":true/,
    () => ({
      mend: {
        ...rowOf().mend,
        build: `${touch()}; curl -s http://127.0.0.1:${portOf()}; cat ${at("user/secret")} && exit 3; true`,
      },
    }),
  ],
  "a framework with a second command": [
    /is not known/,
    () => ({ mend: { ...rowOf().mend, framework: `pytest; ${touch()}` } }),
  ],
  "a file of tests above the tree": [
    /is not the path of a file/,
    () => ({ mend: { ...rowOf().mend, test_files: ["../../user/secret"] } }),
  ],
  "a file of tests that is a command": [
    /do not do what its row says/,
    () => ({ mend: { ...rowOf().mend, test_files: [`$(${touch()})`] } }),
  ],
  "a version with words of a shell": [
    /"passed":true/,
    () => ({ version: `$(${touch()})`, created_at: `\`${touch()}\`` }),
  ],
};

describe.skipIf(!canRun)("what fields of a row try does not get there:", () => {
  const resultOf = async (row: object): Promise<string> => {
    const sandbox = await openSandbox();
    try {
      using benchmark = await opened(row);
      const [task] = benchmark.tasks;
      const answer = task?.reference("gold") ?? null;
      return JSON.stringify(await task?.score(answer, sandbox, new AbortController().signal));
    } catch (error) {
      if (error instanceof UserError) return error.message;
      throw error;
    } finally {
      await sandbox.close();
    }
  };
  test.each(Object.entries(FIELDS))("%s", async (_, [said, more]) => {
    expect(await resultOf(rowOf(more()))).toMatch(said);
    expectNothing();
  });
});
