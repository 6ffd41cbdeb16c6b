/** `mend report RUN`: a run as one HTML file that opens from disk. */

import { UserError } from "../../../utils/base/data/errors.ts";
import { makeFolder } from "../../../utils/base/files/make_folder.ts";
import { requireOtherFile, writeNamed } from "../../../utils/base/files/users_file.ts";
import { insidePath, replaceInside } from "../../../utils/base/files/write_inside.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { shellWord } from "../../../utils/program/arguments.ts";
import { calledAs } from "../../../utils/program/called_as.ts";
import { type Arguments, EXIT, type ExitCode, printDocument } from "../../../utils/program/cli.ts";
import { buildBoard, buildReport } from "../../pages/report/build_report.ts";
import { filesOfRun, loadLastRepair, loadRun, type Run } from "../../run/load_run.ts";
import { RUNS_FOLDER } from "../../run/lock.ts";

export const command = {
  usage: "RUN [options]",
  summary:
    "Writes a run as one HTML page with its score, charts, tasks and every turn. With --runs, writes a leaderboard " +
    "of several runs.",
  // More than one are answered with the option that takes them.
  positionals: [0, 100] satisfies [number, number],
  options: {
    last: { help: "instead of RUN: the last mend repair or mend fix" },
    runs: { value: "A,B,C", help: "instead of RUN: a leaderboard of these runs" },
    out: {
      value: "FILE",
      help: `file to write (default: report.html in the run's folder; for --runs ${RUNS_FOLDER}/leaderboard.html)`,
    },
    json: { help: "print the file's name and contents as one JSON document on stdout" },
  },
};

const PAGE = "report.html";
const BOARD = "leaderboard.html";

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const [name, another] = args.positionals;
  if (another !== undefined) {
    const runs = args.positionals.map(shellWord).join(",");
    const command = calledAs("report");
    throw new UserError(`A page shows one run. For a leaderboard of several: ${command} --runs ${runs}`);
  }
  const names = args.text("runs");
  const isLast = args.flag("last");
  if ([name !== undefined, names !== undefined, isLast].filter(Boolean).length !== 1)
    throw new UserError("Name one run, several with --runs A,B,C, or use --last for the last repair.");
  const runs = names !== undefined ? severalRuns(names) : [isLast ? loadLastRepair() : loadRun(name ?? "")];
  const [first] = runs;
  if (!first) throw new UserError("--runs takes the names of runs, separated by commas: A,B,C.");
  const named = args.text("out");
  const folder = names === undefined ? first.folder : RUNS_FOLDER;
  const page = names === undefined ? PAGE : BOARD;
  const file = named ?? insidePath(folder, page);
  requireOtherFile(file, runs.flatMap(filesOfRun));
  const { html, leftOut } = names === undefined ? buildReport(first) : buildBoard(runs);
  if (named !== undefined) writeNamed(named, html);
  else {
    makeFolder(folder);
    replaceInside(folder, page, html);
  }
  const bytes = Buffer.byteLength(html);
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const [samples, expected] = [sum(({ results }) => results.length), sum((run) => run.expected)];
  console.error(
    `${samples} of ${plural(expected, "sample")}, ` +
      `${size}${leftOut > 0 ? `, ${plural(leftOut, "character")} of long texts left out` : ""}`,
  );
  if (args.flag("json")) printDocument({ file, bytes, samples, expected, left_out: leftOut });
  else console.log(file);
  return EXIT.ok;
}

/** @throws UserError where one is missing, or two are one */
function severalRuns(names: string): Run[] {
  const asked = names.split(",").map((one) => one.trim());
  if (asked.some((one) => one === ""))
    throw new UserError("--runs takes the names of runs, separated by commas: A,B,C.");
  const runs = asked.map((one) => loadRun(one));
  const twice = runs.find((run, i) => runs.findIndex(({ name }) => name === run.name) !== i);
  if (twice) throw new UserError(`--runs names ${twice.name} twice; name each run once.`);
  return runs;
}
