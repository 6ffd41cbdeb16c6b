/** `mend repair buggy.py --function NAME --tests tests.py`: repairs a function of your own. */

import "../../../utils/program/plain_schemas.ts";
import { LAST_RESORT } from "../../../agent/models/table.ts";
import { askOn } from "../../../fix/outcome/ask.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { isFolder } from "../../../utils/base/files/stat.ts";
import { languageOf } from "../../../utils/languages/registry.ts";
import { type Arguments, type ExitCode, grouped, listenForStop } from "../../../utils/program/cli.ts";
import { watchTurns } from "../../run/display/watch.ts";
import { chosenTools, modelOptions, repairLimits, repairParts, sandboxOptions, toolOptions } from "../../run/setup.ts";
import { keepOptions, tellRepair } from "../own_files.ts";

/** On the clock. */
const SEARCH_SECONDS = 60;
/** Of one run of the tests: a buggy loop may never end, and each edit that leaves it takes as long. */
const FILE_SECONDS = 20;
const SUITE_SECONDS = 60;
const limits = repairLimits("a repair");

export const command = {
  usage: "FILE [--function NAME] [--tests TESTS] [options]",
  summary:
    "Repairs functions or a class of a file so that its failing tests pass. Prints the patch as a unified diff on " +
    "stdout, and changes no file without --write.",
  exits: {
    ok: "fixed, a suggestion, or nothing to repair",
    failed: "not fixed, or only some of the failing tests pass",
  },
  options: {
    tests: { value: "FILE", help: "file with the tests (default: the one that belongs to FILE by its name)" },
    "test-command": {
      value: "COMMAND",
      help:
        "how you run the tests, such as 'pytest tests/test_x.py' (default: what fits the file of tests). A command " +
        "that mend does not know counts as one test, by its exit code, and is much slower",
    },
    function: {
      value: "NAME",
      help: "function, class or Class.method to repair (default: up to five that the failing tests run)",
    },
    write: { help: "write the patch to FILE; a copy of the original stays beside it unless git has it" },
    ...grouped("More about the repair", {
      instruction: { value: "TEXT", help: "what the code should do, in words (default: its docstring and tests)" },
      choose: { value: "N", help: "take the Nth of several patches that pass, as the output numbers them (default 1)" },
      ask: { help: "ask you which result is right if several patches pass; your answer becomes a test" },
      "even-if-passing": { help: "ask the model although all tests pass" },
      fallback: { value: LAST_RESORT.usage, help: "model that tries if --model finds nothing" },
    }),
    ...grouped("Output", {
      verbose: { help: "show the whole text of every turn instead of one line" },
      json: { help: "print the outcome as one JSON document on stdout instead of the diff" },
    }),
    ...grouped("Limits", {
      time: { value: "TIME", help: `time for the search engine, such as 30s or 2m (default ${SEARCH_SECONDS}s)` },
      "test-timeout": {
        value: "SECONDS",
        help:
          `processor time for one run of the tests (default ${FILE_SECONDS}; where they are compiled, and of ` +
          `--test-command, ${SUITE_SECONDS})`,
      },
    }),
    ...limits.options,
    ...modelOptions,
    ...toolOptions,
    ...sandboxOptions,
    ...keepOptions,
  },
  positionals: [1, 1] satisfies [number, number],
};

const usualSeconds = (file: string, command: string | undefined): number =>
  command === undefined && !languageOf(file)?.runtime?.compiled ? FILE_SECONDS : SUITE_SECONDS;

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const [file = ""] = args.positionals;
  if (isFolder(file)) throw new UserError(`${file} is a folder: name a file in it, or use \`mend fix ${file}\`.`);
  using watch = watchTurns(process.stderr, { isBrief: !args.flag("verbose") });
  const request = {
    file,
    name: args.text("function"),
    tests: args.text("tests"),
    testCommand: args.command("test-command"),
    instruction: args.text("instruction"),
    evenIfPassing: args.flag("even-if-passing"),
    write: args.flag("write"),
    choose: args.count("choose", 1) ?? 1,
    searchSeconds: args.seconds("time") ?? SEARCH_SECONDS,
    fallback: args.choice("fallback", [LAST_RESORT.usage]),
    tools: chosenTools(args),
    testSeconds: args.seconds("test-timeout") ?? usualSeconds(file, args.text("test-command")),
    ...limits.read(args),
  };
  if (args.flag("ask") && !process.stdin.isTTY)
    throw new UserError("--ask asks questions in a terminal: its input must be one.");
  await using parts = repairParts(args, request.timeoutMs, watch);
  using stop = listenForStop(() => watch.say("stopping"));
  // LangChain takes long to load: help and what is refused do without it.
  const { repairOwnFile } = await import("../../../fix/fix.ts");
  return await tellRepair({ args, watch, target: request.file, limits: request, model: parts.model }, (onAttempts) =>
    repairOwnFile(request, {
      ...parts,
      ask: args.flag("ask") ? askOn(process.stdin, watch.say) : undefined,
      onAttempts,
      signal: stop.signal,
    }),
  );
}
