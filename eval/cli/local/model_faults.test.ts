/** What goes wrong with a model on this machine, through the real commands: bad input, and Ctrl-C while it generates. */
// @module-tag deep

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeScriptedModel } from "../../../utils/inference/testing/scripted.ts";
import { isRunning, type RunningCommand, run, start, temporaryFolder } from "../../../utils/testing/command.ts";
import { descendants, processes } from "../../../utils/testing/processes.ts";
import { loadDataset } from "../../benchmark/find.ts";

const [task] = (await loadDataset("builtin", { log: () => {} })).tasks;
if (!task) throw new Error("the built-in set is empty");
const ANSWER = `Thought: fixed\nFinal Answer:\n\`\`\`python\n${task.declaration}${task.canonicalCode}\`\`\``;
const GRAPH = "onnx/model_q4.onnx";
const COMMON = ["--dataset", "builtin", "--few-shot-k", "0", "--threads", "1"];

let folder: ReturnType<typeof temporaryFolder>;
let model: string;
beforeAll(async () => {
  folder = temporaryFolder();
  model = await writeScriptedModel(join(folder.path, "model"), { replies: [ANSWER] });
});
afterAll(() => folder[Symbol.dispose]());

const PASS1 = "eval/pass1.ts";
const PREPARE = "mend models prepare";
const shrink = (path: string): void => {
  const config = JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
  writeFileSync(join(path, "config.json"), JSON.stringify({ ...config, max_position_embeddings: 64 }));
};

interface Fault {
  command?: string;
  /** Changes a copy of the model; the copy's folder is what the command is given. */
  change?: (path: string) => void;
  says: RegExp;
}

const FAULTS: [string, Fault][] = [
  [
    "a truncated graph",
    { change: (f) => truncateSync(join(f, GRAPH), 900), says: /damaged or incomplete .*delete it/ },
  ],
  [
    "a prompt beyond the context",
    { change: shrink, says: /prompt of \d+ tokens does not fit .* 64 tokens.*few-shot-k/ },
  ],
  [
    "a truncated graph to prepare",
    { command: PREPARE, change: (f) => truncateSync(join(f, GRAPH), 900), says: /damaged or incomplete .*delete it/ },
  ],
];

test("bad input: one clear sentence, exit 2, nothing half-written", async () => {
  const attempt = async ([name, { command = PASS1, change, says }]: [string, Fault], index: number) => {
    const cwd = join(folder.path, `fault-${index}`);
    mkdirSync(cwd);
    const copy = join(cwd, "model");
    cpSync(model, copy, { recursive: true });
    change?.(copy);
    const rest = command === PASS1 ? ["--num", "1", ...COMMON] : [];
    const all = command === PASS1 ? ["--model", copy, ...rest] : [copy, ...rest];
    const home = join(cwd, "home");
    const { exitCode, stderr } = await run(command, all, cwd, { HF_HOME: home });
    const sentences = stderr.split("\n").filter((line) => line.startsWith("error: "));
    const written = existsSync(home) ? readdirSync(home, { recursive: true, withFileTypes: true }) : [];
    return {
      name,
      exitCode,
      says: sentences.length === 1 && says.test(sentences[0] ?? "") ? "what is wrong" : stderr,
      stack: /^ +at /m.test(stderr),
      files: written.filter((entry) => entry.isFile()).map((entry) => entry.name),
    };
  };
  const outcomes = [];
  // A few at a time: each is a process that mostly waits for another.
  for (let i = 0; i < FAULTS.length; i += 4) {
    const part = FAULTS.slice(i, i + 4);
    outcomes.push(...(await Promise.all(part.map((fault, j) => attempt(fault, i + j)))));
  }
  const good = { exitCode: 2, says: "what is wrong", stack: false, files: [] };
  expect(outcomes).toEqual(FAULTS.map(([name]) => ({ name, ...good })));
});

/** Whether the condition comes true while the command runs. */
async function until(command: RunningCommand, condition: () => boolean): Promise<boolean> {
  while (isRunning(command.process)) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

test("Ctrl-C while it generates ends the run without waiting, and the run goes on from there", async () => {
  const cwd = join(folder.path, "interrupted");
  mkdirSync(cwd);
  const own = join(cwd, "model");
  cpSync(model, own, { recursive: true });
  const args = ["--indices", "0,1", "--run", "one", "--concurrency", "1", "--max-iterations", "5", ...COMMON];
  const begin = () => start(PASS1, ["--model", own, ...args], cwd, { HF_HOME: join(cwd, "home") });
  const results = join(cwd, "runs", "one", "results.jsonl");
  const whole = await begin().done;
  expect(whole.exitCode).toBe(0);
  const [first = "", second = ""] = readFileSync(results, "utf8").trim().split("\n");
  expect(second).toContain('"task_id"');
  writeFileSync(results, `${first}\n`);

  // Counts for as long as it may, turn after turn.
  await writeScriptedModel(own, { replies: [Array.from({ length: 8000 }, (_, i) => i).join(" ")] });
  const slow = begin();
  let stderr = "";
  slow.process.stderr?.on("data", (text: string) => {
    stderr += text;
  });
  expect(await until(slow, () => stderr.includes("tasks of"))).toBe(true);
  // Stopped, the model finishes no reply any more: who waits for one waits for ever.
  const engine = descendants(slow.process.pid ?? 0).find(({ command }) => command.includes("engine_process"));
  if (!engine) throw new Error("the engine is not there");
  process.kill(engine.pid, "SIGSTOP");
  slow.process.kill("SIGINT");
  expect(await until(slow, () => stderr.includes("Ctrl-C again"))).toBe(true);
  slow.process.kill("SIGINT");
  expect((await slow.done).exitCode).toBe(130);
  expect(processes().filter(({ pid, command }) => pid === engine.pid && command !== "")).toEqual([]);
  expect(readFileSync(results, "utf8")).toBe(`${first}\n`);

  await writeScriptedModel(own, { replies: [ANSWER] });
  expect((await begin().done).exitCode).toBe(0);
  expect(readFileSync(results, "utf8").split("\n")[0]).toBe(first);
  expect(readFileSync(results, "utf8").trim().split("\n")).toHaveLength(2);
});
