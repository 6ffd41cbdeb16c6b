import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { COMPILED_FILES } from "../../testing/image_rows.ts";
import type { RepositoryTask } from "./rows.ts";
import { copyWithSuites } from "./tests.ts";

const UNITTEST = `import unittest
from calc import half
class Half(unittest.TestCase):
    def test_half(self): self.assertEqual(half(6), 3)
`;

test("a patch of what a project compiles is compiled before the tests run", async () => {
  using tree = temporaryFolder();
  const files = { ...COMPILED_FILES, "test_calc.py": UNITTEST };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(tree.path, name), text);
  const row = { language: "python", build: "", command: "python -m unittest test_calc" } as RepositoryTask;
  using copy = temporaryFolder();
  using suite = copyWithSuites(row, tree.path, copy.path, { box: await openCommandBox() })("files");
  const statuses = async () => [...(await suite.run(copy.path)).tests.values()].map(({ status }) => status);
  expect(await statuses()).toEqual(["failed"]);
  writeFileSync(join(copy.path, "native.c"), "def half(x): return x / 2\n");
  expect(await statuses()).toEqual(["passed"]);
  writeFileSync(join(copy.path, "setup.py"), "raise SystemExit('no compiler')\n");
  expect(await statuses(), "tests run with what there is where it does not compile").toEqual(["failed"]);
});
