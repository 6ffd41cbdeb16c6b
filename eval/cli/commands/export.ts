/** `npx tsx eval/cli/commands/export.ts RUN --format junit|messages|predictions`: a run for other programs to read. */

import "../../../utils/program/own_tsconfig.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { requireOtherFile, writeNamed } from "../../../utils/base/files/users_file.ts";
import { isEntry } from "../../../utils/program/called_as.ts";
import { type Arguments, EXIT, type ExitCode, printDocument, runCommand } from "../../../utils/program/cli.ts";
import { forTerminal } from "../../../utils/program/status.ts";
import { junit, messages, predictions } from "../../run/export.ts";
import { filesOfRun, loadRun } from "../../run/load_run.ts";

const FORMATS = ["junit", "messages", "predictions"] as const;

export const command = {
  usage: "RUN --format junit|messages|predictions [options]",
  summary:
    "Writes a run as JUnit XML, its patches as predictions of SWE-bench, or its trajectories as chat messages for " +
    "fine-tuning, to stdout.",
  options: {
    format: { value: "NAME", help: `one of ${FORMATS.join(", ")}` },
    predictions: { help: "the same as --format predictions" },
    out: { value: "FILE", help: "a file instead of stdout" },
    json: { help: "the run's name, the format, its count and the text, or the file, as one JSON document on stdout" },
    all: { help: "messages: every trajectory (default: accepted by the visible tests and passed by the hidden ones)" },
  },
  positionals: [1, 1] satisfies [number, number],
  printsOnly: true as const,
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const format = args.flag("predictions") ? "predictions" : args.choice("format", FORMATS);
  if (!format) throw new UserError(`--format is needed, one of ${FORMATS.join(", ")}.`);
  const all = args.flag("all");
  if (all && format !== "messages") throw new UserError("--all goes with --format messages alone.");
  const run = loadRun(args.positionals[0] ?? "");
  const out = args.text("out");
  if (out !== undefined) requireOtherFile(out, filesOfRun(run));
  let text: string;
  let count = run.results.length;
  if (format === "junit") text = junit(run);
  else if (format === "predictions") {
    const found = predictions(run);
    count = found.length;
    text = `${JSON.stringify(found, null, 2)}\n`;
  } else {
    const { lines, notTaken } = messages(run, { all });
    count = lines.length;
    text = lines.map((line) => `${line}\n`).join("");
    const reasons = Object.entries(notTaken).map(([reason, count]) => `${count} ${reason}`);
    console.error([`${lines.length} trajectories`, ...reasons].join(" · "));
  }
  if (out !== undefined) writeNamed(out, text);
  if (args.flag("json"))
    printDocument({ run: run.name, format, count, ...(out === undefined ? { text } : { file: out }) });
  else if (out === undefined) process.stdout.write(forTerminal(text, process.stdout));
  return EXIT.ok;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
