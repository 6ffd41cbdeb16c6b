/** What the first picture shows: a repair of `examples/first`, run as a user runs it. */

import { spawn } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { ROOT } from "../options.ts";
import type { Scene } from "./terminal_svg.ts";

const EXAMPLE = join(ROOT, "examples", "first");
const FILES = ["inventory.py", "test_inventory.py"];
const REPAIR = ["repair", "inventory.py", "--model", "search"];

/** Of a machine without the best sandbox. */
const WARNINGS = /^sandbox: .*\n/gm;

/** @param mend what starts the command, e.g. `[node, mend.js]` */
export async function firstRepair(mend: readonly string[]): Promise<Scene[]> {
  using folder = makeTemporaryFolder("picture");
  using state = makeTemporaryFolder("picture-state");
  for (const file of FILES) copyFileSync(join(EXAMPLE, file), join(folder.path, file));
  const shown = (file: string) => readFileSync(join(EXAMPLE, file), "utf8").trimEnd().split("\n");
  const printed = (await run([...mend, ...REPAIR], folder.path, state.path))
    .replace(WARNINGS, "")
    .replaceAll(folder.path, "~/shop")
    .replaceAll(state.path, "~/.local/state");
  return [
    ...FILES.map((file) => ({ command: `cat ${file}`, lines: shown(file) })),
    { command: `mend ${REPAIR.join(" ")}`, lines: printed.trimEnd().split("\n") },
  ];
}

/** What differs between runs, machines and versions: times, tried edits, the sandbox's layer, the name of a run. */
export const masked = (line: string): string =>
  line
    .replace(/\d+\.\d+ s\b/g, "… s")
    .replace(/\d+ edits tried/, "… edits tried")
    .replace(/sandbox (?:bwrap|landlock|plain)/, "sandbox …")
    .replace(/adds about .* s$/, "adds about … s")
    .replace(/\/runs\/[^/;\s]+/, "/runs/…");

/** All that a command prints, in the order in which it does, with its colours. What it keeps goes into `state`. */
async function run([program = "", ...words]: readonly string[], cwd: string, state: string): Promise<string> {
  const { NO_COLOR: _, NODE_OPTIONS: __, MEND_NO_STORE: ___, ...environment } = process.env;
  // Both go through one pipe, so that their order is kept.
  const child = spawn("sh", ["-c", 'exec "$@" 2>&1', "sh", program, ...words], {
    cwd,
    env: { ...environment, XDG_STATE_HOME: state, FORCE_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk;
  return text;
}
