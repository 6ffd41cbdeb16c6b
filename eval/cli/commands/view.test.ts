import { appendFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { startViewServer, type ViewServer } from "../../pages/server/server.ts";
import { writeMadeUpRun } from "../../pages/testing/made_up_run.ts";

const { path: folder } = temporaryFolder();
const runsFolder = join(folder, "runs");
let server: ViewServer;
beforeAll(async () => {
  writeMadeUpRun(join(runsFolder, "one"), { tasks: 3 });
  server = await startViewServer({ runsFolder, port: 0 });
});
afterAll(() => server.close());

/** Sends the path as it is: a client that tidies it up would hide what is tested. */
function get(
  path: string,
  { host = `127.0.0.1:${server.port}`, method = "GET" } = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: "127.0.0.1", port: server.port, path, method, headers: { host } },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") });
      },
    );
    call.on("error", reject).end();
  });
}

interface Message {
  rows: { task: string }[];
  overview: { scored: number };
}

/** Messages of an event stream, one at a time. */
async function* messages(path: string): AsyncGenerator<Message, undefined> {
  const abort = new AbortController();
  try {
    const response = await fetch(new URL(path, server.url), { signal: abort.signal });
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString("utf8");
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) if (event.startsWith("data: ")) yield JSON.parse(event.slice(6));
    }
  } finally {
    abort.abort();
  }
}

test("lists the runs, also one it cannot read", async () => {
  writeMadeUpRun(join(runsFolder, "broken"), { tasks: 1 });
  writeFileSync(join(runsFolder, "broken", "manifest.json"), "{");
  const { status, body } = await get("/");
  expect(status).toBe(200);
  expect(body).toContain('"name":"one"');
  expect(body).toMatch(/"name":"broken","state":"unreadable"/);
  rmSync(join(runsFolder, "broken"), { recursive: true });
});

test("answers only to its own name", async () => {
  expect(await get("/", { host: `localhost:${server.port}` })).toMatchObject({ status: 200 });
  for (const host of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", `127.0.0.1:${server.port + 1}`]) {
    expect(await get("/runs/one/detail?task=Python%2F0&attempt=0", { host })).toMatchObject({ status: 403 });
  }
});

test("listens on this machine only, and answers GET only", async () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await get("/", { method: "POST" })).toMatchObject({ status: 405 });
});

test.each([
  "/runs/../secret/detail?task=Python%2F0&attempt=0",
  "/runs/..%2Fsecret/detail?task=Python%2F0&attempt=0",
  "/runs/%2e%2e/detail?task=Python%2F0&attempt=0",
  "/runs/one/detail?task=..%2F..%2F..%2Fsecret%2Ftrajectories%2FPython_0&attempt=0",
  "/runs/linked/detail?task=Python%2F0&attempt=0",
  "/runs/one/manifest.json",
  "/../secret/manifest.json",
  "//secret/",
  "/runs/%/",
])("no way leads out of the folder: %s", async (path) => {
  writeMadeUpRun(join(folder, "secret"), { tasks: 1 });
  symlinkSync(join(folder, "secret"), join(runsFolder, "linked"));
  const { status, body } = await get(path);
  rmSync(join(runsFolder, "linked"));
  expect(status).toBe(404);
  expect(body).toMatch(/^There is no such/);
});

test("gives the turns of one sample", async () => {
  const { status, body } = await get("/runs/one/detail?task=Python%2F1&attempt=0");
  expect(status).toBe(200);
  expect(JSON.parse(body).turns[0]).toMatchObject({ iteration: 0, label: "code_interpreter" });
});

test("tells an open page of each result as it is written, and not of half a line", async () => {
  const results = writeMadeUpRun(join(runsFolder, "live"), { tasks: 4 });
  const file = join(runsFolder, "live", "results.jsonl");
  const lines = results.map((result) => `${JSON.stringify(result)}\n`);
  writeFileSync(file, lines.slice(0, 2).join(""));
  const stream = messages("/runs/live/events");
  const read = async () => (await stream.next()).value;
  expect((await read())?.rows.map(({ task }) => task)).toEqual(["Python/0", "Python/1"]);
  appendFileSync(file, lines[2]?.slice(0, 40) ?? "");
  expect((await read())?.overview.scored).toBe(2);
  appendFileSync(file, `${lines[2]?.slice(40)}${lines[3]}`);
  const last = await read();
  expect(last?.rows.map(({ task }) => task)).toEqual(["Python/0", "Python/1", "Python/2", "Python/3"]);
  expect(last?.overview.scored).toBe(4);
  await stream.return(undefined);
});

test("a port that is taken is reported in one sentence", async () => {
  await expect(startViewServer({ runsFolder, port: server.port })).rejects.toThrow(/is taken: choose another --port/);
});
