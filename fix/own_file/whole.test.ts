// @module-tag deep

import { spawn } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { programWords } from "../../utils/testing/command.ts";
import { modulesWith } from "../../utils/testing/modules.ts";
import { repairOwnFile } from "../fix.ts";
import { renderOutcome } from "../outcome/render.ts";
import { counting } from "../testing/by_chance.ts";
import { LIMITS, PASSES, searchParts } from "../testing/search.ts";
import type { OwnFileRequest } from "./own_file.ts";
import { makeProject } from "./testing/project.ts";

const box = await openCommandBox();

/** By the search, as the command asks it. */
async function repairIn(
  folder: ReturnType<typeof makeProject>,
  file: string,
  more: Partial<OwnFileRequest> = {},
  commands = box,
) {
  const said: string[] = [];
  const outcome = await repairOwnFile(
    { file: folder.at(file), ...LIMITS, searchSeconds: 600, ...more },
    { ...searchParts({ box: commands }), say: (line) => said.push(line) },
  );
  return { outcome, said: said.join("\n") };
}

const SHOP = `def label(name):
    return name.strip().title()


def is_adult(age):
    return age > 18


class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price):
        self.items.append((name, price))
`;
const TESTS = `from shop import Cart, is_adult, label


def test_label():
    assert label(" nut ") == "Nut"


def test_adult():
    assert is_adult(18) and is_adult(40)
    assert not is_adult(3) and not is_adult(17)


def test_cart():
    Cart().add("a", 2)
`;

test("where no function is named, the one that failing tests run is repaired", async () => {
  using folder = makeProject({ files: { "shop.py": SHOP, "test_shop.py": TESTS } });
  const { outcome, said } = await repairIn(folder, "shop.py");
  expect(outcome).toMatchObject({ outcome: expect.stringMatching(PASSES), function: "is_adult" });
  expect(said).toMatch(/^trying is_adult \(runs in 1 of 1 failing/m);
});

test("--choose takes another of the edits that pass, as they were numbered", async () => {
  const files = {
    "shop.py": SHOP,
    "test_shop.py": TESTS.replace("is_adult(18) and ", "").replace(" and not is_adult(17)", ""),
  };
  using folder = makeProject({ files: { ...files, "shop.py": SHOP.replace("age > 18", "age < 18") } });
  const first = await repairIn(folder, "shop.py", { name: "is_adult" });
  const [second] = first.outcome.alternatives;
  expect(renderOutcome(first.outcome)).toMatch(/^patch 2 also passes, shop\.py:\n.*\n {2}line \d+:\n/m);
  const chosen = await repairIn(folder, "shop.py", { name: "is_adult", choose: 2, write: true });
  const doubts = [expect.stringMatching(/^it is number 2 of \d different edits that pass/)];
  expect(chosen.outcome).toMatchObject({ diff: second?.diff, said: "", doubts });
  expect(readFileSync(folder.at("shop.py"), "utf8")).not.toBe(SHOP);
  await expect(repairIn(folder, "shop.py", { name: "label", choose: 9 })).resolves.toMatchObject({
    outcome: { outcome: "nothing_to_repair" },
  });
});

const FLAKY = "import os\n\n\ndef test_now_and_then():\n    assert os.environ['RUN'] != '1'\n";

test("a test that fails now and then is not a bug: if it is the only failing one, the error says so", async () => {
  const files = { "shop.py": SHOP.replace("age > 18", "age >= 18"), "test_shop.py": `${TESTS}\n\n${FLAKY}` };
  using folder = makeProject({ files });
  await expect(repairIn(folder, "shop.py", {}, counting(box).box)).rejects.toThrow(
    /now_and_then: fails in one run and passes in the next, .*other tests/,
  );
});

test("what the tests accept and the project's types do not is no repair", async ({ skip }) => {
  const [vitest, typescript] = [modulesWith("vitest"), modulesWith("typescript")];
  if (vitest === null || typescript === null || vitest !== typescript) return skip("vitest or typescript is missing");
  using folder = makeProject({
    files: {
      "package.json": '{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }',
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          target: "es2022",
          module: "nodenext",
          allowImportingTsExtensions: true,
          noEmit: true,
        },
      }),
      "user.ts":
        'export interface User {\n  address?: { country?: string };\n}\n\nexport function countryOf(user: User): string {\n  return user.address!.country ?? "unknown";\n}\n',
      "user.test.ts":
        'import { expect, test } from "vitest";\nimport { countryOf } from "./user.ts";\ntest("none", () => {\n  expect(countryOf({})).toBe("unknown");\n});\ntest("one", () => {\n  expect(countryOf({ address: { country: "NL" } })).toBe("NL");\n});\n',
    },
  });
  symlinkSync(vitest, folder.at("node_modules"));
  const { outcome } = await repairIn(folder, "user.ts");
  expect(outcome.outcome).toBe("fixed");
  expect(outcome.diff).not.toMatch(/\?\? (?:0|""|false|\[\])\)/);
  expect(outcome.diff).toMatch(/address\?\.country|\?\? \{\}/);
});

const SLOW = `import time
from calc import norm


def test_norm(tmp_path):
    time.sleep(30)
    assert norm([1]) == 5
`;

test("Ctrl-C while tests run stops at once, by that a terminal sends it to all, with 130", async () => {
  using folder = makeProject({ files: { "calc.py": "def norm(xs):\n    return sum(xs)\n", "test_calc.py": SLOW } });
  const [node, ...words] = programWords("mend repair");
  const command = [...words, folder.at("calc.py"), "--model", "search"];
  const child = spawn(node, command, { detached: true, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const code = await new Promise((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (said.length === 0 || !said.includes("sandbox")) {
        said += text;
        if (said.includes("sandbox") && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
      } else said += text;
    });
    child.on("close", resolve);
  });
  expect(code).toBe(130);
  expect(said).toMatch(/stopping\n(?:.*\n)*interrupted before an edit passed; .*calc\.py is unchanged\n$/);
  expect(said).not.toContain("turn 1");
});
