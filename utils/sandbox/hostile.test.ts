import { beforeAll, describe, expect, test } from "vitest";
import { DEEP, isQuick, isSlow } from "../testing/repeats.ts";
import { probeLayers } from "./sandbox.ts";
import { HOSTILE_PROGRAMS } from "./testing/hostile/programs.ts";
import { DAEMON, type HostileReport, partNamed, runHostilePrograms } from "./testing/hostile/run.ts";
import { isRoot, RUNS } from "./testing/hostile_runs.ts";
import { LAYERS } from "./types.ts";

const works = new Map((await probeLayers()).map(({ layer, works }) => [layer, works]));

test("they have names of their own", () => {
  expect(new Set(HOSTILE_PROGRAMS.map(({ name }) => name)).size).toBe(HOSTILE_PROGRAMS.length);
});

const best = LAYERS.find((layer) => works.get(layer));
test.skipIf(!best)("a few of them under the best layer: none passes, harms or stays", DEEP, async () => {
  const { programs, damage, leftovers } = await runHostilePrograms(best ?? "plain", partNamed("all 0/30"));
  expect(programs.filter(({ outcome }) => outcome === "passed" || outcome === "sandbox_error")).toEqual([]);
  expect(programs.filter(({ next, outlived }) => next !== "passed" || outlived.length > 0)).toEqual([]);
  expect({ damage, leftovers }).toEqual({ damage: [], leftovers: [] });
});

test("the thefts are real: what the plain layer is known not to stop does pass there", async () => {
  const names = ["a file everybody may read", "a search of the file system", "the network"];
  const unguarded = HOSTILE_PROGRAMS.filter(({ name }) => names.includes(name));
  const { programs } = await runHostilePrograms(
    "plain",
    unguarded.map(({ plainCannotStop: _, ...rest }) => rest),
  );
  expect(programs.map(({ outcome }) => outcome)).toEqual(["passed", "passed", "passed"]);
});

const possible = LAYERS.flatMap((layer) => RUNS.filter(({ possible }) => possible && works.get(layer)));

let shares = 0;
for (const layer of LAYERS) {
  for (const { user, possible: canBe, run } of RUNS) {
    const isTried = canBe && works.get(layer);
    // Every program under one of the layers, as one of the users; in `npm run test:slow` under all, as all.
    const part = isSlow || !isTried ? "all" : `all ${shares++}/${possible.length}`;
    const tried = partNamed(part);
    const missing = !works.get(layer) ? `the layer does not work here` : !canBe ? `not root, or no setpriv` : "";
    const name = `hostile programs, ${layer}, ${user}${missing && ` (skipped: ${missing})`}`;
    describe.skipIf(missing)(name, DEEP, () => {
      let report: HostileReport;
      // All start at once: most of their time is spent waiting for time limits.
      const running = missing || isQuick ? undefined : run(layer, part);
      running?.catch(() => {});
      beforeAll(async () => {
        if (running) report = await running;
      });

      test("none passes, and none gets away without a verdict", () => {
        const wrong = report.programs.filter(({ outcome }) => outcome === "passed" || outcome === "sandbox_error");
        expect(wrong).toEqual([]);
      });

      test("each is tried, but for what this layer is known not to stop", () => {
        const limits = new Map(HOSTILE_PROGRAMS.map(({ name, plainCannotStop }) => [name, plainCannotStop]));
        const skipped = report.programs.filter(({ outcome }) => outcome === "skipped");
        expect(report.programs.map(({ name }) => name)).toEqual(tried.map(({ name }) => name));
        for (const { name } of skipped) expect(limits.get(name), name).toBeDefined();
        if (layer !== "plain") expect(skipped).toEqual([]);
        if (report.info.separateUsers) {
          for (const { name } of skipped) expect(limits.get(name)?.unless, name).toBe("never");
        }
      });

      test("an honest program passes after each", () => {
        expect(report.programs.filter(({ next }) => next !== "passed")).toEqual([]);
      });

      test("nothing is changed, nothing is left running", () => {
        expect(report.damage).toEqual([]);
        expect(report.programs.filter(({ outlived }) => outlived.length > 0)).toEqual([]);
        expect(report.leftovers).toEqual([]);
      });

      test("where a program may start others, a daemon did run", () => {
        const daemon = report.programs.find(({ name }) => name === DAEMON);
        const mayStart = layer === "plain" && report.info.separateUsers;
        expect(daemon?.explanation.includes("returned 'it runs'")).toBe(mayStart);
      });
    });
  }
}

// Last, when nothing else runs: the end of any job would take the daemon along.
test.skipIf(!isRoot)(
  "a daemon has ended when the verdict on its job is given, with no other job to end it",
  DEEP,
  async () => {
    for (const daemon of HOSTILE_PROGRAMS.filter(({ name }) => name.startsWith("a daemon"))) {
      const { info, programs, damage } = await runHostilePrograms("plain", [daemon]);
      const outcome = info.separateUsers ? expect.not.stringMatching("skipped") : "skipped";
      expect({ programs, damage }).toMatchObject({ programs: [{ outcome, outlived: [] }], damage: [] });
    }
  },
);
