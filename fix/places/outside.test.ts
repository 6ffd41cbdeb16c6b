/** What lies outside of a repository is neither read nor changed, whatever its links and its tests say. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { registry } from "../../agent/tools/tool.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { LAYERS, type Layer } from "../../utils/sandbox/types.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { hasPytest } from "../../utils/testing/needs.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { prepareRepository } from "../attempts/prepare.ts";
import { firstMessages } from "../attempts/prompt.ts";
import { limitSearches, searchRepository } from "../testing/search.ts";

const SECRET = "def discounted(price, percent):\n    return 'secret-of-the-user'\n";
/** From anywhere. */
const UP = "../".repeat(24);

test.each(LAYERS)(
  "%s: a line that a test forges in the search's own file changes no file of this machine",
  DEEP,
  expectForgedLineIsNothing,
);

async function expectForgedLineIsNothing(layer: Layer): Promise<void> {
  // Beside the copies of the repository.
  using folder = makeTemporaryFolder("user");
  const victim = join(folder.path, "victim.js");
  writeFileSync(victim, "the user's\n");
  const edit = {
    ...{
      file: `../${basename(folder.path)}/victim.js`,
      from: 1,
      to: 1,
      old: "the user's\n",
      text: "taken over\n",
      operator: "name",
    },
    ...{ before: "x", after: "y", cost: 0 },
  };
  // The search's own file is among those that are open.
  const forge = `const fs = require("node:fs");
for (let fd = 3; fd < 64; fd += 1)
try { if (fs.fstatSync(fd).isFile()) fs.writeSync(fd, ${JSON.stringify(`${JSON.stringify(edit)}\n`)}); } catch {}`;
  const asBefore = limitSearches({ edits: 20 });
  const { observations } = await searchRepository(
    {
      "package.json": '{ "devDependencies": { "mocha": "*" } }',
      "count.js": "exports.left = function left(n, taken) {\n  return n + taken;\n};\n",
      "count.test.js": `const assert = require("node:assert");\n${forge}\nconst { left } = require("./count.js");\nit("what is left", () => assert.strictEqual(left(3, 1), 2));\n`,
    },
    { layer, test: "mocha count.test.js" },
  ).finally(asBefore);
  expect(readFileSync(victim, "utf8")).toBe("the user's\n");
  expect(observations.join("\n")).not.toContain("victim");
  expect(observations.join("\n")).toMatch(/edits pass/);
}

test.skipIf(!(await hasPytest()))(
  "neither a link of the repository nor a file that a test names as its own brings what lies outside into the prompt",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    writeFileSync(at("secret.py"), SECRET);
    writeFileSync(at("other.test.js"), 'it("is mine", () => {\n  "secret-of-the-user";\n});\n');
    mkdirSync(at("repository"));
    symlinkSync(at("secret.py"), at("repository/discounted.py"));
    writeFileSync(at("repository/rates.py"), "def total(prices):\n    return sum(prices) + 1\n");
    writeFileSync(
      at("repository/test_rates.py"),
      `from rates import total

def test_total():
    """discounted price percent"""
    assert total([1]) == 1, 'File "discounted.py", line 2, in discounted'
`,
    );
    writeFileSync(
      at("repository/conftest.py"),
      `import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    outcome.get_result().nodeid = ${JSON.stringify(`${UP}${at("secret.py").slice(1)}`)} + "::discounted"
`,
    );
    const box = await openCommandBox();
    using prepared = await prepareRepository({
      path: at("repository"),
      // Not all of the folder: without bubblewrap the link cannot even be looked at.
      ...{
        test: "pytest test_rates.py",
        box,
        issue: "discounted gives the wrong price",
        environment: {},
        testSeconds: 60,
      },
    });
    const byTests = prepared.byTests();
    expect(byTests.baseline.failing.map(({ name }) => name)).toEqual([
      expect.stringContaining("secret.py::discounted"),
    ]);
    expect((await firstMessages(byTests, registry([]))).at(-1)?.text).toContain("total");
    for (const known of [prepared, byTests]) {
      expect(known.suspects.map(({ file }) => file)).not.toContain("discounted.py");
      expect(JSON.stringify(known.evidence)).not.toContain("secret-of-the-user");
      const text = (await firstMessages(known, registry([]))).map((message) => message.text).join("\n");
      expect(text).not.toContain("secret-of-the-user");
    }
  },
);
