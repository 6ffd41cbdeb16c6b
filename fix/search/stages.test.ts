/** What is searched for where no edit makes all tests pass. */

import { expect, test } from "vitest";
import type { Tool } from "../../agent/tools/tool.ts";
import { SEARCH_EDITS } from "../../utils/search/moves.ts";
import { carryOut } from "../attempts/search_function.ts";
import { describeFindings, FileEdit, FunctionReport, type SearchFindings } from "./findings.ts";
import { searchInStages } from "./stages.ts";

const edit = (line: number) =>
  FileEdit.parse({
    ...{ file: "lib.py", from: line, to: line, old: `wrong ${line}\n`, text: `right ${line}\n`, operator: "constant" },
    cost: 1,
  });

/**
 * A program of wrong lines, with a test each; the search finds the edit of a line if it is asked for that test alone,
 * or nothing else is left.
 * @param hard lines for which there is no edit
 * @param tried the search's report on the one function
 */
async function repairLines(
  tests: readonly string[],
  hard: readonly number[] = [],
  tried: Partial<FunctionReport> | null = null,
) {
  const failing = new Set(tests);
  const asked: string[] = [];
  const lineOf = (name: string) => Number(/\d+/.exec(name)?.[0]);
  const tool = (name: string, run: Tool["run"]): Tool => ({ name, description: "", run });
  const state: { last: SearchFindings | null } = { last: null };
  const search = tool(SEARCH_EDITS, async ({ tests: named, take }) => {
    if (take !== undefined) {
      for (const name of tests) if (lineOf(name) === state.last?.edits[Number(take) - 1]?.from) failing.delete(name);
      return { status: `edit ${take} is made`, output: "", durationMs: 0 };
    }
    const open = [...failing];
    const wanted = Array.isArray(named) ? open.filter((name) => named.includes(name)) : open;
    const lines = new Set(wanted.map(lineOf));
    asked.push(wanted.length === open.length ? "all" : wanted.join(" "));
    const functions = tried ? [FunctionReport.parse({ function: "lib", file: "lib.py", tried: 949, ...tried })] : [];
    const edits = lines.size === 1 ? [...lines].filter((line) => !hard.includes(line)).map(edit) : [];
    state.last = { edits, functions, renewed: 0, failing: open, wanted };
    return { ...describeFindings(state.last), durationMs: 0 };
  });
  const verify = async () => ({
    accepted: failing.size === 0,
    result: null,
    observation: { status: `${failing.size} fail`, output: "", durationMs: 0 },
  });
  const { signal } = new AbortController();
  const run = await carryOut(searchInStages(state), { tool: search, verify, maxIterations: 30, signal });
  return { run, asked, said: run.steps.map(({ reply }) => (reply.kind === "answer" ? reply.text : "")).at(-1) ?? "" };
}

test("each edit that passes is offered until one is accepted", async () => {
  const last = { edits: [1, 2, 3].map(edit), functions: [], renewed: 0, failing: ["a"], wanted: ["a"] };
  const answered: string[] = [];
  const taken: unknown[] = [];
  const tool: Tool = {
    name: SEARCH_EDITS,
    description: "",
    run: async ({ take }) => {
      taken.push(take);
      return { status: "", output: "", durationMs: 0 };
    },
  };
  const verify = async (text: string) => {
    answered.push(text);
    return { accepted: taken.at(-1) === 2, result: null, observation: { status: "", output: "", durationMs: 0 } };
  };
  const { signal } = new AbortController();
  const run = await carryOut(searchInStages({ last }), { tool, verify, maxIterations: 30, signal });
  expect([run.stop, taken]).toEqual(["answered", [undefined, 1, 2]]);
  expect(answered).toEqual([1, 2].map((line) => `lib.py, line ${line}: wrong ${line} → right ${line}`));
});

test("an edit that passes one test stays, and the search goes on from there", async () => {
  const { run, asked } = await repairLines(["a.py::test_1", "a.py::test_2", "a.py::test_3"]);
  expect(run.stop).toBe("answered");
  expect(asked).toEqual(["all", "a.py::test_1", "all", "a.py::test_2", "all"]);
});

test("where one stays broken it ends, says what was made, and asks for no more than four alone", async () => {
  const { run, asked, said } = await repairLines(["a::1", "a::2", "a::3"], [1]);
  expect(run.stop).toBe("gave_up");
  expect(asked).toEqual(["all", "a::1", "a::2", "all", "a::3", "all"]);
  expect(said).toContain(
    "Made: lib.py, line 2: wrong 2 → right 2; lib.py, line 3: wrong 3 → right 3; tests that fail now: 1.",
  );
  const none = await repairLines(["a::1", "a::2", "a::3", "a::4", "a::5", "a::6"], [1, 2, 3, 4, 5, 6]);
  expect(none.asked).toEqual(["all", "a::1", "a::2", "a::3", "a::4"]);
});
