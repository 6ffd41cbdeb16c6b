/** `mend export RUN --format NAME`: a run for other programs to read. */

import { UserError } from "../../../utils/base/data/errors.ts";
import { requireOtherFile, writeNamed } from "../../../utils/base/files/users_file.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { type Arguments, EXIT, type ExitCode, printDocument } from "../../../utils/program/cli.ts";
import { forTerminal } from "../../../utils/program/status.ts";
import { junit, messages, predictions, samples } from "../../run/export.ts";
import { filesOfRun, loadRun } from "../../run/load_run.ts";

const FORMATS = ["junit", "messages", "samples", "predictions"] as const;

export const command = {
  usage: `RUN --format ${FORMATS.join("|")} [options]`,
  summary:
    "Writes a run to stdout as JUnit XML, its turns as chat messages for fine-tuning, its answers as samples " +
    "(`task_id` and `solution`, for mend score and other harnesses), or its patches as predictions of SWE-bench.",
  options: {
    format: { value: "NAME", help: `one of ${FORMATS.join(", ")}` },
    predictions: { help: "the same as --format predictions" },
    out: { value: "FILE", help: "write to this file instead of stdout" },
    json: { help: "print the run's name, the format, the count and the text as one JSON document on stdout" },
    all: { help: "messages: write every sample (default: those that passed the visible and the hidden tests)" },
  },
  positionals: [1, 1] satisfies [number, number],
  printsOnly: true as const,
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const run = loadRun(args.positionals[0] ?? "");
  const format = args.flag("predictions") ? "predictions" : args.choice("format", FORMATS);
  if (!format) throw new UserError(`--format is missing: one of ${FORMATS.join(", ")}.`);
  const all = args.flag("all");
  if (all && format !== "messages") throw new UserError("--all can only be used with --format messages.");
  const out = args.text("out");
  if (out !== undefined) requireOtherFile(out, filesOfRun(run));
  let text: string;
  let count = run.results.length;
  if (format === "junit") text = junit(run);
  else if (format === "predictions") {
    const found = predictions(run);
    count = found.length;
    text = `${JSON.stringify(found, null, 2)}\n`;
  } else if (format === "samples") {
    const found = samples(run);
    count = found.length;
    text = found.map((sample) => `${JSON.stringify(sample)}\n`).join("");
    const missing = run.expected - count;
    const more = missing > 0 ? ` · ${missing} of ${run.expected} without a score are not written` : "";
    console.error(`${plural(count, "sample")}${more}`);
  } else {
    const { lines, notTaken } = messages(run, { all });
    count = lines.length;
    text = lines.map((line) => `${line}\n`).join("");
    const reasons = Object.entries(notTaken).map(([reason, count]) => `${count} ${reason}`);
    const others = reasons.length > 0 && !all ? ["--all writes every sample"] : [];
    console.error([plural(lines.length, "sample"), ...reasons, ...others].join(" · "));
  }
  if (out !== undefined) writeNamed(out, text);
  if (args.flag("json"))
    printDocument({ run: run.name, format, count, ...(out === undefined ? { text } : { file: out }) });
  else if (out === undefined) process.stdout.write(forTerminal(text, process.stdout));
  return EXIT.ok;
}
