// @module-tag ci

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { programWords, run } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";

const client = new Client({ name: "test", version: "1" });
const call = (name: string, args: Record<string, unknown>, options = {}) =>
  client.callTool({ name, arguments: args }, undefined, options);

beforeAll(async () => {
  const [command, ...words] = programWords("mend mcp");
  const args = [...words, "--model", "search"];
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
});
afterAll(() => client.close());

const HALF = {
  code: "def half(x):\n    return x * 2\n",
  entryPoint: "half",
  tests: "assert half(4) == 2\nassert half(10) == 5",
};

test("offers its tools with schemas, and says how they are used", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["repair_function", "run_in_sandbox", "judge", "search_edits"]);
  expect(tools[0]?.inputSchema).toMatchObject({ required: expect.arrayContaining(["code", "entryPoint"]) });
  for (const { title, annotations } of tools) expect(annotations).toMatchObject({ title, readOnlyHint: true });
  const named = tools.filter(({ name }) => client.getInstructions()?.includes(`\`${name}\``));
  expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(["repair_function", "judge", "search_edits"]));
});

/** Keywords that are unknown are refused, and so are tuples in the way of older drafts: providers refuse a whole list. */
test("all schemas that are served are JSON Schema 2020-12, and are those that --json prints", DEEP, async () => {
  const { tools } = await client.listTools();
  const printed = await run("mend mcp", ["--json"], process.cwd());
  expect(JSON.parse(printed.stdout)).toEqual({ tools });
  for (const { name, inputSchema, outputSchema } of tools) {
    for (const schema of [inputSchema, outputSchema ?? {}]) {
      const ajv = new Ajv2020({ strict: true, strictTuples: true, allowUnionTypes: true });
      expect(ajv.validateSchema(schema), `${name}: ${JSON.stringify(ajv.errors)}`).toBe(true);
      expect(ajv.compile(schema)({}), name).toBe(false);
    }
  }
});

test("repairs a function and reports each turn", async () => {
  const turns: (string | undefined)[] = [];
  const repaired = await call("repair_function", HALF, {
    onprogress: ({ message }: { message?: string }) => turns.push(message),
  });
  expect(repaired.structuredContent).toMatchObject({
    verified: true,
    stop: "answered",
    diff: expect.stringMatching(/^\+ {4}return x \S+ 2$/m),
  });
  expect(repaired.structuredContent).toMatchObject({ reason: null });
  expect(turns.at(0)).toBe("it fails the visible tests");
  expect(turns.at(-1)).toBe("it passes the visible tests");
});

test("a function that passes its tests comes back unchanged", async () => {
  const code = "def half(x):\n    return x // 2\n";
  const { structuredContent } = await call("repair_function", { ...HALF, code });
  expect(structuredContent).toMatchObject({
    ...{ outcome: "nothing_to_repair", verified: true, stop: "nothing_to_repair", code, diff: "", turns: 0 },
  });
  expect((await call("search_edits", { ...HALF, code })).structuredContent).toMatchObject({
    ...{ status: "nothing_to_repair", tried: 0, edits: [] },
  });
});

test("runs a program, judges one that cheats, searches for edits", async () => {
  const ran = await call("run_in_sandbox", { code: "print(6 * 7)" });
  expect(ran.structuredContent).toMatchObject({ status: "exit code 0", output: "42" });
  const cheats = { ...HALF, code: "import os\ndef half(x):\n    os._exit(0)\n" };
  expect((await call("judge", cheats)).structuredContent).toMatchObject({ passed: false, outcome: "crashed" });
  expect((await call("judge", { ...HALF, code: "def half(x):\n    return x // 2\n" })).structuredContent).toMatchObject(
    { passed: true },
  );
  expect((await call("search_edits", HALF)).structuredContent).toMatchObject({
    status: "found",
    edits: expect.arrayContaining([
      expect.objectContaining({
        edit: "line 2: return x * 2 → return x // 2",
        code: "def half(x):\n    return x // 2\n",
      }),
    ]),
    reason: null,
  });
});

const TAKES_FIRST = {
  code: "def largest(xs):\n    return xs[0]\n",
  entryPoint: "largest",
  tests: "assert largest([1, 3]) == 3",
};

test("other edits that pass are reported with an input on which they differ", async () => {
  const { structuredContent } = await call("repair_function", TAKES_FIRST);
  expect(structuredContent).toMatchObject({
    outcome: "suggestion",
    doubts: [
      expect.stringMatching(/different edits pass/),
      expect.stringMatching(/raises an error for the arguments \(/),
    ],
    verified: true,
  });
  const Told = z.object({ otherEdits: z.array(z.record(z.string(), z.string())) });
  const [other] = Told.parse(structuredContent).otherEdits;
  expect(other).toMatchObject({
    diff: expect.stringMatching(/^\+ {4}return/m),
    input: expect.stringMatching(/^\(.+\)$/),
  });
  expect(other?.gives).not.toBe(other?.repairGives);
});

test("the reason why nothing passes: the last Observation, and how far the search came", async () => {
  const tests = "assert number() == 2\nassert number() == 3";
  const impossible = { code: "def number():\n    return 1\n", entryPoint: "number", tests };
  expect((await call("repair_function", impossible)).structuredContent).toMatchObject({
    verified: false,
    stop: "gave_up",
    reason: expect.stringMatching(/^None of .* passes[\s\S]*\nit fails the visible tests: .*number\(\)/),
  });
  expect((await call("search_edits", impossible)).structuredContent).toMatchObject({
    status: "exhausted",
    edits: [],
    reason: expect.stringMatching(/^0 of [\d,]+ candidates pass the visible tests\.$/),
    closest: { passes: 1, of: 2 },
  });
});

test("a region outside of the program is refused with its length, one without the function told as such", async () => {
  const search = (region: number[]) => call("search_edits", { ...HALF, code: `LIMIT = 1\n\n\n${HALF.code}`, region });
  expect(await search([6, 9])).toMatchObject({
    isError: true,
    content: [{ text: "the region 6 to 9 is not in the program, which has 5 lines" }],
  });
  expect(await search([5, 4])).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("region") }] });
  expect((await search([1, 2])).structuredContent).toMatchObject({
    status: "exhausted",
    reason: "There is no edit to try in lines 1 to 2: the function is elsewhere.",
  });
  expect((await search([4, 5])).structuredContent).toMatchObject({ status: "found" });
});

test("a wrong call gets its error in one sentence", async () => {
  const missing = await call("judge", { ...HALF, entryPoint: "third" });
  expect(missing).toMatchObject({
    isError: true,
    content: [{ text: 'task: the code has no top-level function or class "third".' }],
  });
  expect(await call("judge", { ...HALF, code: 1 })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^judge: field "code" is wrong/) }],
  });
  expect(await call("run_in_sandbox", { code: "print(1)", timeout: 3 })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"timeout"') }],
  });
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

test("a message that is too large ends the server, which says why", DEEP, async () => {
  const [command, ...words] = programWords("mend mcp");
  const server = spawn(command, [...words, "--model", "search"], { stdio: "pipe" });
  const read = [text(server.stdout), text(server.stderr)];
  // The server is gone before it has read all of it.
  server.stdin.on("error", () => {});
  server.stdin.write("x".repeat(11 * 1024 * 1024));
  await once(server, "close");
  const [stdout, stderr] = await Promise.all(read);
  expect({ exitCode: server.exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^error: mend closed the connection: .*maximum size/m);
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
