import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { Workspace } from "../../agent/tools/workspace.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { makeEdits } from "./answer_edits.ts";

let root: string;
let workspace: Workspace;
beforeEach(() => {
  root = temporaryFolder().path;
  mkdirSync(join(root, "lib"));
  writeFileSync(join(root, "lib/a.py"), "def f(x):\n    return x - 1\n");
  writeFileSync(join(root, "b.py"), "LIMIT = 1\n");
  workspace = Workspace.ofAnyFiles(root);
});
const textOf = (name: string) => readFileSync(join(root, name), "utf8");

const PATCH = `The sign is wrong.
\`\`\`diff
--- a/lib/a.py
+++ b/lib/a.py
@@ -2 +2 @@
-    return x - 1
+    return x + 1
--- a/b.py
+++ b/b.py
@@ -1 +1 @@
-LIMIT = 1
+LIMIT = 2
--- /dev/null
+++ b/tests/test_a.py
@@ -0,0 +1 @@
+assert f(1) == 2
\`\`\``;

test("a diff as the answer changes its files, and makes new ones", () => {
  expect(makeEdits(workspace, PATCH)).toBeNull();
  expect([textOf("lib/a.py"), textOf("b.py"), textOf("tests/test_a.py")]).toEqual([
    "def f(x):\n    return x + 1\n",
    "LIMIT = 2\n",
    "assert f(1) == 2\n",
  ]);
  expect([...workspace.changed]).toEqual(["lib/a.py", "b.py", "tests/test_a.py"]);
});

test.each([
  ["that fits one file of two", PATCH.replace("LIMIT = 1", "LIMIT = 7"), /do not fit b\.py/],
  ["of a file that is not there", PATCH.replaceAll("b.py", "c.py"), /no file c\.py/],
  ["outside of the folder", PATCH.replaceAll("a/b.py", "a/../b.py").replaceAll("b/b.py", "b/../b.py"), /outside/],
  ["without a name", "@@\n-LIMIT = 1\n+LIMIT = 2\n", /do not say which file/],
])("a diff %s changes nothing, and the sentence says why", (_name, answer, sentence) => {
  expect(makeEdits(workspace, answer)).toMatch(sentence);
  expect([textOf("lib/a.py"), textOf("b.py"), workspace.changed.size]).toEqual([
    "def f(x):\n    return x - 1\n",
    "LIMIT = 1\n",
    0,
  ]);
});

/** What tools do before the answer. */
function write(name: string, text: string) {
  const located = workspace.locateToEdit(name);
  if ("path" in located) workspace.write(located, text);
}

test("a diff that shows what tools have changed is not made again, nor refused where it is misquoted", () => {
  write("lib/a.py", "def f(x):\n    return x + 1\n");
  write("b.py", "# The most.\nLIMIT = 2\n");
  write("tests/test_a.py", "assert f(1) == 2\n");
  const shown = `${PATCH}\n\`\`\`diff\n--- a/b.py\n+++ b/b.py\n@@\n+# The most.\n LIMIT = 2\n\`\`\``;
  expect(makeEdits(workspace, shown)).toBeNull();
  expect(textOf("lib/a.py")).toBe("def f(x):\n    return x + 1\n");
  expect(textOf("b.py")).toBe("# The most.\nLIMIT = 2\n");
});

test("edits of an answer that go on from what tools have changed are made", () => {
  write("b.py", "LIMIT = 2\n");
  expect(makeEdits(workspace, PATCH)).toBeNull();
  expect(textOf("lib/a.py")).toContain("x + 1");
  expect(textOf("b.py")).toBe("LIMIT = 2\n");
});
