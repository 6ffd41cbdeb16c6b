import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programWords } from "../utils/testing/command.ts";
import { DEEP } from "../utils/testing/repeats.ts";

const client = new Client({ name: "test", version: "1" });
const call = (name: string, args: Record<string, unknown>, options = {}) =>
  client.callTool({ name, arguments: args }, undefined, options);

beforeAll(async () => {
  const [command, ...words] = programWords("cli/mcp.ts");
  const args = [...words, "--model", "search"];
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
});
afterAll(() => client.close());

const HALF = {
  code: "def half(x):\n    return x * 2\n",
  entryPoint: "half",
  tests: "assert half(4) == 2\nassert half(10) == 5",
};

test("offers its tools with schemas", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["repair_function", "run_in_sandbox", "judge", "search_edits"]);
  expect(tools[0]?.inputSchema).toMatchObject({ required: expect.arrayContaining(["code", "entryPoint"]) });
});

test("repairs a function and tells of each turn", async () => {
  const turns: (string | undefined)[] = [];
  const repaired = await call("repair_function", HALF, {
    onprogress: ({ message }: { message?: string }) => turns.push(message),
  });
  expect(repaired.structuredContent).toMatchObject({
    verified: true,
    stop: "answered",
    diff: expect.stringMatching(/^\+ {4}return x \S+ 2$/m),
  });
  expect(turns.at(0)).toBe("exit code 1");
  expect(turns.at(-1)).toBe("it passes the visible tests");
});

test("a function that passes its tests comes back unchanged", async () => {
  const code = "def half(x):\n    return x // 2\n";
  const { structuredContent } = await call("repair_function", { ...HALF, code });
  expect(structuredContent).toMatchObject({ verified: true, stop: "nothing_to_repair", code, diff: "", turns: 0 });
});

test("runs a program, judges one that cheats, searches for edits", async () => {
  const ran = await call("run_in_sandbox", { code: "print(6 * 7)" });
  expect(ran.structuredContent).toMatchObject({ status: "exit code 0", output: "42" });
  const cheats = { ...HALF, code: "import os\ndef half(x):\n    os._exit(0)\n" };
  expect((await call("judge", cheats)).structuredContent).toMatchObject({ passed: false, outcome: "crashed" });
  expect((await call("judge", { ...HALF, code: "def half(x):\n    return x // 2\n" })).structuredContent).toMatchObject(
    { passed: true },
  );
  expect(JSON.stringify((await call("search_edits", HALF)).content)).toContain("candidates pass the visible tests");
});

test("what is wrong with a call is said in a sentence", async () => {
  const missing = await call("judge", { ...HALF, entryPoint: "third" });
  expect(missing).toMatchObject({
    isError: true,
    content: [{ text: 'the code has no top-level function or class "third"' }],
  });
  expect(JSON.stringify(await call("judge", { code: 1 }))).toMatch(/code/);
});

test("what a program defines beside the function is not at hand for the tests that judge it", async () => {
  const code = "def abs(x):\n    return 0\n\n\ndef half(x):\n    return 100\n";
  const judged = await call("judge", { ...HALF, code, tests: "assert abs(half(4) - 2) < 1e-6" });
  expect(judged.structuredContent).toMatchObject({ passed: false, outcome: "failed", calls: 1 });
});

test.each(["judge", "repair_function", "search_edits"])("%s without tests is refused, not passed", async (name) => {
  for (const tests of [undefined, " \n"])
    expect(await call(name, { ...HALF, tests })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("tests") }],
    });
});

test("a message that is too large ends the server, which says why", async () => {
  const [command, ...words] = programWords("cli/mcp.ts");
  const server = spawn(command, [...words, "--model", "search"], { stdio: "pipe" });
  const read = [text(server.stdout), text(server.stderr)];
  // The server is gone before it has read all of it.
  server.stdin.on("error", () => {});
  server.stdin.write("x".repeat(11 * 1024 * 1024));
  await once(server, "close");
  const [stdout, stderr] = await Promise.all(read);
  expect({ exitCode: server.exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^error: the connection is closed: .*maximum size/m);
});

test("a call that is cancelled gives its slot back at once", DEEP, async () => {
  const stop = new AbortController();
  const ended: string[] = [];
  const run = async (name: string, code: string, options = {}) => {
    await call("run_in_sandbox", { code, timeoutSeconds: 110 }, options);
    ended.push(name);
  };
  const cancelled = run("cancelled", "import time\ntime.sleep(60)", { signal: stop.signal });
  const sleeping = run("sleeping", "import time\ntime.sleep(10)");
  // Both slots are taken: it runs before the sleeper has ended only where the cancelled call has left its slot.
  const printing = run("printing", "print(1)");
  stop.abort();
  await expect(cancelled).rejects.toThrow(/abort/i);
  await Promise.all([sleeping, printing]);
  expect(ended).toEqual(["printing", "sleeping"]);
});
