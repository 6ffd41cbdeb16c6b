/** `npx tsx eval/cli/commands/fix.ts PATH`: repairs a repository of your own. */

import "../../../utils/program/own_tsconfig.ts";
import { isUtf8 } from "node:buffer";
import { usualTestCommand } from "../../../fix/project/usual_tests.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { readNamed } from "../../../utils/base/files/foreign_file.ts";
import { isEntry } from "../../../utils/program/called_as.ts";
import { type Arguments, type ExitCode, listenForStop, runCommand } from "../../../utils/program/cli.ts";
import { openContainerBox, pullImage } from "../../../utils/sandbox/container/container_box.ts";
import { ENGINES, findEngine } from "../../../utils/sandbox/container/engine.ts";
import { engineOption, modelOptions, repairLimits, repairParts, sandboxOptions } from "../../run/setup.ts";
import { watchTurns } from "../../run/shown/watch.ts";
import { keepOptions, tellRepair } from "../own_files.ts";

/** On the clock. */
const SEARCH_SECONDS = 60;
const limits = repairLimits("an attempt", 30, 1800);
const ROOT = "/testbed";

export const command = {
  usage: "PATH [options]",
  summary:
    "Repairs a repository so that its failing tests pass, or an issue is solved, in a copy: your files " +
    "are read and not " +
    "changed without --write. Prints the patch on stdout and what each test did on stderr.",
  exits: { ok: "a patch passes, or nothing fails", failed: "no patch passes, or a part of the tests alone" },
  options: {
    test: {
      value: "COMMAND",
      help: "how you run its tests, such as 'pytest tests' (default: cargo test, npm test, pytest … by its files)",
    },
    issue: { value: "FILE", help: "what is wrong, in words" },
    write: { help: "write what this run finds to your files" },
    branch: { value: "NAME", help: "commit the patch to a new branch; your files and present branch stay as they are" },
    "keep-tests": { help: "leave new tests of the model that fail before the change in the patch" },
    time: {
      value: "TIME",
      help: `how long the search engine may try, such as 30s or 2m (default ${SEARCH_SECONDS}s)`,
    },
    choose: { value: "N", help: "of several edits that pass and differ the Nth, as they are numbered (default 1)" },
    verbose: { help: "all that is said in each turn, in place of a line" },
    samples: { value: "N", help: "attempts of which the best is chosen (default 1)" },
    json: { help: "the outcome as one JSON document on stdout, instead of the patch" },
    env: { value: "LIST", help: "variables for the test command: names of yours, or NAME=value, separated by commas" },
    python: { value: "PATH", help: "interpreter of the tests (default: the repository's .venv, else python3)" },
    ...limits.options,
    container: { value: "IMAGE", help: "run the tests in containers of this image, with the programs in it" },
    "container-root": { value: "PATH", help: `where a container has the repository (default ${ROOT})` },
    ...engineOption,
    "test-timeout": { value: "SECONDS", help: "processor time of one run of the tests (default 300)" },
    "test-memory": { value: "MB", help: "memory of the test command (default 4096)" },
    ...modelOptions,
    ...sandboxOptions,
    ...keepOptions,
  },
  positionals: [1, 1] satisfies [number, number],
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  using watch = watchTurns(process.stderr, { isBrief: !args.flag("verbose") });
  const [path = ""] = args.positionals;
  const test = args.text("test")?.trim() || usualTestCommand(path);
  if (args.flag("write") && args.text("branch") !== undefined)
    throw new UserError("Give --write or --branch, not both.");
  const request = {
    path,
    test,
    issue: readIssue(args.text("issue")),
    write: args.flag("write"),
    branch: args.text("branch"),
    keepTests: args.flag("keep-tests"),
    choose: args.count("choose", 1) ?? 1,
    searchSeconds: args.seconds("time") ?? SEARCH_SECONDS,
    samples: args.count("samples", 1, 1000) ?? 1,
    seed: args.count("seed", 0, Number.MAX_SAFE_INTEGER),
    environment: readEnvironment(args.text("env")),
    python: args.text("python"),
    testSeconds: args.seconds("test-timeout") ?? 300,
    memoryMb: args.count("test-memory", 64),
    ...limits.read(args),
  };
  using stop = listenForStop(() => watch.say("stopping"));
  const image = args.text("container");
  const openContainer = async (name: string) => {
    const engine = await findEngine(args.choice("container-engine", ENGINES));
    await pullImage(engine, name, watch);
    return await openContainerBox({ engine, name, root: args.text("container-root") ?? ROOT });
  };
  await using parts = repairParts(
    args,
    request.timeoutMs,
    watch,
    image === undefined ? undefined : () => openContainer(image),
  );
  // LangChain takes long to load: help and what is refused do without it.
  const { fixRepository } = await import("../../../fix/fix.ts");
  return await tellRepair({ args, watch, target: request.path, limits: request, model: parts.model }, (onAttempts) =>
    fixRepository(request, { ...parts, onAttempts, signal: stop.signal }),
  );
}

/** @throws UserError for what is no text, such as a packed file or a picture */
function readIssue(file: string | undefined): string {
  if (file === undefined) return "";
  const bytes = readNamed(file);
  if (bytes.includes(0) || !isUtf8(bytes)) throw new UserError(`--issue ${file}: it is no text in UTF-8.`);
  return bytes.toString("utf8").trim();
}

/** `NAME` is taken from ours, `NAME=value` is as it says. */
function readEnvironment(text: string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of (text ?? "").split(",").filter(Boolean)) {
    const [, name = "", , value] = /^([A-Za-z_]\w*)(=(.*))?$/s.exec(part) ?? [];
    const own = value ?? process.env[name];
    if (name === "" || own === undefined)
      throw new UserError(`--env ${part}: it is no variable of yours; write NAME=value.`);
    found[name] = own;
  }
  return found;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
