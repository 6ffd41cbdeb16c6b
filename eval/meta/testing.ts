/** For tests of the self-edit loop: an agent small enough to start in a moment, tasks, a model that reads what it is sent. */

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { Model } from "../../agent/models/model.ts";
import type { AgentSandbox, Sandbox } from "../../utils/sandbox/types.ts";
import { type Task, toVisible } from "../../utils/task.ts";
import { makeTemporaryFolder } from "../../utils/temporary.ts";
import { Budget, type BudgetLimits } from "../budget.ts";
import { openArchive } from "./archive.ts";
import { repairBenchmark } from "./benchmark.ts";
import { type Box, openBox } from "./box.ts";
import { openBuilder } from "./build.ts";
import type { LoopOptions } from "./loop.ts";
import type { PricedModel } from "./model_proxy.ts";
import { DEFAULT_WATCH } from "./overseer.ts";
import { splitTasks } from "./splits.ts";
import { openLog } from "./state.ts";
import { PAPER_UTILITY } from "./utility.ts";
import { Workbench } from "./workbench.ts";

/** A folder that is removed with the scope that holds it. */
export const temporaryFolder = () => makeTemporaryFolder("meta");

/** A box, or null with a warning: such tests then skip. */
export async function findBox(): Promise<Box | null> {
  try {
    return await openBox({ unsafe: false });
  } catch {
    console.warn("bubblewrap does not work here: the self-edit loop is not tested");
    return null;
  }
}

export const MAIN = "agent/main.ts";
export const SOLVE_PROMPT = "prompts/solve.md";

/**
 * An agent of the process protocol without LangGraph. To solve, it sends its prompt and the program and answers what
 * comes back; to improve, it sends the archive and carries out the edits that come back.
 */
export const MINI_AGENT: Readonly<Record<string, string>> = {
  [SOLVE_PROMPT]: "Fix this function.\n",
  [MAIN]: `import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

type Message = { role: string; content: string };
interface Job { type: string; socket: string; task: { id: string; declaration: string; buggyCode: string }; workspace: string; archive: string; feedback: string | null }
const tell = (event: object) => console.log(JSON.stringify({ v: 1, ...event }));

function ask(job: Job, messages: Message[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: job.socket, path: "/v1/chat/completions", method: "POST" }, (reply) => {
      let text = "";
      reply.on("data", (part) => { text += part; });
      reply.on("end", () => resolve(JSON.parse(text).choices[0].message.content));
    });
    call.on("error", reject);
    call.end(JSON.stringify({ messages }));
  });
}

async function solve(job: Job) {
  const system = readFileSync(new URL("../prompts/solve.md", import.meta.url), "utf8");
  const answer = await ask(job, [{ role: "system", content: system }, { role: "user", content: job.task.declaration + job.task.buggyCode }]);
  tell({ type: "result", answer, stop: "answered" });
}

async function improve(job: Job) {
  const brief = readFileSync(join(job.archive, "brief.json"), "utf8");
  const feedback = job.feedback ? "\\nTURNED DOWN: " + job.feedback : "";
  const reply = JSON.parse(await ask(job, [{ role: "user", content: "IMPROVE " + brief + feedback }]));
  for (const { file, text, link } of reply.edits) {
    const path = join(job.workspace, file);
    mkdirSync(dirname(path), { recursive: true });
    if (link) symlinkSync(link, path);
    else writeFileSync(path, text);
  }
  tell({ type: "result", answer: reply.changes, stop: "answered", hypothesis: reply.hypothesis });
}

if (process.argv[2] === "--version") tell({ type: "version", agent: "mini" });
else {
  const lines = createInterface({ input: process.stdin });
  const { value } = await lines[Symbol.asyncIterator]().next();
  const job: Job = JSON.parse(value);
  await (job.type === "solve" ? solve(job) : improve(job));
}
process.exit(0);
`,
};

/** The mini agent's main file with one text exchanged for another. @throws Error where there is nothing to exchange */
export function mainWith(old: string, text: string): string {
  const main = MINI_AGENT[MAIN] ?? "";
  if (!main.includes(old)) throw new Error(`the mini agent does not hold ${old}`);
  return main.replace(old, text);
}

export function writeAgent(folder: string, files: Readonly<Record<string, string>> = MINI_AGENT): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A string that stands in hidden tests only. */
export const HIDDEN_MARK = "hidden_mark_4711";

