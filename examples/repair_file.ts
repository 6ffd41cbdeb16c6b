/** `npx tsx examples/repair_file.ts buggy.py --function NAME --tests tests.py`: repairs a function of your own. */

import { basename, extname } from "node:path";
import { createSearchModel } from "../agent/models/search/chat.ts";
import { repair } from "../agent/repair.ts";
import type { Step } from "../agent/trajectory.ts";
import { renderStep } from "../agent/transcript.ts";
import {
  chosenTools,
  modelOptions,
  openModel,
  openSandboxFor,
  requireLanguages,
  sandboxOptions,
  toolOptions,
} from "../eval/setup.ts";
import { EXIT, listenForInterrupt, runCommand } from "../utils/cli.ts";
import { unifiedDiff } from "../utils/diff.ts";
import { UserError } from "../utils/errors.ts";
import { fileTask, likeOriginal, readSource, replaceFile, scriptTests, testScript } from "./source-file.ts";

const command = {
  usage: "npx tsx examples/repair_file.ts FILE --function NAME --tests TESTS [options]",
  summary:
    "Repairs one function or class of a file so that its tests pass. Prints a unified diff on stdout; changes nothing without --write.",
  options: {
    function: { value: "NAME", help: "the top-level function or class to repair" },
    tests: {
      value: "FILE",
      help: "asserts, test_* functions or unittest classes (JavaScript: assertions); they may import the file by its name",
    },
    instruction: { value: "TEXT", help: "what it should do (default: its docstring and the tests say it)" },
    write: { help: "apply the repair to the file; only a repair that passes the tests is written" },
    "max-iterations": { value: "N", help: "calls of the model (default 12)" },
    timeout: {
      value: "SECONDS",
      help: "limit; the clock stands still while programs run, which have their own (default 600)",
    },
    ...modelOptions,
    ...toolOptions,
    fallback: {
      value: "search",
      help: "where the model finds no repair, let the search engine try; the result says who",
    },
    ...sandboxOptions,
  },
  positionals: [1, 1] satisfies [number, number],
};

const say = (text: string) => console.error(text);

await runCommand(command, async (args) => {
  const file = args.positionals[0] ?? "";
  const name = args.text("function");
  const testsFile = args.text("tests");
  if (!name || !testsFile) throw new UserError(`--function and --tests are needed.\nusage: ${command.usage}`);
  const tools = chosenTools(args);
  const fallback = args.choice("fallback", ["search"]);
  const source = readSource(file);
  const task = fileTask(file, source, name, readSource(testsFile), args.text("instruction") ?? "");
  const timeoutMs = (args.number("timeout", { min: 1 }) ?? 600) * 1000;
  const model = await openModel(args, timeoutMs);
  requireLanguages({ jobs: [{ task }] }, { model: fallback ? { spec: fallback } : model, tools });
  await using sandbox = await openSandboxFor(args, 1);
  using interrupt = listenForInterrupt(() => say("finishing; Ctrl-C again stops at once"));
  try {
    const moduleName = basename(file, extname(file));
    const isPython = task.language === "python";
    const options = {
      sandbox,
      tools,
      ...(isPython ? { judge: { mode: "in_process" as const, moduleNames: [moduleName] } } : {}),
      testScript: isPython
        ? testScript(task.exampleTest, moduleName)
        : scriptTests(task.exampleTest, moduleName, task.entryPoint),
      timeoutMs,
      maxIterations: args.count("max-iterations", 1) ?? 12,
      signal: interrupt.signal,
      onStep: (step: Step) => say(`${renderStep(step)}\n`),
    };
    let solver = model.name;
    let trajectory = await repair(task, { model, ...options });
    if (fallback && !trajectory.verified && trajectory.stop !== "aborted") {
      say(`${solver} found no repair (${trajectory.error?.message ?? trajectory.stop}); the search engine tries now\n`);
      solver = fallback;
      trajectory = await repair(task, { model: { name: solver, chat: createSearchModel() }, ...options });
    }
    const { stop, answer, verified, error, iterations } = trajectory;
    if (error) throw new UserError(error.message);
    if (stop === "aborted") return EXIT.interrupted;
    if (!verified || answer === null) {
      say(
        `not repaired: nothing that passes ${testsFile} was found (${stop}, ${iterations} model calls); ${file} is unchanged`,
      );
      return EXIT.failed;
    }
    const repaired = likeOriginal(source, answer);
    process.stdout.write(unifiedDiff(basename(file), source, repaired));
    if (repaired === source) say(`${name} already passes ${testsFile}; nothing to change`);
    else if (args.flag("write")) {
      replaceFile(file, source, repaired);
      say(`${file} is repaired (by ${solver})`);
    } else say(`repaired by ${solver}; --write applies this to ${file}`);
    return EXIT.ok;
  } finally {
    await model.close();
  }
});
