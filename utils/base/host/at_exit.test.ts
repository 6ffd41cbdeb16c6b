import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { atExit } from "./at_exit.ts";
import { Subprocess } from "./subprocess.ts";

test("however many children end with this process, it has one listener for them, and none of its own is forgotten", async () => {
  const before = atExit(() => {});
  before();
  const listeners = process.listenerCount("exit");
  const children = Array.from({ length: 20 }, () => {
    const child = spawn("cat", { detached: true, stdio: ["pipe", "pipe", "pipe"] });
    return new Subprocess(child, { endsWithUs: true });
  });
  expect(process.listenerCount("exit")).toBe(listeners);
  for (const child of children) child.endInput();
  for (const child of children) expect(await child.wait()).toMatchObject({ exitCode: 0 });
});
