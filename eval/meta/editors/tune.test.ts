import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { createTuneModel, type OperatorEvidence, refit } from "./tune.ts";

const right = (operator: string, times: number): OperatorEvidence[] => Array(times).fill({ operator, right: true });

describe("re-fitted costs", () => {
  const costs = { compare: 1, number: 2, index: 3 };

  test("without evidence they stay as they are", () => {
    expect(refit(costs, [], 20)).toEqual(costs);
  });

  test("an operator that repaired is tried sooner, the others later", () => {
    const fitted = refit(costs, right("index", 10), 20);
    expect(fitted.index).toBeLessThan(2);
    expect(fitted.compare).toBeGreaterThan(1);
    expect((fitted.number ?? 0) - (fitted.compare ?? 0)).toBeCloseTo(1, 1);
  });
});

describe("the editor without weights", () => {
  const file = JSON.stringify({ margin: 2.5, operators: { compare: 1, index: 3 }, habits: { a: 1 } }, null, 2).split(
    "\n",
  );
  const page = `Observation: agent/x, lines 3 to 10 of 10\n${file
    .slice(2)
    .map((line, i) => `${String(3 + i).padStart(4)}  ${line}`)
    .join("\n")}`;
  const tasks =
    "Observation: dev tasks of agent 0, worst first\nPython/1 · score 0 (failed) · 1.0 s · 0 model calls · line 1: a → b (compare). I tried 3 candidates.\nPython/2 · score 1 (passed) · 1.0 s · 0 model calls · line 2: x[0] → x[1] (index). I tried 9 candidates.";

  test("reads the results, finds the costs, states a hypothesis, writes new costs, checks, finishes", async () => {
    const { chat } = createTuneModel();
    const observations = [
      tasks,
      'Observation: agent/models/search/tables/priors.json:3: "operators": {',
      page,
      "Observation: Stated.",
      "Observation: --- a\n+++ b",
      "Observation: The agent compiles and starts.",
    ];
    const messages: BaseMessage[] = [
      new SystemMessage("s"),
      new HumanMessage("The workspace holds the code of agent 0. Improve it."),
    ];
    const replies: string[] = [];
    for (const observation of [...observations, ""]) {
      const reply = (await chat.invoke(messages)).text;
      replies.push(reply);
      messages.push(new AIMessage(reply), new HumanMessage(observation));
    }
    expect(replies.map((reply) => /^(?:Action: (\w+)|Final Answer)/m.exec(reply)?.[1] ?? "answer")).toEqual([
      "archive",
      "search",
      "view",
      "hypothesis",
      "edit",
      "checks",
      "answer",
    ]);
    const written = JSON.parse(/^Action Input: (.*)$/m.exec(replies[4] ?? "")?.[1] ?? "");
    expect(written).toMatchObject({ from: 3, to: 6 });
    const after = file.toSpliced(2, 4, ...written.new.split("\n"));
    const priors = JSON.parse(after.join("\n"));
    expect(after).toHaveLength(file.length);
    expect(priors).toMatchObject({ margin: 2.5, habits: { a: 1 } });
    expect(priors.operators.index).toBeLessThan(3);
    expect(priors.operators.compare).toBeGreaterThan(1);
  });

  test("changes nothing where no dev task was repaired", async () => {
    const messages = [
      new SystemMessage("s"),
      new HumanMessage("The workspace holds the code of agent 0."),
      new AIMessage("Action: archive\nAction Input: {}"),
      new HumanMessage("Observation: Python/1 · score 0 (failed)"),
    ];
    expect((await createTuneModel().chat.invoke(messages)).text).toContain("Final Answer: No change:");
  });
});
