// @module-tag deep
import { describe, expect, test } from "vitest";
import { isSlow } from "../testing/repeats.ts";
import { openSandbox, probeLayers } from "./sandbox.ts";
import { partNamed } from "./testing/hostile/run.ts";
import { canBeNobody, RUNS } from "./testing/hostile_runs.ts";

const layers = (await probeLayers()).filter(({ works, layer }) => works && layer !== "plain").map(({ layer }) => layer);

for (const [i, layer] of layers.entries()) {
  // Each under one of the layers, as one user; in `npm run test:slow` under all, as both.
  const part = isSlow ? "tests" : `tests ${i}/${layers.length}`;
  const chosen = isSlow || !canBeNobody ? RUNS : RUNS.slice(i % 2, (i % 2) + 1);
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
