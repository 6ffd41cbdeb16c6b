/** That a worker of the tests leaves nothing where it is ended. */

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compiledModule, ended, firstOutput } from "../../utils/testing/command.ts";

test("a worker that is ended by SIGTERM removes its temporary folders", async () => {
  const child = spawn(process.execPath, [
    ...["--input-type=module", "--eval"],
    // It has no types, so that Node.js runs it as it is.
    `${readFileSync(join(import.meta.dirname, "worker_end.ts"), "utf8")}
     import { makeTemporaryFolder } from ${JSON.stringify(compiledModule("utils/base/files/temporary.ts"))};
     process.stdin.resume();
     console.log(makeTemporaryFolder("work").path);`,
  ]);
  const path = (await firstOutput(child)).trim();
  expect(existsSync(path)).toBe(true);
  child.kill("SIGTERM");
  await ended(child);
  expect(existsSync(path)).toBe(false);
});
