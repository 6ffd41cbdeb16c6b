import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { fileTask } from "../fix/attempts/task.ts";
import { openSandbox } from "../utils/sandbox/sandbox.ts";
import { buggyProgram } from "../utils/task/task.ts";
import { DEEP } from "../utils/testing/repeats.ts";

const FOLDER = fileURLToPath(new URL("real_world/", import.meta.url));
const read = (path: string) => readFileSync(FOLDER + path, "utf8");
const cases = z.array(z.object({ file: z.string(), name: z.string() })).parse(JSON.parse(read("cases.json")));

test("every buggy file is listed", () => {
  expect(cases.map(({ file }) => `${file}.py`)).toEqual(readdirSync(`${FOLDER}buggy`).sort());
});

test("every buggy file fails the tests that are shown as well as those that are not", DEEP, async () => {
  await using sandbox = await openSandbox({ concurrency: 2 });
  const judged = cases.flatMap(({ file, name }) =>
    [`tests/test_${file}.py`, `unseen/${file}.py`].map(async (tests) => {
      const task = fileTask(`${file}.py`, read(`buggy/${file}.py`), { name, definition: name }, read(tests), "");
      const verdict = await sandbox.judge({
        program: buggyProgram(task),
        entryPoint: task.entryPoint,
        test: read(tests),
        mode: "in_process",
        moduleNames: [file],
        timeoutMs: 1000,
      });
      return [tests, verdict.outcome === "timeout" ? "failed" : verdict.outcome];
    }),
  );
  for (const [tests, verdict] of await Promise.all(judged)) expect([tests, verdict]).toEqual([tests, "failed"]);
});
