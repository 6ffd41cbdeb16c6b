import { expect, onTestFinished, test } from "vitest";
import { runEditor } from "../../../agent/process/improve.ts";
import { Inbox } from "../../../agent/process/wire.ts";
import { registry } from "../../../agent/tools/tool.ts";
import { AgentEvent, PROCESS_PROTOCOL } from "../../../utils/task/process_protocol.ts";
import { pricedModel } from "../testing/sign_model.ts";
import { Overseer, problemOf } from "./overseer.ts";

/** The real graph under the overseer, without the process between them. */
async function runWatched(reply: (sent: string, turn: number) => string) {
  const inbox = new Inbox();
  const overseer = new Overseer(2);
  onTestFinished(() => overseer.stop());
  const send = (message: object) => inbox.receive(JSON.stringify(message));
  overseer.attach({ control: send, kill: () => {} });
  const sent: string[] = [];
  const { model } = pricedModel((messages) => {
    sent.push(messages.at(-1)?.text ?? "");
    return reply(sent.at(-1) ?? "", sent.length);
  });
  const look_at = {
    name: "look",
    description: "",
    run: async () => ({ status: "ok", output: "seen", durationMs: 0 }),
  };
  const verify = async (answer: string) => ({
    accepted: true,
    result: answer,
    observation: { status: "", output: "", durationMs: 0 },
  });
  const tools = registry([look_at]);
  const limits = { maxIterations: 40 };
  const parts = { task: "t", system: "s", model: model.chat, tools, verify, limits };
  const report = (event: object) => overseer.observe(AgentEvent.parse({ v: PROCESS_PROTOCOL, ...event }));
  const result = await runEditor(parts, inbox, report);
  overseer.stop();
  return { result, sent, notes: overseer.notes.map(({ kind }) => kind) };
}

const look = (n: number) => `Thought: t\nAction: look\nAction Input: {"n": ${n}}`;

test("an editor in a circle gets a notice, and is cancelled when it goes on", async () => {
  const { result, sent, notes } = await runWatched(() => look(1));
  expect(result).toMatchObject({ stop: "aborted", answer: null });
  expect(notes).toEqual(["notice", "cancel"]);
  expect(sent.some((text) => /Notice: You did the same thing \d times/.test(text))).toBe(true);
});

test("an editor that heeds the notice goes on to its end", async () => {
  const heeding = (sent: string) => (/Notice: /.test(sent) ? "Final Answer: I change my approach." : look(1));
  const { result, notes } = await runWatched(heeding);
  expect(result.stop).toBe("answered");
  expect(notes).toEqual(["notice"]);
});

test("one that does something else in each turn is left alone", async () => {
  const { result, notes } = await runWatched((_, turn) => (turn < 12 ? look(turn) : "Final Answer: done at last"));
  expect(result).toMatchObject({ stop: "answered", answer: "done at last" });
  expect(notes).toEqual([]);
});

test("a try made again after each change, by an edit or a command, is no circle; without a change it is", () => {
  const turns: Parameters<typeof problemOf>[0][number][] = [];
  const turn = (action: string, status: string, text = "") =>
    turns.push({ v: PROCESS_PROTOCOL, type: "step", iteration: 1, action, status, text, seconds: 1 });
  const tried = () => turn('try_task {"task":"T/1"}', "score 0 (failed)");
  for (const name of ["a", "b", "c"]) {
    if (name === "b") turn(`run {"command":"sed ${name}"}`, "exit code 0", "(changed: agent/a.ts)");
    else turn(`edit {"path":"${name}"}`, "ok");
    tried();
  }
  expect(problemOf(turns)).toBeNull();
  tried();
  tried();
  expect(problemOf(turns)).toContain("the same thing 3 times");
});
