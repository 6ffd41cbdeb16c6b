/** For tests: a run by a queue with processes as a user starts them, and a scripted model server that knows who asks. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type FakeReply, type FakeRequest, startFakeOpenAI } from "../../../../agent/models/testing/fake_openai.ts";
import type { Task } from "../../../../utils/task/task.ts";
import { type RunningCommand, run, start, temporaryFolder } from "../../../../utils/testing/command.ts";
import { finalAnswer, right, taskOf } from "../../../testing/fake_repairer.ts";
import type { QueueServer } from "./redis.ts";

export const [PASS1, WORKER] = ["eval/pass1.ts", "mend worker"];
export const KEY = "a secret of this test";

/** A request for a task of the built-in set, and which worker sent it. */
export interface TaskRequest extends FakeRequest {
  task: Task;
  /** Undefined in a local run. */
  worker: RunningCommand | undefined;
  /** How often workers asked for this task, this time counted. */
  times: number;
}

/** A wrong answer that takes no time: some of the buggy programs run for ever. */
const nothing = ({ declaration }: Task) => finalAnswer(`${declaration}    return None\n`);

export interface QueueRun {
  args: string[];
  /** Before the model answers; what it gives is answered in place of a repair, right for even tasks. */
  before?: (asked: TaskRequest) => FakeReply | undefined | Promise<FakeReply | undefined>;
  lease?: number;
}

export async function openQueueRun(server: QueueServer, { args, before = () => undefined, lease = 20 }: QueueRun) {
  const folders: Disposable[] = [];
  const folder = () => {
    const made = temporaryFolder();
    folders.push(made);
    return made.path;
  };
  const times = new Map<string, number>();
  /** By the key it sends. */
  const workers: RunningCommand[] = [];
  const model = await startFakeOpenAI({
    reply: async (request) => {
      const task = taskOf(request);
      const worker = workers[Number(/worker(\d+)$/.exec(request.headers.authorization ?? "")?.[1])];
      if (worker) times.set(task.id, (times.get(task.id) ?? 0) + 1);
      const instead = await before({ ...request, task, worker, times: times.get(task.id) ?? 0 });
      return instead ?? (Number(task.id.split("/")[1]) % 2 ? nothing(task) : right(task));
    },
  });
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", MEND_QUEUE_KEY: KEY };
  const own = folder();
  const common = ["--model", "openai:scripted", "--dataset", "builtin", "--few-shot-k", "0", "--max-iterations", "1"];
  const all = [...common, ...args];
  return {
    model,
    env,
    folder: own,
    workers,
    worker: (...more: string[]) => {
      const key = `worker${workers.length}`;
      const options = ["--queue", server.url, "--lease", String(lease), ...more];
      workers.push(start(WORKER, options, folder(), { ...env, OPENAI_API_KEY: key }));
    },
    coordinator: (more: string[] = [], name = "r") =>
      start(PASS1, [...all, "--run", name, "--queue", server.url, ...more], own, env),
    local: () => run(PASS1, [...all, "--run", "local"], own, env),
    /** Lines of a run, but for clocks. */
    results: (name = "r") => resultsOf(own, name),
    /** Ends the workers as Ctrl-C does, and says what is then left in the store. */
    leftovers: async () => {
      for (const worker of workers) worker.process.kill("SIGINT");
      await Promise.all(workers.map(({ done }) => done));
      return server.contents();
    },
    [Symbol.asyncDispose]: async () => {
      for (const worker of workers) worker.process.kill("SIGKILL");
      await Promise.all(workers.map(({ done }) => done));
      await model[Symbol.asyncDispose]();
      for (const made of folders) made[Symbol.dispose]();
    },
  };
}

const Line = z.looseObject({ task_id: z.string(), usage: z.looseObject({ seconds: z.number() }).optional() });

export const resultsOf = (folder: string, name: string) =>
  readFileSync(join(folder, "runs", name, "results.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((text) => Line.parse(JSON.parse(text)))
    .map((line) => (line.usage ? { ...line, usage: { ...line.usage, seconds: 0 } } : line));
