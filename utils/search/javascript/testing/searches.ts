/** For tests: one call of the search in the sandbox, as the chat model makes it. */

import { spawnSync } from "node:child_process";
import type { Sandbox } from "../../../sandbox/types.ts";
import { searchScript } from "../../bundle.ts";
import type { SearchRequest } from "../../request.ts";
import { applyEdit } from "../../result.ts";
import { chosen, readScriptResult } from "../../script_result.ts";
import { KNOWLEDGE } from "../../testing/knowledge.ts";
import { javascriptEngine } from "../bundle.ts";

export const request = (program: string, tests: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  language: "javascript",
  program,
  entry: "f",
  instruction: "",
  tests,
  steps: 3000,
  seed: 0,
  ...more,
});

type Script = (...asked: Parameters<typeof searchScript>) => string | Promise<string>;

/** What a search prints in the sandbox, and the programs with its edits. */
export async function searchIn(sandbox: Sandbox, asked: SearchRequest, script: Script = searchScript) {
  const code = await script(asked, KNOWLEDGE);
  const run = await sandbox.run({ code, language: "javascript", timeoutMs: 120_000 });
  const printed = readScriptResult(run.stdout);
  if (!printed) throw new Error(`${run.status} ${run.explanation} ${run.stderr}`);
  const result = chosen(printed, asked, KNOWLEDGE);
  return { ...result, programs: result.best.map(({ splices }) => applyEdit(asked.program, splices)) };
}

/** What code prints that has all of the engine around it, in a process of its own: the engine changes the built-ins there. */
export function printedInEngine(code: string): string {
  const input = `(() => {\n${javascriptEngine(KNOWLEDGE.javascript, true)}\n${code}\n})()`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-"], { input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (stderr) throw new Error(stderr);
  return stdout;
}
