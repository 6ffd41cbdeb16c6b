/** A program that uses WebAssembly, as its packages may do, in the memory that a job has. */

import { expect, test } from "vitest";
import { openForTests } from "../../sandbox/testing/open.ts";

const sandbox = await openForTests();

test("a program gets memory for WebAssembly", async () => {
  const code =
    "const memory = new WebAssembly.Memory({ initial: 512, maximum: 4096 });\nconsole.log(memory.buffer.byteLength);\n";
  const { exitCode, stdout, stderr } = await sandbox.run({ code, language: "javascript", timeoutMs: 20_000 });
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: `${512 * 65_536}\n`, stderr: "" });
});
