/** Plays a run of the loop with an endpoint whose model is scripted: real server, agents, boxes, gates and tests. */

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeOpenAI } from "../../../../agent/models/testing/fake_openai.ts";
import { tsxEnvironment, tsxWords } from "../../../../utils/base/host/tsx.ts";
import { type Judged, type RunState, readState } from "../../../meta/log.ts";
import { editorReply } from "./editor.ts";
import { signsRows } from "./signs.ts";
import { solverReply } from "./solver.ts";

const COMMAND = fileURLToPath(new URL("../../../cli/commands/improve.ts", import.meta.url));
const CHILDREN = 4;
/** Of each of the two benchmarks. */
const TASKS = 15;
/** Of these, the first are repaired without any of the new tools. */
const PLAIN = 4;
const CHARS_PER_TOKEN = 4;

export interface Session {
  exitCode: number | null;
  state: RunState;
  /** How each change ended: the first round of its iteration. */
  fates: Judged[];
}

/** @param folder where the run is made, as `runs/session`, @param show whether the loop's own words are passed on */
export async function playSession(folder: string, show: boolean): Promise<Session> {
  writeFileSync(join(folder, "tasks.jsonl"), signsRows(TASKS, PLAIN));
  makeRepository(join(folder, "repository"));
  await using server = await startFakeOpenAI({
    models: ["scripted"],
    reply: ({ body }) => {
      const messages = body.messages.map(({ content }) => content ?? "");
      const isEditor = messages[1]?.startsWith("The workspace holds the code of agent") === true;
      const text = (isEditor ? editorReply : solverReply)(messages);
      const tokens = (length: number) => Math.ceil(length / CHARS_PER_TOKEN);
      return {
        text,
        usage: { prompt_tokens: tokens(messages.join("").length), completion_tokens: tokens(text.length) },
      };
    },
  });
  const options = [
    ...["--iterations", `${CHILDREN}`, "--family", "3", "--alpha", "0.2", "--select", "champion", "--run", "session"],
    ...["--model", "openai:scripted", "--price", "0.25,2", "--few-shot-k", "0", "--max-iterations", "5"],
    ...[
      "--dataset",
      "tasks.jsonl",
      "--benchmark",
      "functions,file_edit",
      "--repo",
      "repository",
      "--repo-tasks",
      `${TASKS}`,
    ],
  ];
  const child = spawn(process.execPath, [...tsxWords(), COMMAND, ...options], {
    cwd: folder,
    env: { ...tsxEnvironment(), OPENAI_BASE_URL: server.url },
    stdio: ["ignore", "ignore", show ? "inherit" : "ignore"],
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const state = readState(join(folder, "runs/session"));
  const fates = state.verdicts.filter(({ round }) => round === 1);
  return { exitCode, state, fates };
}

/** A repository in which each commit changes one line of one file; of most files several lines read the same. */
function makeRepository(folder: string): void {
  mkdirSync(folder);
  // Always the same commits: their names decide which tasks are in which split.
  const at = { GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" };
  const git = (...args: string[]) => {
    const all = ["-c", "user.name=m", "-c", "user.email=m@m", ...args];
    execFileSync("git", all, { cwd: folder, stdio: "pipe", env: { ...process.env, ...at } });
  };
  const text = (i: number, fixed: boolean) =>
    ["first", "second", "third"]
      .map((name, at) => {
        const line = fixed && at === i % 3 ? `    return value + ${i}` : "    return value";
        return `def ${name}(value):\n${i < PLAIN ? `${line}  # ${name}` : line}\n`;
      })
      .join("\n\n");
  const write = (i: number, fixed: boolean) => writeFileSync(join(folder, `file_${i}.py`), text(i, fixed));
  git("init", "-q");
  for (let i = 0; i < TASKS; i += 1) write(i, false);
  git("add", "-A");
  git("commit", "-q", "-m", "files");
  for (let i = 0; i < TASKS; i += 1) {
    write(i, true);
    git("commit", "-q", "-a", "-m", `change ${i}`, `--date=2026-01-01T00:00:${String(i).padStart(2, "0")}Z`);
  }
}
