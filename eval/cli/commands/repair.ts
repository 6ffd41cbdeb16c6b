/** `npx tsx eval/cli/commands/repair.ts buggy.py --function NAME --tests tests.py`: repairs a function of your own. */

import "../../../utils/program/own_tsconfig.ts";
import "../../../utils/program/plain_schemas.ts";
import { FALLBACKS } from "../../../agent/models/table.ts";
import { askOn } from "../../../fix/outcome/ask.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { isEntry } from "../../../utils/program/called_as.ts";
import { type Arguments, type ExitCode, listenForStop, runCommand } from "../../../utils/program/cli.ts";
import { chosenTools, modelOptions, repairLimits, repairParts, sandboxOptions, toolOptions } from "../../run/setup.ts";
import { watchTurns } from "../../run/shown/watch.ts";
import { keepOptions, tellRepair } from "../own_files.ts";

/** On the clock. */
const SEARCH_SECONDS = 60;
const limits = repairLimits("a repair");

export const command = {
  usage: "FILE [--function NAME] [--tests TESTS] [options]",
  summary:
    "Repairs one function or class of a file so that its tests pass, and changes nothing where they pass already. " +
    "Prints a unified diff on stdout; changes no file without --write.",
  exits: { ok: "repaired, or nothing to repair", failed: "no repair found, or one of a part of the tests" },
  options: {
    function: {
      value: "NAME",
      help: "what to repair: a top-level function, a class or Class.method (default: what failing tests point to)",
    },
    tests: {
      value: "FILE",
      help:
        "pytest, unittest, doctest, node:test, vitest, jest, mocha or plain assertions (default: by the " +
        "file's name)",
    },
    "test-command": { value: "COMMAND", help: "how you run them, such as 'pytest tests/test_x.py' (default: guessed)" },
    instruction: { value: "TEXT", help: "what it should do (default: its docstring and the tests say it)" },
    write: { help: "write what this run finds to the file; a copy stays beside it unless git has it" },
    time: {
      value: "TIME",
      help: `how long the search engine may try, such as 30s or 2m (default ${SEARCH_SECONDS}s)`,
    },
    choose: { value: "N", help: "of several edits that pass and differ the Nth, as they are numbered (default 1)" },
    verbose: { help: "all that is said in each turn, in place of a line" },
    ask: { help: "in a terminal: where several edits pass, ask what is right; the answer becomes a test" },
    "even-if-passing": { help: "ask the model though the tests pass" },
    json: { help: "the outcome as one JSON document on stdout, instead of the diff" },
    ...limits.options,
    "test-timeout": { value: "SECONDS", help: "processor time of one run of the tests (default 60)" },
    ...modelOptions,
    ...toolOptions,
    fallback: {
      value: FALLBACKS.join("|"),
      help: "where the model finds no repair, let this one try; the result says who",
    },
    ...sandboxOptions,
    ...keepOptions,
  },
  positionals: [1, 1] satisfies [number, number],
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  using watch = watchTurns(process.stderr, { isBrief: !args.flag("verbose") });
  const request = {
    file: args.positionals[0] ?? "",
    name: args.text("function"),
    tests: args.text("tests"),
    testCommand: args.text("test-command"),
    instruction: args.text("instruction"),
    evenIfPassing: args.flag("even-if-passing"),
    write: args.flag("write"),
    choose: args.count("choose", 1) ?? 1,
    searchSeconds: args.seconds("time") ?? SEARCH_SECONDS,
    fallback: args.choice("fallback", FALLBACKS),
    tools: chosenTools(args),
    testSeconds: args.seconds("test-timeout") ?? 60,
    ...limits.read(args),
  };
  if (args.flag("ask") && !process.stdin.isTTY) throw new UserError("--ask needs a terminal to ask in.");
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

if (isEntry(import.meta.url)) await runCommand(command, main);
