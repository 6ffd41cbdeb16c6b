/** For tests: a sandbox that is closed when the tests of the file are done. */

import { afterAll } from "vitest";
import { openSandbox } from "../sandbox.ts";
import type { Sandbox, SandboxOptions } from "../types.ts";

export async function openForTests(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openSandbox(options);
  afterAll(() => sandbox.close());
  return sandbox;
}
