/**
 * `npx tsx eval/meta_loop.ts`, which is `mend improve`: the loop in which the agent edits its own code and is measured.
 */

import "../utils/program/own_tsconfig.ts";
import { runCommand } from "../utils/program/cli.ts";
import { command, main } from "./cli/commands/improve.ts";

await runCommand(command, main);
