/** `npx tsx examples/demo_minimal.ts --index 0`, which is `mend demo`: repairs one task and shows every turn. */

import "../utils/program/own_tsconfig.ts";
import { command, main } from "../eval/cli/commands/demo.ts";
import { runCommand } from "../utils/program/cli.ts";

await runCommand(command, main);
