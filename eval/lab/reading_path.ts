/**
 * `npx tsx eval/lab/reading_path.ts`: what one has to read to follow one task from `eval/pass1.ts` to its score: the
 * files with code that runs, and those that are loaded.
 */

import "../../utils/program/own_tsconfig.ts";
import { type Profiler, Session } from "node:inspector";
import { fileURLToPath } from "node:url";
import { type Arguments, type ExitCode, runCommand } from "../../utils/program/cli.ts";
import { main as evaluate, command as evaluation } from "../cli/commands/eval.ts";

const ROOT = new URL("../../", import.meta.url).href;
/** What loading a module runs, by the names that V8 and esbuild give it. */
const OF_LOADING = new Set(["__name", "<static_initializer>", "<instance_members_initializer>"]);

const command = {
  ...evaluation,
  summary:
    "Runs `mend eval` with the same options; then prints the project's own files whose functions ran in this\n" +
    "process (more than what runs when a module is loaded), and how many were loaded.",
};

async function main(args: Arguments<keyof typeof evaluation.options>): Promise<ExitCode> {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const code = await evaluate(args);
  session.post("Profiler.takePreciseCoverage", (error, covered) => {
    if (error) throw error;
    const own = covered.result.filter(({ url }) => url.startsWith(ROOT) && !url.includes("/node_modules/"));
    const ran = own.filter(({ functions }) => functions.some(isOfRunning)).map(({ url }) => nameOf(url));
    console.log(ran.toSorted().join("\n"));
    console.error(`${new Set(ran).size} own files ran`);
  });
  return code;
}

/** The first function of a file is its top level, which begins at its beginning. */
const isOfRunning = ({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean =>
  (range?.count ?? 0) > 0 && range?.startOffset !== 0 && !OF_LOADING.has(functionName);

const nameOf = (url: string): string => fileURLToPath(url).slice(fileURLToPath(ROOT).length);

await runCommand(command, main);
