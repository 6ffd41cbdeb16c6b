/** The tool `code_interpreter`: runs a program in the sandbox and returns what it printed. */

import { z } from "zod";
import { headAndTail } from "../../utils/base/text/text.ts";
import { assertionsHold } from "../../utils/frameworks/assertions.ts";
import type { Language } from "../../utils/languages/language.ts";
import { python } from "../../utils/languages/python/index.ts";
import type { AgentSandbox, RunResult } from "../../utils/sandbox/types.ts";
import { CODE_TOOL, type Observation } from "../dialects/reply.ts";
import { defineTool, type Tool } from "./tool.ts";

const DEFAULT_TIMEOUT_S = 10;
const MAX_TIMEOUT_S = 120;
/** Characters of one stream that a model gets to see. */
const SHOWN_CHARS = 4000;

const Input = z.object({
  code: z.string({ error: "a string with code is needed" }),
  harness: z.string().optional().describe("code run after it, such as tests"),
  stdin: z.string().optional().describe("what the program reads"),
  timeout: z.coerce.number().positive().max(MAX_TIMEOUT_S).default(DEFAULT_TIMEOUT_S).describe("seconds"),
});

/**
 * Input: `code`; `harness`, code that is run after it (tests, prints); `stdin`, what it reads; `timeout` in seconds.
 * @param readsInput whether `stdin` is offered
 * Nothing runs where `code` is empty or has a syntax error; the Observation says which line.
 */
export function codeInterpreter(sandbox: AgentSandbox, language: Language = python, readsInput = false): Tool {
  const tool = defineTool({
    name: CODE_TOOL,
    description: `Runs ${language.title} code in a fresh interpreter and returns what it prints.`,
    input: Input,
    run: async ({ code, harness, stdin, timeout }, signal) => {
      if (code.trim() === "") {
        return { status: "nothing was run", output: "`code` is empty. Send the complete program.", durationMs: 0 };
      }
      const program = harness ? language.withHarness(code, harness) : code;
      const result = await sandbox.run({
        code: program,
        language: language.name,
        ...(stdin === undefined ? {} : { stdin }),
        timeoutMs: timeout * 1000,
        ...(signal ? { signal } : {}),
      });
      return describe(result, program, language, harness);
    },
  });
  return { ...tool, input: readsInput ? Input : Input.omit({ stdin: true }) };
}

function describe(result: RunResult, program: string, language: Language, harness = ""): Observation {
  const { status, durationMs } = result;
  switch (status) {
    case "exited": {
      const held = result.exitCode === 0 ? assertionsHold(harness) : "";
      const output = [printed(result), held].filter(Boolean).join("\n");
      return { status: `exit code ${result.exitCode ?? "unknown"}`, output: output || NO_OUTPUT, durationMs };
    }
    case "syntax_error":
      return { status: notRun(language), output: syntaxHint(result, program, language), durationMs };
    case "refused":
      return { status: "refused, nothing was run", output: result.explanation, durationMs };
    case "timeout":
    case "killed":
    case "output_limit":
    case "sandbox_error":
      return {
        status: status.replace("_", " "),
        output: `${result.explanation}\n${printed(result) || NO_OUTPUT}`,
        durationMs,
      };
  }
}

function printed({ stdout, stderr, truncated }: RunResult): string {
  const parts = [
    stdout.trim() && headAndTail(stdout.trimEnd(), SHOWN_CHARS),
    stderr.trim() && `stderr:\n${headAndTail(stderr.trimEnd(), SHOWN_CHARS)}`,
    truncated && "(more was printed than is kept)",
  ].filter(Boolean);
  return parts.join("\n");
}

const NO_OUTPUT = "(no output: print what you want to see)";

/** Compilers find more than errors of syntax. */
const notRun = ({ runtime }: Language): string =>
  `${runtime?.compiled ? "it does not compile" : "syntax error"}, nothing was run`;

function syntaxHint({ explanation, line }: RunResult, program: string, { runtime }: Language): string {
  const source = line === undefined ? undefined : program.split("\n")[line - 1];
  const shown = source === undefined ? "" : `\nLine ${line}: ${source.trimEnd()}`;
  const advice = runtime?.compiled ? "Correct this" : "Check the indentation, brackets and quotes there";
  return `${explanation}${shown}\n${advice}, and send the complete program again.`;
}
