/** Real processes: their output arrives complete, their end is reported, and none is left. */

import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { processes, until } from "../../testing/processes.ts";
import { DEEP } from "../../testing/repeats.ts";
import { Subprocess, type SubprocessOptions } from "./subprocess.ts";

function start(command: string[], options: SubprocessOptions = {}): Subprocess {
  const [name = "", ...args] = command;
  return new Subprocess(spawn(name, args, { detached: true, stdio: ["pipe", "pipe", "pipe", "pipe"] }), options);
}

test.each([1, 3] as const)("messages on descriptor %s come in whole, however they are cut", async (messagesOn) => {
  const line = JSON.stringify({ text: "ü\u2028🚀", long: "x".repeat(100_000) });
  const code = `
    const { writeSync } = require("node:fs");
    const bytes = Buffer.from(process.argv[1] + "\\n\\nno JSON\\n" + '{"second":1}\\n{"cut":');
    for (let i = 0; i < bytes.length; i += i < 40 ? 1 : 7001) writeSync(${messagesOn}, bytes.subarray(i, i + (i < 40 ? 1 : 7001)));`;
  const seen: unknown[] = [];
  const child = start(["node", "-e", code, line], { messagesOn, onMessage: (message) => seen.push(message) });
  expect(await child.wait()).toMatchObject({ exitCode: 0, stopped: null, stdout: "", death: "exited with 0" });
  expect(seen).toEqual([JSON.parse(line), undefined, { second: 1 }]);
});

test("what is sent comes in as lines; more may follow until the input ends", async () => {
  const child = start(["cat"]);
  child.send({ a: "\n" });
  child.send({ b: 2 });
  child.endInput();
  expect((await child.wait()).stdout).toBe('{"a":"\\n"}\n{"b":2}\n');
  child.send({ c: "too late" });
});

test.each([
  [["sh", "-c", "echo first >&2; echo last words >&2; kill -SEGV $$"], "was ended by SIGSEGV", null, "last words"],
  [["sh", "-c", "exit 7"], "exited with 7", 7, ""],
  [["/no/such/program"], "could not be started: spawn /no/such/program ENOENT", null, ""],
])("the death of %j has a name", async (command, death, exitCode, lastWords) => {
  expect(await start(command).wait()).toMatchObject({ death, exitCode, lastWords, stopped: null });
});

test("more output than allowed ends it; without a bound only the end is kept", async () => {
  const flooding = await start(["yes"], { maxBytes: 5000 }).wait();
  expect(flooding).toMatchObject({ stopped: "flooded", stdout: "y\n".repeat(2500) });
  const long = await start(["sh", "-c", "seq 200000; seq 200000 >&2"]).wait();
  expect(long.stopped).toBeNull();
  expect(long.lastWords).toBe("200000");
  expect(long.stdout.length).toBeLessThan(70_000);
});

test("silence ends it only where messages are due", DEEP, async () => {
  const code = `setInterval(() => console.log("{}"), 300); process.stdin.on("data", () => process.kill(process.pid, "SIGSTOP"))`;
  let messages = 0;
  const child = start(["node", "-e", code], { onMessage: () => messages++, maxSilentSeconds: 2 });
  child.listen(true);
  await until(() => messages > 10, "it speaks for longer than it may be silent");
  child.listen(false);
  child.send({});
  const stopped = (): boolean => processes().some(({ pid, state }) => pid === child.pid && state === "T");
  await until(stopped, "it is stopped");
  await new Promise((resolve) => setTimeout(resolve, 3500));
  expect(stopped()).toBe(true);
  child.listen(true);
  expect(await child.wait()).toMatchObject({ stopped: "silent", signal: "SIGKILL" });
});

test("an abort ends it with all it started, and its caller gets the abort's reason", async () => {
  const controller = new AbortController();
  const pids: unknown[] = [];
  const child = start(["sh", "-c", "sleep 1000 & echo $!; wait"], {
    onMessage: (pid) => pids.push(pid),
    signal: controller.signal,
  });
  await until(() => pids.length > 0, "it has started another");
  controller.abort(new Error("enough"));
  await expect(child.wait()).rejects.toThrow("enough");
  expect(await child.ended).toMatchObject({ stopped: "aborted" });
  await until(() => !processes().some(({ pid, command }) => pid === pids[0] && command !== ""), "that ends, too");
  await expect(start(["sleep", "1000"], { signal: controller.signal }).wait()).rejects.toThrow("enough");
});
