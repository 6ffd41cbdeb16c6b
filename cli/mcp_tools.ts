/** The tools that `mend mcp` offers to other agents: one row each. */

import { z } from "zod";
import type { Model } from "../agent/models/create.ts";
import { repair } from "../agent/repair.ts";
import { codeInterpreter } from "../agent/tools/code_interpreter.ts";
import { searchEditsTool } from "../agent/tools/search_edits.ts";
import { verificationJob } from "../agent/verify.ts";
import { createTask } from "../api/task.ts";
import type { LanguageName } from "../utils/languages/language.ts";
import { LANGUAGES } from "../utils/languages/registry.ts";
import type { Sandbox } from "../utils/sandbox/types.ts";
import { buggyProgram } from "../utils/task/task.ts";
import { unifiedDiff } from "../utils/text/diff.ts";

/** What a call has beside its input. */
export interface ToolContext {
  sandbox: Sandbox;
  /** Opened when first asked for: most tools need none. */
  model(): Promise<Model>;
  limits: { maxIterations: number; timeoutMs: number };
  signal: AbortSignal;
  /** @param message one line, such as what a turn came to */
  progress(done: number, total: number, message: string): void;
}

export interface McpTool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /** @param input as `input` read it. @returns plain data. @throws RangeError for code without the function named */
  run(input: Record<string, unknown>, context: ToolContext): Promise<Record<string, unknown>>;
}

const LANGUAGE_NAMES = Object.keys(LANGUAGES).filter((name): name is LanguageName => name in LANGUAGES);

const language = z.enum(LANGUAGE_NAMES).default("python");
const Code = z.object({ code: z.string().describe("the whole program"), language });
const FunctionUnderTest = Code.extend({
  entryPoint: z.string().describe("name of the top-level function or class"),
  tests: z
    .string()
    .regex(/\S/, "tests are needed: they say what is right")
    .describe("assertions that call it, without imports of the program"),
});
const Repair = FunctionUnderTest.extend({
  instruction: z.string().optional().describe("what the function should do, in words"),
});
const Run = Code.extend({ timeoutSeconds: z.number().positive().max(120).default(10) });
const Search = FunctionUnderTest.extend({
  region: z
    .tuple([z.int().positive(), z.int().positive()])
    .refine(([first, last]) => first <= last, "the first line comes before the last")
    .optional()
    .describe("first and last line to edit"),
});

const define = <Schema extends z.ZodObject>(row: {
  name: string;
  title: string;
  description: string;
  input: Schema;
  run(input: z.output<Schema>, context: ToolContext): Promise<Record<string, unknown>>;
}): McpTool => ({ ...row, run: (input, context) => row.run(row.input.parse(input), context) });

export const MCP_TOOLS: readonly McpTool[] = [
  define({
    name: "repair_function",
    title: "Repair a function",
    description:
      "Repairs one buggy function so that its tests pass. The repair is verified by running the tests in a sandbox; `verified` says whether it passed. A function that passes its tests already is returned unchanged (`stop`: `nothing_to_repair`).",
    input: Repair,
    run: async (input, { sandbox, model, limits, signal, progress }) => {
      const task = createTask(input);
      const { name, chat } = await model();
      const { stop, answer, verified, iterations, error } = await repair(task, {
        model: { name, chat },
        sandbox,
        ...limits,
        signal,
        onStep: ({ iteration, observation }) => progress(iteration, limits.maxIterations, observation.status),
      });
      const diff = answer === null ? "" : unifiedDiff(input.entryPoint, buggyProgram(task), answer);
      return {
        verified,
        stop,
        code: answer,
        diff,
        turns: iterations,
        model: name,
        ...(error && { error: error.message }),
      };
    },
  }),
  define({
    name: "run_in_sandbox",
    title: "Run a program in a sandbox",
    description:
      "Runs a program without network, files or secrets of this machine, and returns what it printed and how it ended.",
    input: Run,
    run: async ({ code, language: name, timeoutSeconds }, { sandbox, signal }) => ({
      ...(await codeInterpreter(sandbox, LANGUAGES[name]).run({ code, timeout: timeoutSeconds }, signal)),
    }),
  }),
  define({
    name: "judge",
    title: "Judge a function by tests",
    description:
      "Runs tests against a function that may be hostile: the tests run in a process of their own, so the program cannot forge a pass. Of the program they have the function alone.",
    input: FunctionUnderTest,
    run: async (input, { sandbox, signal }) => {
      const task = createTask(input);
      const { passed, outcome, explanation, calls } = await sandbox.judge({
        ...verificationJob(task, input.code),
        // Of a repair they are what stands around the function; here that is the program's, which would help itself.
        helpers: "",
        signal,
      });
      return { passed, outcome, explanation, calls };
    },
  }),
  define({
    name: "search_edits",
    title: "Search for edits that pass the tests",
    description: "Tries thousands of small edits of a buggy Python function against its tests, without any model.",
    input: Search.extend({ language: z.literal("python").default("python") }),
    run: async ({ region, ...input }, { sandbox, signal }) => ({
      ...(await searchEditsTool(createTask(input), sandbox).run({ region }, signal)),
    }),
  }),
];
