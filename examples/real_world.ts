/** `npx tsx examples/real_world.ts`: repairs the buggy files of `real_world/` and judges them by tests no model saw. */

import "../utils/program/own_tsconfig.ts";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { repair } from "../agent/repair.ts";
import type { Trajectory } from "../agent/run/trajectory.ts";
import { verifyRepair } from "../agent/verify.ts";
import { modelOptions, openModel, openSandboxFor, repairLimits, sandboxOptions } from "../eval/run/setup.ts";
import { fileTask } from "../fix/attempts/task.ts";
import { readSource } from "../fix/own_file/source.ts";
import { type Arguments, EXIT, type ExitCode, listenForInterrupt, runCommand } from "../utils/program/cli.ts";
import { applyEdit, searchIn } from "../utils/search/result.ts";
import { buggyProgram, type VisibleTask } from "../utils/task/task.ts";

const limits = repairLimits("a file");

export const command = {
  usage: "[options]",
  summary:
    "Repairs each file of examples/real_world/buggy with the tests beside it, then judges the repair by " +
    "unseen tests. Prints a table.",
  options: {
    ...limits.options,
    ...modelOptions,
    ...sandboxOptions,
  },
  printsOnly: true as const,
};

const Case = z.object({ file: z.string(), name: z.string(), bug: z.string() });

const folder = new URL("real_world/", import.meta.url);
const read = (path: string) => readSource(new URL(path, folder).pathname);
const unseenTests = (task: VisibleTask, file: string) => ({ ...task, exampleTest: read(`unseen/${file}.py`) });

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const cases = z.array(Case).parse(JSON.parse(readFileSync(new URL("cases.json", folder), "utf8")));
  const { maxIterations, timeoutMs } = limits.read(args);
  const model = await openModel(args, timeoutMs);
  await using sandbox = await openSandboxFor(args, 1);
  using interrupt = listenForInterrupt(() => console.error("finishing; Ctrl-C again stops at once"));
  let repaired = 0;
  let undecided = 0;
  try {
    console.log("| file | bug | visible tests | unseen tests | model calls | seconds |\n|---|---|---|---|---|---|");
    for (const { file, name, bug } of cases) {
      const task = fileTask(
        `${file}.py`,
        read(`buggy/${file}.py`),
        { name, definition: name },
        read(`tests/test_${file}.py`),
        "",
      );
      const judge = { mode: "in_process" as const, moduleNames: [file] };
      const test = testScript(task.exampleTest, file);
      const began = performance.now();
      const trajectory = await repair(task, {
        model,
        sandbox,
        judge,
        testScript: test,
        timeoutMs,
        maxIterations,
        signal: interrupt.signal,
      });
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      if (trajectory.stop === "aborted") return EXIT.interrupted;
      const { verified, answer, error, iterations } = trajectory;
      const right =
        verified &&
        answer !== null &&
        (await verifyRepair(unseenTests(task, file), answer, { sandbox, judge })).accepted;
      const shown = !right && (await isShown(trajectory, unseenTests(task, file), { sandbox, judge }));
      if (right) repaired += 1;
      if (shown) undecided += 1;
      const visible = error ? `error: ${error.kind}` : verified ? "pass" : "fail";
      console.log(
        `| \`${file}.py\` | ${bug} | ${visible} | ${right ? "pass" : shown ? "undecided" : "fail"} | ` +
          `${iterations} | ${seconds} |`,
      );
    }
    console.error(
      `${repaired} of ${cases.length} repaired by ${model.name}, and ${undecided} shown as undecided, the ` +
        "right repair among the others",
    );
    return EXIT.ok;
  } finally {
    await model.close();
  }
}

/** Whether an edit that was shown beside the repair, with an input on which they differ, is right. */
async function isShown(
  { steps }: Pick<Trajectory, "steps">,
  task: VisibleTask,
  how: Parameters<typeof verifyRepair>[2],
): Promise<boolean> {
  const program = buggyProgram(task).trimEnd();
  for (const { others = [] } of steps.flatMap(({ observation }) => searchIn(observation.data) ?? [])) {
    for (const { splices } of others) {
      if ((await verifyRepair(task, applyEdit(program, splices), how)).accepted) return true;
    }
  }
  return false;
}

/**
 * The tests as a script. An import of the file by its name finds the program itself, then test functions and classes
 * run.
 * @param moduleName name of the user's file without `.py`
 */
function testScript(tests: string, moduleName: string): string {
  const alias = `import sys\nsys.modules[${JSON.stringify(moduleName)}] = sys.modules["__main__"]`;
  const functions = 'for name in [name for name in dir() if name.startswith("test_")]:\n    eval(name)()';
  const classes = 'import unittest\nunittest.main(argv=["tests"], exit=False)';
  const runs = [/^(async )?def test_/m.test(tests) && functions, /\bTestCase\b/.test(tests) && classes];
  return [alias, tests, ...runs.filter(Boolean)].join("\n");
}

await runCommand(command, main);
