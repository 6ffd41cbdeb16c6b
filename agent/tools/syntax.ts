/** Whether a file parses, by its kind: JavaScript, TypeScript, Python, JSON. Everything else is text. */

import { extname } from "node:path";
import { type SyntaxProblem, scriptProblem } from "../../utils/languages/javascript/script_problem.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";

/** Null where the text parses, or is of a kind that is not parsed. */
export async function syntaxProblem(file: string, text: string, sandbox: AgentSandbox): Promise<SyntaxProblem | null> {
  if (LANGUAGES.javascript.extensions.includes(extname(file))) return scriptProblem(file, text);
  switch (extname(file)) {
    case ".py":
      return python(text, sandbox);
    case ".json":
      return json(text);
    default:
      return null;
  }
}

async function python(text: string, sandbox: AgentSandbox): Promise<SyntaxProblem | null> {
  // Compiled and not run: the text is data in a program of ours.
  const code = `compile(${JSON.stringify(text)}, "file", "exec")`;
  const { status, exitCode, stderr } = await sandbox.run({ code, timeoutMs: 10_000 });
  if (status === "exited" && exitCode === 0) return null;
  const line = Number(/File "file", line (\d+)/.exec(stderr)?.[1] ?? 1);
  return { line, message: stderr.trim().split("\n").at(-1) ?? "it cannot be read" };
}

function json(text: string): SyntaxProblem | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    return { line: text.slice(0, position).split("\n").length, message };
  }
}
