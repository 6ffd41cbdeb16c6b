import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { type CallContext, runCall } from "../../../agent/process/call.ts";
import { HostInbox } from "../../../agent/process/wire.ts";
import { Allowance } from "../../../agent/run/allowance.ts";
import { registry } from "../../../agent/tools/tool.ts";
import { AgentEvent, MAIN_CALL, PROCESS_PROTOCOL } from "../../../utils/task/process_protocol.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { CallTree } from "../child/call_tree.ts";
import { ModelProxy } from "../child/model_proxy.ts";
import { pricedModel } from "../testing/sign_model.ts";
import { modelLook, rulesLook } from "./looks.ts";
import { type Judgement, type Look, Overseer } from "./overseer.ts";

/** The real graph under the overseer, without the process between them. */
async function runWatched(reply: (sent: string, turn: number) => string, look: Look, { toolMs = 0 } = {}) {
  const inbox = new HostInbox();
  const overseer = new Overseer(look, { everyEvents: 2, everySeconds: 0.05, graceMs: 60_000 });
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
    run: async () => {
      await sleep(toolMs);
      return { status: "ok", output: "seen", durationMs: 0 };
    },
  };
  using allowance = new Allowance({ timeoutMs: 600_000 });
  const context: CallContext = {
    model: model.chat,
    inbox,
    tell: (event) => overseer.observe(AgentEvent.parse({ v: PROCESS_PROTOCOL, ...event })),
    allowance,
    maxIterations: 40,
    contextTokens: null,
  };
  const verify = async (answer: string) => ({
    accepted: true,
    result: answer,
    observation: { status: "", output: "", durationMs: 0 },
  });
  const tools = registry([look_at]);
  const result = await runCall({ id: MAIN_CALL, agent: "editor", task: "t", system: "s", tools, verify }, context);
  await overseer.stop();
  return { result, sent, notes: overseer.notes.map(({ kind, call }) => `${kind} ${call}`), overseer };
}

const look = (n: number) => `Thought: t\nAction: look\nAction Input: {"n": ${n}}`;
const slow = (reply: (turn: number) => string) => (_: string, turn: number) => reply(turn);

describe("with rules alone", () => {
  test("an editor in a circle gets a notice, and is cancelled when it goes on", async () => {
    const { result, sent, notes } = await runWatched(
      slow(() => look(1)),
      rulesLook(),
      { toolMs: 20 },
    );
    expect(result).toMatchObject({ stop: "aborted", answer: null });
    expect(notes.filter((note) => !note.startsWith("report"))).toEqual(["notice main", "cancel main"]);
    expect(sent.some((text) => /Notice: You did the same thing \d times/.test(text))).toBe(true);
  });

  test("an editor that heeds the notice goes on to its end", async () => {
    const heeding = (sent: string) => (/Notice: /.test(sent) ? "Final Answer: I change my approach." : look(1));
    const { result, notes } = await runWatched(heeding, rulesLook(), { toolMs: 20 });
    expect(result.stop).toBe("answered");
    expect(notes).toEqual(["notice main"]);
  });

  test("a try made again after each change, by an edit or a command, is no circle; without a change it is", async () => {
    const tree = new CallTree();
    const common = { v: PROCESS_PROTOCOL, call: MAIN_CALL } as const;
    tree.add({ ...common, type: "call_start", agent: "editor", task: "t" });
    const turn = (action: string, status: string, text = "") =>
      tree.add({ ...common, type: "step", iteration: 1, action, status, text, seconds: 1 });
    const tried = () => turn('try_task {"task":"T/1"}', "score 0 (failed)");
    const isLooping = async () => (await rulesLook()(tree, 0, new AbortController().signal)).looping;
    for (const name of ["a", "b", "c"]) {
      if (name === "b") turn(`run {"command":"sed ${name}"}`, "exit code 0", "(changed: agent/a.ts)");
      else turn(`edit {"path":"${name}"}`, "ok");
      tried();
    }
    expect(await isLooping()).toBe(false);
    tried();
    tried();
    expect(await isLooping()).toBe(true);
  });

  test("a slow but healthy one is left alone", DEEP, async () => {
    const healthy = slow((turn) => (turn < 12 ? look(turn) : "Final Answer: done at last"));
    const { result, notes } = await runWatched(healthy, rulesLook(), { toolMs: 80 });
    expect(result).toMatchObject({ stop: "answered", answer: "done at last" });
    expect(notes).toEqual([]);
  });
});

describe("with a model", () => {
  const judge = (judgement: Partial<Judgement>) =>
    modelLook(
      new ModelProxy(
        pricedModel(
          () => `I looked.\n\`\`\`json\n${JSON.stringify({ progressing: false, looping: true, ...judgement })}\n\`\`\``,
        ),
      ),
    );

  test("a cancel without an earlier notice is a notice first", async () => {
    const { result, notes } = await runWatched(slow(look), judge({ cancel: ["main"], report: "it is lost" }), {
      toolMs: 20,
    });
    expect(result.stop).toBe("aborted");
    const acts = notes.filter((note) => !note.startsWith("report"));
    expect(acts.slice(0, 2)).toEqual(["notice main", "cancel main"]);
  });

  test("it sees the call tree and the last turns", async () => {
    let seen = "";
    const priced = pricedModel((messages) => {
      const text = messages.at(-1)?.text ?? "";
      if (text.length > seen.length) seen = text;
      return '{"progressing": true, "looping": false}';
    });
    const healthy = slow((turn) => (turn < 6 ? look(turn) : "Final Answer: done"));
    const { notes } = await runWatched(healthy, modelLook(new ModelProxy(priced)), { toolMs: 20 });
    expect(notes).toEqual([]);
    expect(seen).toMatch(/main \(editor\), running, \d turns: t\n {2}turn 1: look \{"n":1\} → ok/);
  });

  test("one that answers nonsense is noted, and nothing else happens", async () => {
    const nonsense = modelLook(new ModelProxy(pricedModel(() => "All is well.")));
    const healthy = slow((turn) => (turn < 6 ? look(turn) : "Final Answer: done"));
    const { result, notes } = await runWatched(healthy, nonsense, { toolMs: 20 });
    expect(result.stop).toBe("answered");
    expect(new Set(notes)).toEqual(new Set(["report main"]));
  });
});
