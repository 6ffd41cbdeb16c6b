import { describe, expect, test } from "vitest";
import { DEEP } from "../testing/repeats.ts";
import { changes } from "./testing/everyday/arguments.ts";
import { classes } from "./testing/everyday/classes.ts";
import { iterators } from "./testing/everyday/iterators.ts";
import { others } from "./testing/everyday/others.ts";
import { IMPORTS } from "./testing/everyday/program.ts";
import { results } from "./testing/everyday/results.ts";
import { streams } from "./testing/everyday/streams.ts";
import { openForTests } from "./testing/open.ts";

const sandbox = await openForTests();

type Value = (typeof results)[number];
describe.each(Object.entries({ results, classes }))("everyday values, %s", (_, group) => isJudged(group));
describe.each(Object.entries({ others, changes, iterators, streams }))("everyday values, %s", DEEP, (_, group) =>
  isJudged(group),
);

function isJudged(group: readonly Value[]): void {
  test.each(group)("$name", DEEP, async ({ program, right, wrong }) => {
    const judge = async (mode: "isolated" | "in_process", code: string) => {
      const job = { program: IMPORTS + program, entryPoint: "f", test: IMPORTS + code, timeoutMs: 5000, mode };
      const { outcome, explanation } = await sandbox.judge(job);
      return { mode, code, outcome, explanation };
    };
    for (const code of right) {
      // In one process first: that is what Python says of it.
      for (const mode of ["in_process", "isolated"] as const) {
        expect(await judge(mode, code)).toEqual({ mode, code, outcome: "passed", explanation: "" });
      }
    }
    for (const code of wrong) {
      for (const mode of ["in_process", "isolated"] as const) {
        expect(await judge(mode, code)).toMatchObject({ mode, code, outcome: "failed" });
      }
    }
  });
}
