import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { usageOfMessage } from "../../../agent/run/usage.ts";
import { LearnChat } from "./learn/model.ts";
import { createTuneModel } from "./tune.ts";

test("editors without weights read no tokens: they say 0, not that it is unknown", async () => {
  const unused = () => Promise.reject(new Error("the first reply runs nothing"));
  for (const chat of [createTuneModel().chat, new LearnChat([], { run: unused, judgeVisible: unused })]) {
    const reply = await chat.invoke([new HumanMessage("agent 0")]);
    expect(usageOfMessage(reply)).toMatchObject({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 });
  }
});
