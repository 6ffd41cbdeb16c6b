// @module-tag deep
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { programWords } from "../testing/command.ts";
import { isSlow } from "../testing/repeats.ts";
import { openSandbox, probeLayers } from "./sandbox.ts";
import { type HostileReport, newSecret, partNamed, runHostilePrograms } from "./testing/hostile/run.ts";
import type { Layer } from "./types.ts";

const NOBODY = [
  "--reuid=65534",
  "--regid=65534",
  "--clear-groups",
  ...programWords("utils/sandbox/testing/hostile/run.ts"),
];
const layers = (await probeLayers()).filter(({ works, layer }) => works && layer !== "plain").map(({ layer }) => layer);
const isRoot = process.getuid?.() === 0;
const canBeNobody = isRoot && spawnSync("setpriv", NOBODY).stderr?.includes("usage: ");

/** The same run, in a process of an ordinary user. */
async function asNobody(layer: Layer, part: string): Promise<HostileReport> {
  const { stdout } = await promisify(execFile)("setpriv", [...NOBODY, layer, part], {
    env: { PATH: process.env.PATH, HOME: "/nonexistent", MEND_HOSTILE_SECRET: newSecret() },
    maxBuffer: 1 << 24,
  });
  return JSON.parse(stdout);
}

const runs = [
  {
    user: isRoot ? "root" : "this user",
    possible: true,
    run: (layer: Layer, part: string) => runHostilePrograms(layer, partNamed(part)),
  },
  { user: "an ordinary user", possible: canBeNobody, run: asNobody },
];

for (const [i, layer] of layers.entries()) {
  // Each under one of the layers, as one user; in `npm run test:slow` under all, as both.
  const part = isSlow ? "tests" : `tests ${i}/${layers.length}`;
  const chosen = isSlow || !canBeNobody ? runs : runs.slice(i % 2, (i % 2) + 1);
  for (const { user, possible, run } of chosen) {
    test.skipIf(!possible)(
      `hostile tests, ${layer}, ${user}: none gets at the machine or at later verdicts`,
      async () => {
        const report = await run(layer, part);
        expect(report.programs).toHaveLength(partNamed(part).length);
        expect(report.programs.filter(({ outcome }) => outcome === "passed" || outcome === "skipped")).toEqual([]);
        const unsafe = report.programs.filter(({ next, nextWrong }) => next !== "passed" || nextWrong !== "failed");
        expect(unsafe).toEqual([]);
        expect(report.damage).toEqual([]);
        expect(report.programs.filter(({ outlived }) => outlived.length > 0)).toEqual([]);
        expect(report.leftovers).toEqual([]);
      },
    );
  }
}

describe.each(layers)("%s", (layer) => {
  test("the tests of a program may write temporary files, and the next finds none of them", async () => {
    await using sandbox = await openSandbox({ layer });
    const source = `
import os, tempfile
with tempfile.NamedTemporaryFile("w+", delete=False) as file:
    file.write(str(f(1)))
    file.seek(0)
    assert file.read() == "2"
assert len(os.listdir(tempfile.gettempdir())) == 1`;
    for (let round = 0; round < 2; round++) {
      const program = "def f(x):\n    return x + 1";
      const verdict = await sandbox.judge({ program, entryPoint: "f", test: source, timeoutMs: 5000 });
      expect(verdict).toMatchObject({ outcome: "passed", explanation: "" });
    }
  });
});
