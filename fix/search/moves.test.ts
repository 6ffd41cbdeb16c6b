import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { runGraph } from "../../agent/graph.ts";
import { EngineChat } from "../../agent/models/search/chat.ts";
import { registry, type Tool } from "../../agent/tools/tool.ts";
import { python } from "../../utils/languages/python/index.ts";
import type { BoxLayer } from "../../utils/sandbox/types.ts";
import { SEARCH_EDITS } from "../../utils/search/moves.ts";
import { describeFindings, type FileEdit } from "./findings.ts";
import { nextInTests } from "./moves.ts";
import { notSearched } from "./repairer.ts";

/** The edit that writes a number for 0. */
const edit = (number: number): FileEdit => ({
  ...{ file: "lib.py", from: 1, to: 1, old: "x = 0\n", text: `x = ${number}\n`, operator: "constant" },
  ...{ before: "0", after: String(number), cost: number, behaviour: null },
});

test("each edit is offered until one is accepted, however long ago the search was", async () => {
  let program = "x = 0\n";
  const answered: string[] = [];
  const found = { edits: [1, 2, 3, 4, 5].map(edit), functions: [], renewed: 0, failing: ["a"], wanted: ["a"] };
  const tool = (name: string, run: Tool["run"]): Tool => ({ name, description: "", run });
  const tools = registry([
    tool(SEARCH_EDITS, async ({ take }) => {
      if (take === undefined) return { ...describeFindings(found), durationMs: 0 };
      program = found.edits[Number(take) - 1]?.text ?? "";
      return { status: `edit ${take} is made`, output: "--- a\n+++ b\n", durationMs: 0 };
    }),
  ]);
  const verify = async (text: string) => {
    answered.push(text);
    const accepted = program === "x = 4\n";
    return { accepted, result: null, observation: { status: "it fails", output: "a\nb\nc", durationMs: 0 } };
  };
  const run = await runGraph({
    opening: [new SystemMessage("s"), new HumanMessage("Repair it.")],
    ...{ model: new EngineChat("text", () => nextInTests), tools, verify, answer: "text", language: python },
    limits: { maxIterations: 30 },
    contextTokens: 10,
  });
  expect(run.stop).toBe("answered");
  expect(answered).toEqual([1, 2, 3, 4].map((number) => `lib.py, line 1: 0 → ${number}`));
});

test("where it cannot search it says what is missing: a test that fails, or a function in a language that it knows", () => {
  const failing = [{ name: "npm test", status: "failed", message: "" } as const];
  const said = (baseline: Parameters<typeof notSearched>[0]["baseline"], layer: BoxLayer = "bwrap") =>
    notSearched({ baseline, suite: { layer } }).message;
  expect(said({ failing: [], notLoaded: null })).toMatch(/needs a failing test with a name/);
  expect(said({ failing, notLoaded: null })).toMatch(
    /repairs functions in Python, JavaScript, .*no file that may change contains one/,
  );
  const notLoaded = "Traceback\n  File \"tests/test_a.py\", line 1\nModuleNotFoundError: No module named 'six'\n";
  expect(said({ failing: [], notLoaded })).toMatch(
    /cannot be loaded: .*'six' \(tests\/test_a\.py, line 1\)\. .*pip install.* needs tests that run and fail/,
  );
  expect(said({ failing: [], notLoaded }, "container")).toMatch(
    /named 'six' .*image lacks what is missing.* needs tests/,
  );
  expect(said({ failing: [], notLoaded }, "container")).not.toContain("pip install");
});