/** Functions that subtract where they should add; the hidden tests know. */
export const signTasks = (count: number): Task[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `Sign/${i}`,
    language: "python",
    entryPoint: "f",
    instruction: `Add ${i + 1} to x.`,
    declaration: "def f(x):\n",
    documentedDeclaration: `def f(x):\n    """ Add ${i + 1} to x. """\n`,
    buggyCode: `    return x - ${i + 1}\n`,
    epilogue: "",
    exampleTest: "",
    hiddenTest: `${HIDDEN_MARK} = 1\nassert f(1) == ${i + 2}\nassert f(5) == ${i + 6}\n`,
    canonicalCode: `    return x + ${i + 1}\n`,
    bugType: "operator misuse",
  }));

/**
 * A solver whose success depends on what the agent sends: it repairs every third task, and all once the prompt tells it
 * to check the sign. An editor's request gets `edit`.
 */
export const signModel = (edit: (request: string) => object): PricedModel =>
  pricedModel((messages) => {
    const text = messages.map((message) => message.text).join("\n");
    if (text.startsWith("IMPROVE ")) return JSON.stringify(edit(text));
    const program = messages.at(-1)?.text ?? "";
    const number = Number(/x - (\d+)/.exec(program)?.[1]);
    return number % 3 === 0 || /check the sign/i.test(text) ? program.replace("x - ", "x + ") : program;
  });

class FunctionChat extends SimpleChatModel {
  readonly #reply: (messages: BaseMessage[]) => string;

  constructor(reply: (messages: BaseMessage[]) => string) {
    super({});
    this.#reply = reply;
  }

  _llmType(): string {
    return "function";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    return this.#reply(messages);
  }

  override async invoke(...args: Parameters<SimpleChatModel["invoke"]>) {
    const message = await super.invoke(...args);
    // As a server that counts: 100 tokens in, 10 out, whatever was said.
    message.usage_metadata = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
    return message;
  }
}

/** A model that answers by a function, counts tokens, and costs a dollar for 10,000 of them. */
export const pricedModel = (reply: (messages: BaseMessage[]) => string): PricedModel => {
  const model: Model = {
    name: "scripted",
    spec: "scripted",
    chat: new FunctionChat(reply),
    parameters: {},
    deterministic: true,
    close: async () => {},
  };
  return { model, prices: { input: 100, output: 100, cachedInput: 100 } };
};

export interface TestRun {
  folder: string;
  /** Where programs are built; runs may share it. */
  builds?: string;
  box: Box;
  /** Where answers are scored. */
  sandbox: Sandbox;
  /** Of agents alone. */
  agentSandbox: AgentSandbox;
  solver: PricedModel;
  tasks: Task[];
  budget?: BudgetLimits;
  protectedPaths?: string[];
  timeoutMs?: number;
}

/** A workbench and loop options as the command makes them, for one child of the mini agent. */
export async function openTestRun(run: TestRun): Promise<{ bench: Workbench; options: LoopOptions }> {
  const { folder, box, sandbox, agentSandbox, solver, tasks, timeoutMs = 5_000 } = run;
  const seedAgent = join(folder, "seed-agent");
  writeAgent(seedAgent);
  const log = openLog(folder);
  const bench = new Workbench({
    folder,
    log,
    archive: await openArchive(folder),
    builder: openBuilder(box, run.builds ?? join(folder, "builds")),
    evaluator: {
      box,
      sandbox,
      agentSandbox,
      priced: solver,
      examples: [],
      limits: { maxIterations: 5, timeoutMs, graceMs: 1_000 },
      seed: 0,
      hash: "test",
    },
    splits: splitTasks(repairBenchmark(tasks.map((task) => ({ task, visible: toVisible(task) })))),
    budget: new Budget(run.budget ?? {}, log.state),
    concurrency: 3,
    signal: new AbortController().signal,
    draining: () => false,
  });
  const options: LoopOptions = {
    iterations: 1,
    seedAgent,
    select: "argmax",
    gates: {
      smokeTasks: 2,
      screenTasks: 10,
      screenLosses: 3,
      alpha: 0.05,
      family: 1,
      protectedPaths: run.protectedPaths ?? [],
      versionTimeoutMs: 120_000,
    },
    step: {
      meta: solver,
      overseer: null,
      watch: DEFAULT_WATCH,
      maxIterations: 10,
      timeoutMs: 120_000,
      caps: {},
      fullObservations: 5,
      utility: PAPER_UTILITY,
    },
    onNoise: () => {},
    onJudged: () => {},
  };
  return { bench, options };
}

/** A run's folder as another run left it. */
export const copyRun = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
