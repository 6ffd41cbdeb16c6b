/**
 * node-tap: its own command runs the tests, with what `.taprc` or the manifest say of it, and writes what they print.
 */

import { packageVersion } from "../../project/project.ts";
import { configFiles, type Framework, type TestReport } from "../framework.ts";
import { parseLinesOfTests } from "../lines.ts";
import { parseTap } from "../tap.ts";
import { filesOf, imports, installedCommand, runnerFile, startedBy } from "./command.ts";

const RUN_TAP = runnerFile("run_tap.cjs");
const FILE = /\.[cm]?[jt]sx?$/;
/** What its output ends with; later versions write their plan to the report only where it comes last. */
const END = /^# time=[\d.]+m?s\s*$/m;

export const nodeTap: Framework = {
  name: "tap",
  language: "javascript",
  names: { modules: [], settings: [configFiles("tap")] },
  recognises: (tests) => imports(tests, "tap") || imports(tests, "libtap"),
  commands: startedBy("tap", "(?:\\s+run)?"),
  command: async ({ project, args, results }) => {
    const major = Number((packageVersion(project.folder, "tap") ?? "").split(".", 1));
    const isLater = major >= 18;
    const options = [
      // Time is limited by the box alone: how long a test takes says nothing on a busy machine.
      ...[isLater ? "--disable-coverage" : "--no-coverage", "--timeout=0", "--jobs=1"],
      ...["--reporter=tap", `--output-file=${results}`],
    ];
    const command = installedCommand(project, "tap", [...options, ...args]);
    if (!isLater) return command;
    const [node = "", program = ""] = command.argv;
    return { ...command, argv: [node, RUN_TAP, results, program, JSON.stringify(options), ...args] };
  },
  select: (tests) => filesOf(tests) ?? [],
  parseResults: (text) => parseLinesOfTests(text) ?? parseOutput(text),
};

/** Null where the end is missing. */
function parseOutput(text: string): TestReport | null {
  const { tests, fatal, isPlanned } = parseTap(text, true);
  if (!isPlanned && !END.test(text)) return null;
  const inFiles = tests.map((test) => {
    const [file = ""] = test.name.split(" > ", 1);
    return FILE.test(file) ? { ...test, file } : test;
  });
  return { tests: inFiles, fatal: fatal ?? (tests.length === 0 ? "no tests were found" : null) };
}
