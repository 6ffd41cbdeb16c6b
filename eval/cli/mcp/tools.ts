/** The tools that `mend mcp` offers to other agents: one row each. */

import { z } from "zod";
import { codeInterpreter } from "../../../agent/tools/code_interpreter.ts";
import { TOOLS } from "../../../agent/tools/table.ts";
import { createTask } from "../../../fix/library/create_task.ts";
import { LANGUAGE_NAMES } from "../../../utils/languages/language.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { Verdict } from "../../../utils/sandbox/types.ts";
import { SEARCH_EDITS } from "../../../utils/search/moves.ts";
import { visibleJob } from "../../../utils/task/judged_tests.ts";
import { RepairResult, repairFunction } from "./repair_function.ts";
import { Region, SearchReport, searchFunction } from "./search_function.ts";
import { defineMcpTool, type McpTool } from "./tool.ts";

const language = z.enum(LANGUAGE_NAMES).default("python").describe("what the program is written in");
const Code = z.strictObject({ code: z.string().describe("the whole program"), language });
const FunctionUnderTest = Code.extend({
  entryPoint: z.string().describe("name of the top-level function or class"),
  tests: z
    .string()
    .regex(/\S/, "tests are needed: they say what is right")
    .describe("assertions that call it, without imports of the program"),
});
const instruction = z.string().optional().describe("what the function should do, in words");
const searched = TOOLS.find(({ name }) => name === SEARCH_EDITS)?.languages ?? LANGUAGE_NAMES;

/** Nothing of this machine is changed by any of them, nor can the program reach anything: a model may. */
const CONFINED = { readOnlyHint: true, openWorldHint: false };

export const MCP_TOOLS: readonly McpTool[] = [
  defineMcpTool({
    name: "repair_function",
    title: "Repair a function",
    description:
      "Repairs one buggy function so that its tests pass. The repair is verified by running the tests in a " +
      "sandbox. `outcome` says how it ended: `fixed`, `suggestion` (it passes and may be wrong: `doubts` say why, " +
      "`otherEdits` which other edits pass too), `not_fixed` (`reason` says why), or `nothing_to_repair` (the " +
      "function passes its tests already and is returned unchanged).",
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: FunctionUnderTest.extend({ instruction }),
    output: RepairResult,
    run: async (input, context) => repairFunction(createTask(input), context),
  }),
  defineMcpTool({
    name: "run_in_sandbox",
    title: "Run a program in a sandbox",
    description:
      "Runs a program without network, files or secrets of this machine, and returns what it printed and how it ended.",
    annotations: CONFINED,
    input: Code.extend({
      timeoutSeconds: z.number().positive().max(120).default(10).describe("limit of its processor time"),
    }),
    output: z.object({
      status: z.string().describe("how it ended, such as `exit code 0`, `timeout` or a syntax error"),
      output: z.string().describe("what it printed, long output without its middle"),
      durationMs: z.number(),
    }),
    run: async ({ code, language: name, timeoutSeconds }, { sandbox, signal }) => {
      const ran = await codeInterpreter(sandbox, LANGUAGES[name]).run({ code, timeout: timeoutSeconds }, signal);
      if (ran.status === "sandbox error") throw new Error(`the sandbox failed: ${ran.output}`);
      return ran;
    },
  }),
  defineMcpTool({
    name: "judge",
    title: "Judge a function by tests",
    description:
      "Runs tests against a function that may be hostile: the tests run in a process of their own, so the " +
      "program cannot forge a pass. Of the program they have the function alone.",
    annotations: { ...CONFINED, idempotentHint: true },
    input: FunctionUnderTest,
    output: z.object({
      passed: z.boolean(),
      outcome: Verdict.shape.outcome.exclude(["sandbox_error"]),
      explanation: z.string().describe("what went wrong: the assertion, the last call, what it gave; empty on a pass"),
      calls: z.int().describe("calls from the tests into the program"),
    }),
    run: async (input, { sandbox, signal }) => {
      const { passed, outcome, explanation, calls } = await sandbox.judge({
        ...visibleJob(createTask(input), input.code),
        // Of a repair they are what stands around the function; here that is the program's, which would help itself.
        helpers: "",
        signal,
      });
      if (outcome === "sandbox_error") throw new Error(`there is no verdict: ${explanation}`);
      return { passed, outcome, explanation, calls };
    },
  }),
  defineMcpTool({
    name: SEARCH_EDITS,
    title: "Search for edits that pass the tests",
    description:
      "Tries thousands of small edits of a buggy function against its tests, without any model, and " +
      "returns the likeliest that pass. Where none does, `reason` says how far it came.",
    annotations: { ...CONFINED, idempotentHint: true },
    input: FunctionUnderTest.extend({
      instruction,
      language: z.enum(searched).default("python").describe("what the program is written in"),
      region: Region.optional().describe("first and last line to edit, from 1"),
    }),
    output: SearchReport,
    run: async ({ region, ...input }, context) => searchFunction(createTask(input), region, context),
  }),
];
