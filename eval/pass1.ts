/** `npx tsx eval/pass1.ts`, which is `mend eval`: pass@1 of a model on a benchmark. Its last line is always JSON. */

import "../utils/program/own_tsconfig.ts";
import { runCommand } from "../utils/program/cli.ts";
import { command, main } from "./cli/commands/eval.ts";

await runCommand(command, (args) => main(args, true));
