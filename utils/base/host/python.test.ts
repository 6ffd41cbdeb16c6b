import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { findPython } from "./python.ts";

test.each([
  ["an interpreter that is ended is not one that is missing", "kill -INT $$", /ended by SIGINT before it said which/],
  ["a program that fails", "exit 1", /^No working Python interpreter at /],
  ["a program that prints something else", "echo 3.12", /does not behave like Python/],
])("%s", async (_, script, said) => {
  using folder = temporaryFolder();
  const program = join(folder.path, "python3");
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await expect(findPython(program)).rejects.toThrow(said);
});
