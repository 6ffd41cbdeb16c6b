/** `mend fix PATH`: repairs a repository of your own. */

import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { usualTestCommand } from "../../../fix/project/usual_tests.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { readNamed } from "../../../utils/base/files/foreign_file.ts";
import { isFolder } from "../../../utils/base/files/stat.ts";
import { type Arguments, type ExitCode, grouped, listenForStop } from "../../../utils/program/cli.ts";
import { openContainerBox, pullImage } from "../../../utils/sandbox/container/container_box.ts";
import { ENGINES, findEngine } from "../../../utils/sandbox/container/engine.ts";
import { watchTurns } from "../../run/display/watch.ts";
import { engineOption, modelOptions, repairLimits, repairParts, sandboxOptions } from "../../run/setup.ts";
import { keepOptions, tellRepair } from "../own_files.ts";

/** On the clock. */
const SEARCH_SECONDS = 60;
const limits = repairLimits("an attempt", 30, 1800);
const ROOT = "/testbed";

export const command = {
  usage: "PATH [options]",
  summary:
    "Repairs a repository so that its failing tests pass or an issue is solved. It works in a copy, and changes your " +
    "files only with --write or --branch. Prints the patch on stdout.",
  exits: {
    ok: "fixed, a suggestion, or no test fails",
    failed: "not fixed, or only some of the failing tests pass",
  },
  options: {
    test: {
      value: "COMMAND",
      help: "how you run the tests, such as 'pytest tests' (default: cargo test, npm test, pytest … by its files)",
    },
    issue: { value: "FILE", help: "file that describes what is wrong, in words" },
    write: { help: "write the patch to your files" },
    branch: { value: "NAME", help: "commit the patch to a new branch; your files and current branch do not change" },
    ...grouped("More about the repair", {
      choose: { value: "N", help: "take the Nth of several patches that pass, as the output numbers them (default 1)" },
      samples: { value: "N", help: "number of attempts; mend chooses the best (default 1)" },
      "keep-tests": { help: "keep the model's new tests in the patch if they fail without it" },
    }),
    ...grouped("Tests", {
      env: {
        value: "LIST",
        help: "environment variables for the tests, separated by commas: NAME of one of yours, or NAME=value",
      },
      prepare: { help: "fetch the modules that tests in Go, Rust or Java need, and keep them" },
      python: { value: "PATH", help: "Python for the tests (default: the repository's .venv, else python3)" },
      "test-timeout": { value: "SECONDS", help: "processor time for one run of the tests (default 300)" },
      "test-memory": { value: "MB", help: "memory for one run of the tests (default 4096)" },
    }),
    ...grouped("Output", {
      verbose: { help: "show the whole text of every turn instead of one line" },
      json: { help: "print the outcome as one JSON document on stdout instead of the patch" },
    }),
    ...grouped("Limits", {
      time: { value: "TIME", help: `time for the search engine, such as 30s or 2m (default ${SEARCH_SECONDS}s)` },
    }),
    ...limits.options,
    ...grouped("Containers", {
      container: { value: "IMAGE", help: "run the tests in containers of this image, with the programs in it" },
      "container-root": { value: "PATH", help: `where a container has the repository (default ${ROOT})` },
    }),
    ...engineOption,
    ...modelOptions,
    ...sandboxOptions,
    ...keepOptions,
  },
  positionals: [1, 1] satisfies [number, number],
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  using watch = watchTurns(process.stderr, { isBrief: !args.flag("verbose") });
  const [path = ""] = args.positionals;
  if (existsSync(path) && !isFolder(path))
    throw new UserError(`${path} is a file: name its repository, or use \`mend repair ${path}\`.`);
  const test = args.command("test") ?? usualTestCommand(path);
  if (args.flag("write") && args.text("branch") !== undefined)
    throw new UserError("Use --write or --branch, not both.");
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
    fetches: args.flag("prepare"),
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

/** @throws UserError for a file that is not text, such as an archive or a picture */
function readIssue(file: string | undefined): string {
  if (file === undefined) return "";
  const bytes = readNamed(file);
  if (bytes.includes(0) || !isUtf8(bytes)) throw new UserError(`--issue ${file}: the file is not UTF-8 text.`);
  return bytes.toString("utf8").trim();
}

/** `NAME` is taken from ours, `NAME=value` is as it says. */
function readEnvironment(text: string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of (text ?? "").split(",").filter(Boolean)) {
    const [, name = "", , value] = /^([A-Za-z_]\w*)(=(.*))?$/s.exec(part) ?? [];
    const own = value ?? process.env[name];
    if (name === "" || own === undefined)
      throw new UserError(`--env ${part}: you have no such environment variable. Write NAME=value to set one.`);
    found[name] = own;
  }
  return found;
}
