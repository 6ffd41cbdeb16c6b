/** LangGraph's own server serves the graph, offline; its own client reads and runs it. Needs `npm install` in this folder. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { createTask } from "../../index.ts";
import { ended, isRunning } from "../../utils/testing/command.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const SERVER = new URL("node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs", import.meta.url);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address !== "object" || !address) throw new Error("no port is free");
  return address.port;
}

/** `langgraphjs dev` until it answers. It starts processes of its own, so all of its group is ended. */
async function serve() {
  const port = await freePort();
  const args = [fileURLToPath(SERVER), "dev", "--no-browser", "--port", String(port)];
  const child = spawn(process.execPath, args, {
    cwd: FOLDER,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, MODEL_NAME: "search" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/ok`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (!isRunning(child)) throw new Error(output);
    await sleep(200);
  }
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      if (child.pid !== undefined && isRunning(child)) process.kill(-child.pid, "SIGKILL");
      await ended(child);
    },
  };
}

test.skipIf(!existsSync(SERVER))(
  "langgraphjs dev serves the graph (needs npm install in examples/studio)",
  async () => {
    await using server = await serve();
    const client = new Client({ apiUrl: server.url });
    const [assistant] = await client.assistants.search();
    if (!assistant) throw new Error("it serves no graph");
    const { nodes } = await client.assistants.getGraph(assistant.assistant_id);
    expect(nodes.map(({ id }) => id)).toEqual(["__start__", "llm", "tool", "__end__"]);
    const { input_schema, output_schema } = await client.assistants.getSchemas(assistant.assistant_id);
    expect(Object.keys(input_schema?.properties ?? {})).toEqual(["task"]);
    expect(Object.keys(output_schema?.properties ?? {})).toEqual([
      ...["taskId", "answer", "verified", "stop", "error", "reason", "usage"],
      "repairs",
    ]);

    const task = createTask({
      code: "def half(x):\n    return x * 2\n",
      entryPoint: "half",
      tests: "assert half(4) == 2\nassert half(10) == 5",
    });
    const { thread_id } = await client.threads.create();
    const events: string[] = [];
    const options = { input: { task }, streamMode: ["updates" as const, "custom" as const] };
    for await (const { event, data } of client.runs.stream(thread_id, assistant.assistant_id, options))
      events.push(event === "updates" ? `updates ${Object.keys(Object(data))}` : event);
    expect(events.slice(1)).toEqual([
      ...["custom", "updates tool", "updates llm"],
      ...["custom", "updates tool", "updates llm"],
      ...["custom", "updates tool"],
    ]);
    expect(await client.threads.getState(thread_id)).toMatchObject({
      next: [],
      values: { verified: true, stop: "answered" },
    });
    expect((await client.threads.getHistory(thread_id)).length).toBeGreaterThan(events.length / 2);
  },
);
