import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { requireWritable } from "./users_file.ts";

test("a read-only file is refused, by root too", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.py");
  writeFileSync(file, "old\n");
  expect(() => requireWritable(file)).not.toThrow();
  chmodSync(file, 0o444);
  expect(() => requireWritable(file)).toThrow("is read-only");
});
