/**
 * `npx tsx eval/lab/recorded_session.ts FOLDER`: the self-edit loop with an endpoint whose model is scripted and edits
 * as a good one did in SICA's paper; prints what became of each kind of change and leaves the run with its page.
 */

import "../../utils/program/own_tsconfig.ts";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { dollars, plural, tokens } from "../../utils/base/text/format.ts";
import { type Arguments, EXIT, runCommand } from "../../utils/program/cli.ts";
import { playSession } from "./testing/session/session.ts";

const command = {
  usage: "FOLDER",
  summary:
    "Plays a run of the self-edit loop with a scripted model in a new folder, and prints what became of each child.",
  options: {},
  positionals: [1, 1] satisfies [number, number],
};

async function main({ positionals: [path = ""] }: Pick<Arguments<never>, "positionals">) {
  const folder = resolve(path);
  try {
    mkdirSync(folder);
  } catch {
    throw new UserError(`${path} cannot be made: give the name of a folder that is not there yet.`);
  }
  const { exitCode, state, fates } = await playSession(folder, true);
  for (const { iteration, verdict, gate, message } of fates)
    console.log(`${iteration} ${verdict} at ${gate}: ${message}`);
  const { costUsd, tokens: used } = state.spent;
  const attempts = plural(state.measured.size, "attempt");
  console.log(`${attempts}, ${tokens(used)}, ${dollars(costUsd)} at $0.25 and $2 for a million`);
  return exitCode === 0 ? EXIT.ok : EXIT.failed;
}

await runCommand(command, main);
