/** A run that is watched while it goes: `mend eval --live` beside the server of `mend view`. */

import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { isRunning, start, temporaryFolder } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { startViewServer } from "../pages/server/server.ts";
import type { LiveReply } from "../run/shown/live.ts";
import { right, taskOf } from "../testing/fake_repairer.ts";

/** Calls `see` with the replies of each message to the page, until it returns true, or `abort`. */
async function watch(url: string, see: (writing: LiveReply[]) => boolean, abort: AbortController): Promise<void> {
  const response = await fetch(url, { signal: abort.signal });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString("utf8");
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    if (events.some((event) => event.startsWith("data: ") && see(JSON.parse(event.slice(6)).writing))) break;
  }
  abort.abort();
}

test(
  "the page sees that a model is waited for, then its reply as it is written, and nothing once it ended",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const page = new EventEmitter();
    const [waited, written] = [once(page, "waited"), once(page, "written")];
    await using model = await startFakeOpenAI({
      reply: async (request) => {
        await waited;
        return { text: right(taskOf(request)), untilSeen: written };
      },
    });
    const args = ["--model", "openai:any", "--dataset", "builtin", "--num", "1", "--few-shot-k", "0", "--run", "r"];
    const running = start("eval/pass1.ts", [...args, "--live"], folder.path, { OPENAI_BASE_URL: model.url });
    const run = join(folder.path, "runs/r");
    while (!existsSync(join(run, "manifest.json")) && isRunning(running.process)) await sleep(50);
    const server = await startViewServer({ runsFolder: join(folder.path, "runs"), port: 0 });
    const seen: string[] = [];
    const abort = new AbortController();
    void running.done.then(
      ({ exitCode, stderr }) => exitCode === 0 || abort.abort(new Error(`the run failed: ${stderr}`)),
    );
    await watch(
      `${server.url}runs/r/events`,
      ([reply]) => {
        if (reply === undefined) return seen.length > 1;
        seen.push(reply.text);
        page.emit("waited");
        if (reply.text.includes("Final Answer:")) page.emit("written");
        return false;
      },
      abort,
    );
    await server.close();
    expect((await running.done).lines.at(-1)).toMatchObject({ successes: 1 });
    expect(seen[0]).toBe("");
    expect(seen.at(-1)).toMatch(/^Thought: fixed\.\nFinal Answer:\n```python\ndef /);
    expect(existsSync(join(run, "live.json"))).toBe(false);
    expect(model.requests.map(({ body }) => body.stream)).toEqual([true]);
  },
);
