/** `npx tsx eval/cli/commands/report.ts RUN`: a run as one HTML file that opens from disk. */

import "../../../utils/program/own_tsconfig.ts";
import { requireOtherFile, writeNamed } from "../../../utils/files/users_file.ts";
import { insidePath, replaceInside } from "../../../utils/files/write_inside.ts";
import { isEntry } from "../../../utils/program/called_as.ts";
import { type Arguments, EXIT, type ExitCode, printDocument, runCommand } from "../../../utils/program/cli.ts";
import { plural } from "../../../utils/text/format.ts";
import { buildReport } from "../../pages/report/build_report.ts";
import { filesOfRun, loadRun } from "../../run/load_run.ts";

export const command = {
  usage: "RUN [options]",
  summary: "Writes a run as one HTML page: score, charts, a table of tasks, every turn of every task.",
  positionals: [1, 1] satisfies [number, number],
  options: {
    out: { value: "FILE", help: "where to write it (default: report.html in the run's folder)" },
    json: { help: "the file and what is in it as one JSON document on stdout" },
  },
};

const PAGE = "report.html";

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const [name = ""] = args.positionals;
  const run = loadRun(name);
  const named = args.text("out");
  const file = named ?? insidePath(run.folder, PAGE);
  requireOtherFile(file, filesOfRun(run));
  const { html, leftOut } = buildReport(run);
  if (named !== undefined) writeNamed(named, html);
  else replaceInside(run.folder, PAGE, html);
  const bytes = Buffer.byteLength(html);
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  console.error(
    `${run.results.length} of ${plural(run.expected, "sample")}, ${size}${leftOut > 0 ? `, ${plural(leftOut, "character")} of long texts left out` : ""}`,
  );
  const { results, expected } = run;
  if (args.flag("json")) printDocument({ file, bytes, samples: results.length, expected, left_out: leftOut });
  else console.log(file);
  return EXIT.ok;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
