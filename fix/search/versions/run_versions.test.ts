/** What is built and run for versions, by a scripted compiler that says what g++ and Go say. */
// @module-tag ci

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { readJson } from "../../../utils/base/data/record.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";

const SCRIPT = fileURLToPath(new URL("./run_versions.py", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder().path;
});

/** Copies the file, where it has no line with `bad`, and runs the version in it; says `told` of such a line else. */
const build = (told: string) => `
if grep -n bad file.hpp > found; then
  line=$(head -1 found | cut -d: -f1); printf '%b\\n' "${told}"; exit 1
fi
cp file.hpp built; sh run.sh`;
/** Passes where the version that is asked for is right. */
const RUN = 'grep -q "version $MEND_AT right" built';
/** Takes a second of processor time where the version is slow, and passes. */
const RUN_SLOW = `if grep -q "version $MEND_AT slow" built; then python3 -c "while __import__(\\"time\\").process_time() < 0.6: 0"; exit 0; fi; ${RUN}`;

const Row = z.object({ version: z.number().optional(), passes: z.boolean().optional() });

/** Runs the script on versions with one line each, which are bad, right or wrong. */
function tried(kinds: readonly string[], told: string, { only = RUN, run = RUN } = {}) {
  writeFileSync(join(folder, "build.sh"), build(told));
  writeFileSync(join(folder, "run.sh"), run);
  const job = {
    ...{ head: "head\n", tail: "tail\n", file: "file.hpp", switch: "MEND_AT" },
    versions: kinds.map((kind, at) => `\nversion ${at + 1} ${kind}\n`),
    costs: kinds.map(() => 1),
    ...{ broken: "file\\.hpp:\\d+:\\d+: error", unbuilt: ":\\d+:\\d+: error: |^\\[build failed\\]$" },
    ...{ seconds: 60, each: 10, keep: 9, margin: 3, most: 99, batches: [30], chars: 1000 },
  };
  const words = [
    ["sh", "build.sh"],
    ["sh", "-c", only],
    ["sh", "run.sh"],
  ];
  const counted = words.flatMap((command, at) => (at < 2 ? [String(command.length), ...command] : command));
  const { stderr } = spawnSync("python3", ["-S", "-B", SCRIPT, "lines", "report", ...counted], {
    ...{ cwd: folder, input: JSON.stringify(job), encoding: "utf8" },
  });
  const lines = readFileSync(join(folder, "lines"), "utf8").trim().split("\n");
  const rows = lines.flatMap((line) => readJson(line, Row) ?? []);
  const ran = rows.filter(({ version }) => version !== undefined);
  return { stderr, passes: ran.filter((row) => row.passes).map(({ version }) => version), tried: ran.length };
}

const OTHER = "/usr/include/list:5:9: error: no matching function";

test.each([
  ["at its line", "file.hpp:$line:3: error: no"],
  ["in a template of another file that it uses", `file.hpp:$line:3:   required from here\n${OTHER}`],
  ["of another file alone", OTHER],
  ["without a line", "[build failed]"],
])("a version that does not compile drops out, and the others are built without it: told %s", (_, told) => {
  const kinds = ["wrong", "bad", "right", "wrong", "bad", "right"];
  expect(tried(kinds, told)).toEqual({ stderr: "", passes: [2, 5], tried: 4 });
});

test("where the tests fail in what is left out for each version, all of it runs", () => {
  expect(tried(["wrong", "right"], "", { only: "true" })).toEqual({ stderr: "", passes: [1], tried: 2 });
});

test("a version that takes longer than others runs again behind them", () => {
  const given = { only: RUN_SLOW, run: RUN_SLOW };
  expect(tried(["slow", "wrong", "right"], "", given)).toEqual({ stderr: "", passes: [2, 0], tried: 3 });
});
