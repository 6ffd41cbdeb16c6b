import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../utils/testing/command.ts";

test("the first example, which the README repairs, is fixed: no other edit that passes does anything else", async () => {
  using folder = temporaryFolder();
  cpSync(fileURLToPath(new URL("first/", import.meta.url)), folder.path, { recursive: true });
  const { exitCode, stdout, stderr } = await run(
    "mend repair",
    ["inventory.py", "--model", "search", "--no-store"],
    folder.path,
  );
  expect(stdout).toContain("+    return [name for name, amount in items if amount < minimum]\n");
  expect(stderr).toContain("\nfixed by search: ");
  expect(exitCode).toBe(0);
});
