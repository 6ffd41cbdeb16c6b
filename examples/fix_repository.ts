/** `npx tsx examples/fix_repository.ts PATH --test 'npm test'`: repairs a repository of your own. */

import { readFileSync } from "node:fs";
import type { Model } from "../agent/models/model.ts";
import { fixRepository } from "../agent/repository/fix.ts";
import { renderFix } from "../agent/repository/outcome/outcome.ts";
import { renderStep } from "../agent/transcript.ts";
import { modelOptions, openModel, openSandboxFor, sandboxOptions } from "../eval/run/setup.ts";
import { isEntry } from "../utils/called_as.ts";
import { type Arguments, EXIT, type ExitCode, listenForInterrupt, runCommand } from "../utils/cli.ts";
import { UserError } from "../utils/errors.ts";
import { openCommandBox } from "../utils/sandbox/command_box.ts";
import { LAYERS, type Sandbox } from "../utils/sandbox/types.ts";

export const command = {
  usage: "PATH --test 'COMMAND' [options]",
  summary:
    "Repairs a repository so that its failing tests pass, or an issue is solved, in a copy: your files are read and not\n" +
    "changed without --write. Prints the patch on stdout and what each test did on stderr. Exit codes: 0 a patch passes or\n" +
    "nothing fails, 1 none does, 2 usage or input, 130 interrupted.",
  options: {
    test: { value: "COMMAND", help: "how you run its tests, such as 'npm test' or 'pytest tests'" },
    issue: { value: "FILE", help: "what is wrong, in words" },
    write: { help: "apply the patch to your files" },
    branch: { value: "NAME", help: "commit the patch to a new branch; your files and present branch stay as they are" },
    samples: { value: "N", help: "attempts of which the best is chosen (default 1)" },
    json: { help: "the outcome as one JSON document on stdout, instead of the patch" },
    env: { value: "LIST", help: "variables for the test command: names of yours, or NAME=value, separated by commas" },
    python: { value: "PATH", help: "interpreter of the tests (default: the repository's .venv, else python3)" },
    "max-iterations": { value: "N", help: "calls of the model in an attempt (default 30)" },
    timeout: { value: "SECONDS", help: "limit of an attempt (default 1800)" },
    "test-timeout": { value: "SECONDS", help: "processor time of one run of the tests (default 300)" },
    "test-memory": { value: "MB", help: "memory of the test command (default 4096)" },
    ...modelOptions,
    ...sandboxOptions,
  },
  positionals: [1, 1] satisfies [number, number],
};

const say = (text: string) => console.error(text);

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const timeoutMs = (args.number("timeout", { min: 1 }) ?? 1800) * 1000;
  const test = args.text("test");
  if (!test?.trim()) throw new UserError("--test COMMAND is needed: how are the tests run?");
  if (args.flag("write") && args.text("branch") !== undefined)
    throw new UserError("Give --write or --branch, not both.");
  const request = {
    path: args.positionals[0] ?? "",
    test: test.trim(),
    issue: readIssue(args.text("issue")),
    write: args.flag("write"),
    branch: args.text("branch"),
    samples: args.count("samples", 1) ?? 1,
    seed: args.count("seed"),
    environment: readEnvironment(args.text("env")),
    python: args.text("python"),
    maxIterations: args.count("max-iterations", 1) ?? 30,
    testSeconds: args.number("test-timeout", { min: 1 }) ?? 300,
    memoryMb: args.count("test-memory", 64),
    timeoutMs,
  };
  const layer = args.choice("sandbox", ["auto", ...LAYERS]) ?? "auto";
  const stop = new AbortController();
  using _interrupt = listenForInterrupt(() => stop.abort(new Error("interrupted")));
  let model: Model | undefined;
  let sandbox: Sandbox | undefined;
  try {
    const outcome = await fixRepository(request, {
      openModel: async () => {
        model = await openModel(args, timeoutMs);
        return model;
      },
      openSandbox: async () => {
        sandbox = await openSandboxFor(args, 1);
        return sandbox;
      },
      openBox: () => openCommandBox({ layer }),
      say,
      onStep: (step) => say(`${renderStep(step)}\n`),
      signal: stop.signal,
    });
    process.stdout.write(args.flag("json") ? `${JSON.stringify(outcome)}\n` : outcome.diff);
    say(renderFix(outcome));
    if (outcome.outcome === "interrupted") return EXIT.interrupted;
    return outcome.outcome === "not_fixed" ? EXIT.failed : EXIT.ok;
  } finally {
    await model?.close();
    await sandbox?.close();
  }
}

function readIssue(file: string | undefined): string {
  if (file === undefined) return "";
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new UserError(`${file} cannot be read (${error instanceof Error ? error.message : error}).`);
  }
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
