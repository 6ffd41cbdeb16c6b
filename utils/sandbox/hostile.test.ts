import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { programWords } from "../testing/command.ts";
import { DEEP, isQuick, isSlow } from "../testing/repeats.ts";
import { probeLayers } from "./sandbox.ts";
import { HOSTILE_PROGRAMS } from "./testing/hostile/programs.ts";
import { DAEMON, type HostileReport, newSecret, partNamed, runHostilePrograms } from "./testing/hostile/run.ts";
import { LAYERS, type Layer } from "./types.ts";

const NOBODY = [
  "--reuid=65534",
  "--regid=65534",
  "--clear-groups",
  ...programWords("utils/sandbox/testing/hostile/run.ts"),
];
const works = new Map((await probeLayers()).map(({ layer, works }) => [layer, works]));
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

test("there are enough of them", () => {
  expect(HOSTILE_PROGRAMS.length).toBeGreaterThan(250);
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

const possible = LAYERS.flatMap((layer) => runs.filter(({ possible }) => possible && works.get(layer)));

let shares = 0;
for (const layer of LAYERS) {
  for (const { user, possible: canBe, run } of runs) {
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
