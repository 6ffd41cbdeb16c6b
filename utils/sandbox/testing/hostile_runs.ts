/** For tests: the runs of hostile programs as this user and, where this user is root, as an ordinary one. */

import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { programWords } from "../../testing/command.ts";
import type { Layer } from "../types.ts";
import { type HostileReport, newSecret, partNamed, runHostilePrograms } from "./hostile/run.ts";

const NOBODY = [
  "--reuid=65534",
  "--regid=65534",
  "--clear-groups",
  ...programWords("utils/sandbox/testing/hostile/run.ts"),
];
export const isRoot = process.getuid?.() === 0;
export const canBeNobody = isRoot && spawnSync("setpriv", NOBODY).stderr?.includes("usage: ");

/** The same run, in a process of an ordinary user. */
async function asNobody(layer: Layer, part: string): Promise<HostileReport> {
  const { stdout } = await promisify(execFile)("setpriv", [...NOBODY, layer, part], {
    env: { PATH: process.env.PATH, HOME: "/nonexistent", MEND_HOSTILE_SECRET: newSecret() },
    maxBuffer: 1 << 24,
  });
  return JSON.parse(stdout);
}

export const RUNS = [
  {
    user: isRoot ? "root" : "this user",
    possible: true,
    run: (layer: Layer, part: string) => runHostilePrograms(layer, partNamed(part)),
  },
  { user: "an ordinary user", possible: canBeNobody, run: asNobody },
];
