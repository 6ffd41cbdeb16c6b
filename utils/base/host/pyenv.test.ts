import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { findProgram } from "./host_programs.ts";
import { behindShim } from "./pyenv.ts";

/** A folder as pyenv keeps it, with one installed version. */
function pyenv(version: string) {
  const { path: root } = temporaryFolder();
  for (const folder of ["shims", "versions/3.12.1/bin", "elsewhere"])
    mkdirSync(join(root, folder), { recursive: true });
  const shim = join(root, "shims", "python3");
  const text = `#!/usr/bin/env bash\nset -e\nprogram="\${0##*/}"\n\nexport PYENV_ROOT="${root}"\n`;
  writeFileSync(shim, `${text}exec "${root}/libexec/pyenv" exec "$program" "$@"\n`, { mode: 0o755 });
  writeFileSync(join(root, "version"), version);
  const real = join(root, "versions/3.12.1/bin/python3");
  writeFileSync(real, "#!/bin/sh\n", { mode: 0o755 });
  return { root, shim, real, where: join(root, "elsewhere") };
}

test("the version that is set for all folders is what a shim starts", () => {
  const { shim, real, where } = pyenv("3.12.1\n");
  expect(behindShim(shim, where, {})).toBe(real);
});

test.each([
  "system\n",
  "3.12\n",
  "3.12.1\n3.11.0\n",
  "3.12.1 3.11.0\n",
  "../versions/3.12.1\n",
  "..\n",
  "",
  "3.13.0\n",
])("where the version is %j, pyenv is to choose", (version) => {
  const { shim, where } = pyenv(version);
  expect(behindShim(shim, where, {})).toBeUndefined();
});

test("what else decides about the version is left to the shim", () => {
  const { root, shim, real, where } = pyenv("3.12.1\n");
  expect(behindShim(shim, where, { PYENV_VERSION: "3.11.0" })).toBeUndefined();
  expect(behindShim(shim, where, { PYENV_DIR: root })).toBeUndefined();
  expect(behindShim(real, where, {})).toBeUndefined();
  writeFileSync(join(where, ".python-version"), "3.11.0\n");
  expect(behindShim(shim, where, {})).toBeUndefined();
});

test("a script that only resembles a shim, and a version that cannot be started, are left as they are", () => {
  const { root, shim, real, where } = pyenv("3.12.1\n");
  const other = join(root, "elsewhere", "python3");
  writeFileSync(other, `#!/bin/sh\nexport PYENV_ROOT="${root}"\nexec "${root}/pyenv" exec "$program" "$@"\n`);
  expect(behindShim(other, where, {})).toBeUndefined();
  chmodSync(real, 0o644);
  expect(behindShim(shim, where, {})).toBeUndefined();
});

test("it is what the shim of this machine starts, where there is one", ({ skip }) => {
  const shim = findProgram("python3") ?? "";
  const told = behindShim(shim, "/");
  if (told === undefined) return skip("python3 is no shim of pyenv here");
  const asked = execFileSync(shim, ["-I", "-c", "import sys; print(sys.executable)"], { cwd: "/", encoding: "utf8" });
  expect(told).toBe(asked.trim());
});
