/**
 * Before all tests: where this machine has a Python with a pytest of its own and fewer plugins of other packages than the one
 * on PATH, tests find it first. Each run of a project's tests by pytest loads them, for up to a second of processor time.
 */

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT } from "../options.ts";

const SYSTEM = "/usr/bin/python3";
const FOLDER = join(ROOT, "node_modules", ".cache", "mend-python");

/** How many plugins a pytest loads that are not its own; it ends with an error where there is no pytest. */
const COUNT = `
import pytest
from importlib.metadata import entry_points
found = entry_points()
print(len(found.select(group="pytest11") if hasattr(found, "select") else found.get("pytest11", ())))
`;

/** Vitest calls it. Programs that tests start inherit the PATH; `MEND_TEST_PYTHON=path` leaves it as it is. */
export function setup(): void {
  if (process.env.MEND_TEST_PYTHON === "path") return;
  const system = pluginsOf(SYSTEM);
  if (system === undefined || system >= (pluginsOf("python3") ?? Number.POSITIVE_INFINITY)) return;
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ["python3", "python"]) {
    // No link: it would be the interpreter's own name, and its folder one to show in boxes.
    writeFileSync(join(FOLDER, name), `#!/bin/sh\nexec ${SYSTEM} "$@"\n`);
    chmodSync(join(FOLDER, name), 0o755);
  }
  process.env.PATH = `${FOLDER}${delimiter}${process.env.PATH}`;
}

function pluginsOf(python: string): number | undefined {
  const { status, stdout } = spawnSync(python, ["-c", COUNT], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? Number(stdout) : undefined;
}
