// @module-tag deep
/** Programs that share a process with their tests and want to pass without solving the task: how many do is written down. */

import { expect, test } from "vitest";
import type { LanguageName } from "../languages/language.ts";
import { LANGUAGES } from "../languages/registry.ts";
import type { CheatedTask } from "./testing/hostile/in_process/cheat.ts";
import { CPP, CPP_TOGETHER } from "./testing/hostile/in_process/cpp.ts";
import { GO, GO_TOGETHER } from "./testing/hostile/in_process/go.ts";
import { JAVA } from "./testing/hostile/in_process/java.ts";
import { RUST } from "./testing/hostile/in_process/rust.ts";
import { openForTests } from "./testing/open.ts";

const TASKS: [LanguageName, string, CheatedTask][] = [
  ["go", "in a package of their own", GO],
  ["go", "in one package", GO_TOGETHER],
  ["java", "compiled apart", JAVA],
  ["cpp", "linked with them", CPP],
  ["cpp", "in one unit", CPP_TOGETHER],
  ["rust", "in a crate of their own", RUST],
];
const TIMEOUT_MS = 3000;

test.each(TASKS)("%s %s: of the cheats those pass that are known to, and no others", async (language, _, task) => {
  const { unavailable } = LANGUAGES[language];
  const missing = unavailable("");
  if (missing !== null) return console.warn(`skipped: ${missing}`);
  const sandbox = await openForTests();
  const { entryPoint, declared, correct, cheats } = task;
  const judge = (program: string, test: string, checks: number | "count") =>
    sandbox.judge({
      language,
      program,
      entryPoint,
      helpers: declared,
      test,
      mode: "in_process",
      timeoutMs: TIMEOUT_MS,
      checks,
    });
  const counts = new Map<string, number>();
  for (const test of new Set([task.test, ...cheats.flatMap(({ test = [] }) => test)])) {
    const { checks = 0, outcome } = await judge(correct, test, "count");
    expect(outcome, test).toBe("passed");
    counts.set(test, checks);
  }
  const found = await Promise.all(
    cheats.map(async ({ name, program, test = task.test, passes }) => {
      const checks = counts.get(test) ?? 0;
      const verdict = await judge(program.replaceAll("@CHECKS@", String(checks)), test, checks);
      return {
        name,
        passes: verdict.passed,
        expected: passes !== undefined,
        outcome: verdict.outcome,
        why: verdict.explanation,
      };
    }),
  );
  if (process.env.MEND_SHOW_CHEATS)
    console.log(found.map((one) => `${one.name}: ${one.outcome} ${one.why.slice(0, 160)}`).join("\n"));
  expect(new Set(cheats.map(({ name }) => name)).size).toBe(cheats.length);
  expect(found.filter(({ outcome }) => outcome === "sandbox_error")).toEqual([]);
  expect(found.filter((one) => one.passes !== one.expected)).toEqual([]);
  // The wrong program itself is one that fails by its checks.
  expect(await judge(declared, task.test, 1)).toMatchObject({ outcome: "failed" });
});
