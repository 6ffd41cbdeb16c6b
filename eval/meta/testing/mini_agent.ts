/** For tests of the self-edit loop: an agent small enough to start in a moment. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

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
    const call = request({ socketPath: job.socket, path: "/chat", method: "POST" }, (reply) => {
      let text = "";
      reply.on("data", (part) => { text += part; });
      reply.on("end", () => resolve(JSON.parse(text).content));
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
process.stdout.write("", () => process.exit(0));
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
