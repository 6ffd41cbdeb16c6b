import { expect, test } from "vitest";
import { openForTests } from "../utils/sandbox/testing/open.ts";
import { ADD_TASK, answerToAdd } from "../utils/testing/add_task.ts";
import { connectTo } from "./models/testing/calls.ts";
import { startFakeOpenAI } from "./models/testing/fake_openai.ts";
import { repair } from "./repair.ts";

const sandbox = await openForTests();

test.each([["whole"], ["streamed"]])(
  "a reply of reasoning alone is reported as such, also when it was cut off, %s",
  async (how) => {
    const replies = [
      { reasoning: "Hm." },
      { reasoning: "Hm, hm.", cut: true },
      answerToAdd("a * b"),
      "",
      answerToAdd("a + b"),
    ];
    await using server = await startFakeOpenAI({ reply: (_, turn) => replies[turn] ?? "" });
    const model = await connectTo(server.url);
    const onProgress = how === "streamed" ? () => {} : undefined;
    const limits = { maxIterations: 6, timeoutMs: 600_000 };
    const { steps, stop } = await repair(ADD_TASK, { model, sandbox, ...limits, onProgress });
    expect(stop).toBe("answered");
    const read = steps.flatMap(({ reply }) => (reply.kind === "malformed" ? [[reply.error, reply.problem]] : []));
    expect(read).toEqual([
      ["only_reasoning", expect.stringMatching(/^Your reply was only reasoning.*max_tokens/)],
      ["only_reasoning", expect.stringMatching(/^Your reply was cut off at its length limit.*raise max_tokens/)],
      ["empty", expect.stringMatching(/^Your reply was empty/)],
    ]);
    expect(steps.map(({ reasoning, finishReason }) => [reasoning, finishReason])).toEqual([
      [undefined, undefined],
      ["Hm.", "stop"],
      ["Hm, hm.", "length"],
      [undefined, "stop"],
      [undefined, "stop"],
      [undefined, "stop"],
    ]);
    const names = new Set(steps.slice(1).map(({ answeredBy }) => answeredBy));
    expect([...names]).toEqual([`${model.name.replace("openai:", "")}, fp_1`]);
    // What servers refuse, an empty message, is not sent back to them.
    expect(server.requests.at(-1)?.body.messages.every(({ content }) => content)).toBe(true);
  },
);
