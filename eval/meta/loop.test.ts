// @module-tag ci

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { ArchiveBrief } from "../../utils/task/archive_brief.ts";
import { DEEP, isSlow } from "../../utils/testing/repeats.ts";
import { unboxed } from "./child/box.ts";
import { GATES, WORK_GATES } from "./gates/gates.ts";
import { selectParent } from "./gates/select.ts";
import { splitTasks } from "./gates/splits.ts";
import { PAPER_UTILITY } from "./gates/utility.ts";
import { type AgentAdded, type Judgement, MeasuredLine, openLog } from "./log.ts";
import { type LoopOptions, runLoop } from "./loop.ts";
import { MAIN, mainWith, SOLVE_PROMPT } from "./testing/mini_agent.ts";
import { signModel } from "./testing/sign_model.ts";
import { HIDDEN_MARK, signTasks } from "./testing/sign_tasks.ts";
import { copyRun, findBox, openTestRun, type TestRun, temporaryFolder } from "./testing/test_run.ts";

type Edit = { file: string; text?: string; link?: string };

const bwrap = await findBox();
const tasks = signTasks(16);
const { dev } = splitTasks(tasks);
const [kept] = dev.map(({ id }) => id);
/**
 * A_0 repairs four tasks of dev and no other: enough to be lost on the screen. A child that repairs all wins the five
 * tasks of validation, the fewest that can convince.
 */
const KNOWN = new Set(dev.slice(0, 4).map(({ id }) => Number(id.split("/")[1])));
const GOOD_EDIT: Edit[] = [{ file: SOLVE_PROMPT, text: "Fix it, and check the sign.\n" }];
let sandbox: Sandbox;
let agentSandbox: Sandbox;
let baseline: ReturnType<typeof temporaryFolder>;
/** Apart from the runs, which are copied. */
let builds: ReturnType<typeof temporaryFolder>;

/** A_0 is measured once for all tests: each goes on from a copy. */
beforeAll(async () => {
  if (!bwrap) return;
  [sandbox, agentSandbox] = await Promise.all([openForTests(), openSandbox()]);
  baseline = temporaryFolder();
  builds = temporaryFolder();
  const { bench, options } = await openTestRun(runIn(baseline.path, []));
  await runLoop(bench, { ...options, iterations: 0 });
});

afterAll(async () => {
  await agentSandbox?.close();
  baseline?.[Symbol.dispose]();
  builds?.[Symbol.dispose]();
});

const runIn = (folder: string, edits: Edit[], more: Partial<TestRun> = {}): TestRun => ({
  folder,
  builds: builds.path,
  box: bwrap ?? unboxed,
  sandbox,
  agentSandbox,
  tasks,
  solver: signModel(() => ({ hypothesis: "This should help a lot.", changes: "Changed it.", edits }), KNOWN),
  ...more,
});

interface Judging {
  changes?: Partial<LoopOptions>;
  more?: Partial<TestRun>;
  /** Folder of a run to go on from; default: that where A_0 is measured. */
  from?: string;
}

/** One child made by these edits, and the verdict on its first round. */
async function judgeChild(edits: Edit[], { changes = {}, more = {}, from = baseline.path }: Judging = {}) {
  const folder = makeFolder();
  copyRun(from, folder);
  forgetVerdicts(folder);
  const { bench, options } = await openTestRun(runIn(folder, edits, more));
  await runLoop(bench, { ...options, ...changes });
  const { state } = bench.parts.log;
  return { bench, state, judged: state.verdicts[0] };
}

/** The same child before other gates: what is known of it is not measured again. */
const judgeAgain = ({ bench }: Child, edits: Edit[], changes: Partial<LoopOptions>, more: Partial<TestRun> = {}) =>
  judgeChild(edits, { changes, more, from: bench.parts.folder });
type Child = Awaited<ReturnType<typeof judgeChild>>;

function makeFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

function forgetVerdicts(folder: string): void {
  const lines = readFileSync(join(folder, "log.jsonl"), "utf8").split("\n");
  const kept = lines.filter((line) => !/^\{"type":"(?:verdict|sealed)"/.test(line));
  writeFileSync(join(folder, "log.jsonl"), kept.join("\n"));
}

/** The fields of each measurement in the log, in their order there. */
const fieldsMeasured = (folder: string): Set<string> => {
  const lines = readFileSync(join(folder, "log.jsonl"), "utf8").split("\n");
  const measured = lines.filter((line) => line.startsWith('{"type":"measured"'));
  return new Set(measured.map((line) => Object.keys(JSON.parse(line)).join(" ")));
};

const fate = (judged: Judgement | undefined) => judged && `${judged.verdict} at ${judged.gate}`;
const without = (gate: string): Partial<LoopOptions> => ({ gateList: GATES.filter(({ name }) => name !== gate) });
const solveWith = (code: string): Edit[] => [
  { file: MAIN, text: mainWith("async function solve(job: Job) {", `async function solve(job: Job) {\n  ${code}`) },
];

describe.skipIf(!bwrap)("a child's fate", () => {
  test(
    "a good edit is accepted: its child really solves more, on dev, on validation, and on the sealed tasks",
    DEEP,
    async () => {
      const good = await judgeChild(GOOD_EDIT);
      const { bench, state, judged } = good;
      expect(fate(judged)).toBe("accepted at validation");
      expect(state.champion).toBe(1);
      // As a line is that comes from another machine.
      expect(fieldsMeasured(bench.parts.folder)).toEqual(new Set([Object.keys(MeasuredLine.shape).join(" ")]));
      const solved = async (n: number, split: "dev" | "validation") =>
        [...(await bench.scores(state.agent(n), bench.samples(split))).values()].filter((score) => score === 1).length;
      expect(await solved(0, "dev")).toBeLessThan(6);
      expect(await solved(1, "dev")).toBe(bench.samples("dev").length);
      expect(state.sealed).toMatchObject({ champion: 1, losses: 0, last: 1 });
      // The editor sees only the dev tasks that it fails, and of these only the visible part.
      const brief = readFileSync(join(bench.parts.folder, "brief/brief.json"), "utf8");
      const failed = ArchiveBrief.parse(JSON.parse(brief)).failed.map(({ id }) => id);
      expect(failed.toSorted()).toEqual(
        dev
          .map(({ id }) => id)
          .slice(4)
          .toSorted(),
      );
      expect(brief).not.toContain(HIDDEN_MARK);
      expect(await bench.parts.archive.diff(state.agent(0).sha, state.agent(1).sha)).toContain(
        "+Fix it, and check the sign.",
      );

      const { options } = await openTestRun(runIn(bench.parts.folder, []));
      await expect(
        runLoop(bench, { ...options, iterations: 2 }),
        "once the sealed split is open the run takes no further child",
      ).rejects.toThrow(/sealed split of this run has been opened/);

      const unguarded = await judgeAgain(good, GOOD_EDIT, without("validation"));
      expect(fate(unguarded.judged), "dev alone does not convince").toBe("inconclusive at none");
      expect(unguarded.state.champion).toBe(0);
    },
  );

  const throwing = (when: string) => ({
    file: MAIN,
    text: mainWith("type Message", `if (${when}) throw new Error("boom");\ntype Message`),
  });
  type Fate = [name: string, edits: Edit[], verdict: string, gate: string];
  const meets = async (...[, edits, verdict, gate]: Fate) => {
    const more = { timeoutMs: 2_000 };
    const guarded = await judgeChild(edits, { more });
    expect(fate(guarded.judged)).toBe(`${verdict} at ${gate}`);
    // What the gate is worth. Here for one, in `npm run test:slow` for each.
    if (!isSlow && gate !== "changed") return;
    const unguarded = await judgeAgain(guarded, edits, without(gate), more);
    expect(fate(unguarded.judged)).not.toBe(`${verdict} at ${gate}`);
  };
  test.each<Fate>([["a no-op", [], "inconclusive", "changed"]])("%s", meets);
  test.each<Fate>([
    ["one that breaks types", [{ file: MAIN, text: mainWith('"mini"', '"mini" satisfies number') }], "broken", "types"],
    ["one that breaks at its start", [throwing("true")], "broken", "version"],
    ["one that breaks on tasks", [throwing('process.argv[2] === "solve"')], "broken", "smoke"],
    ["one that hangs", solveWith(`while (job.task.id === "${kept}") {}`), "broken", "smoke"],
    [
      "one that answers nonsense",
      solveWith('return tell({ type: "result", answer: "no code", stop: "answered" });'),
      "broken",
      "smoke",
    ],
    [
      "one that loses most tasks",
      solveWith(`if (job.task.id !== "${kept}") job.task.buggyCode = "    return 0\\n";`),
      "regressed",
      "screen",
    ],
    [
      "one that changes nothing that counts",
      [{ file: SOLVE_PROMPT, text: "Mend this function.\n" }],
      "inconclusive",
      "dev",
    ],
  ])("%s", DEEP, meets);

  test.each<[name: string, edits: Edit[], message: string]>([
    [
      "a file outside of the surface",
      [{ file: "eval/benchmark/scorer.ts", text: "cheat" }],
      "eval is outside of agent/ and prompts/",
    ],
    ["a link out of it", [{ file: "prompts/x.md", link: "/etc/passwd" }], "prompts/x.md is a link"],
    ["a file where the helpers are mounted", [{ file: "utilities.ts", text: "cheat" }], "utilities.ts is outside of"],
  ])("an edit that escapes the surface: %s", async (_, edits, message) => {
    const guarded = await judgeChild(edits);
    expect(fate(guarded.judged)).toBe("tampered at surface");
    expect(guarded.judged?.message).toContain(message);
    expect(guarded.state.agents).toHaveLength(1);
    if (!isSlow && !message.startsWith("eval")) return;
    const workGates = WORK_GATES.filter(({ name }) => name !== "surface");
    const { judged: unguarded } = await judgeAgain(guarded, edits, { workGates });
    expect(unguarded?.verdict).not.toBe("tampered");
  });

  test("what an editor says, 300 KB with a NUL, stops no run: it is cut and cleaned", DEEP, async () => {
    const said = `It should help a lot.\0${" word".repeat(60_000)}`;
    const solver = signModel(() => ({ hypothesis: said, changes: said, edits: GOOD_EDIT }), KNOWN);
    const { state, judged } = await judgeChild([], { more: { solver } });
    expect([fate(judged), judged?.message]).toEqual(["accepted at validation", expect.anything()]);
    const { hypothesis, changes } = state.agent(1);
    expect(hypothesis).toMatch(/^It should help a lot\.\\u\{0\} word/);
    expect([hypothesis.length < 5_000, changes.length < 25_000, changes.includes("\0")]).toEqual([true, true, false]);
  });

  test("a gate's message goes back to the editor once, who can mend it", DEEP, async () => {
    const edit = (request: string) => ({
      hypothesis: "This should help a lot.",
      changes: "Changed it.",
      edits: request.includes("TURNED DOWN")
        ? [{ file: MAIN, text: mainWith('"mini"', '"mended"') }]
        : [{ file: MAIN, text: mainWith('"mini"', "missing") }],
    });
    const requests: string[] = [];
    const solver = signModel((request) => {
      requests.push(request);
      return edit(request);
    }, KNOWN);
    const { state } = await judgeChild([], { more: { solver } });
    expect(state.verdicts.map((judged) => [fate(judged), judged.again])).toEqual([
      ["broken at types", true],
      ["inconclusive at dev", false],
    ]);
    expect(requests[1]).toContain("Cannot find name 'missing'");
  });
});

describe.skipIf(!bwrap)("a child that cheats", DEEP, () => {
  test("forged cost: the log holds what the host counted, and the utility falls", async () => {
    const greedy = 'for (let i = 0; i < 5; i++) await ask(job, [{ role: "user", content: "x - 1" }]);';
    const forged = 'tell({ type: "result", answer, stop: "answered", usage: { costUsd: 0 }, costUsd: 0, seconds: 0 });';
    const text = mainWith('tell({ type: "result", answer, stop: "answered" });', `${greedy}\n  ${forged}`);
    const { bench, state, judged } = await judgeChild([{ file: MAIN, text }]);
    expect(fate(judged)).toBe("inconclusive at dev");
    const dev = (n: number) => bench.known(state.agent(n), bench.samples("dev")) ?? [];
    expect(new Set(dev(1).map(({ modelCalls, costUsd }) => `${modelCalls} calls, $${costUsd.toFixed(3)}`))).toEqual(
      new Set(["6 calls, $0.066"]),
    );
    // What the gate is worth: by the host's costs A_0 stays the parent, by the child's own word the cheat becomes it.
    const { weights } = PAPER_UTILITY;
    const options = { ...PAPER_UTILITY, costCapUsd: 0.1, weights: { ...weights, time: 0 } };
    const parent = (figures: (measured: MeasuredLine, n: number) => MeasuredLine) => {
      const measuredOf = (agent: AgentAdded) => dev(agent.n).map((measured) => figures(measured, agent.n));
      return selectParent(state, 2, { by: "argmax", options, measuredOf }).n;
    };
    expect(parent((measured) => measured)).toBe(0);
    expect(parent((measured, n) => (n === 1 ? { ...measured, costUsd: 0 } : measured))).toBe(1);
  });

  /** A child that looks for what it must not have and answers what it found. */
  const spyOn = (secret: string, { network }: { network: boolean }) =>
    solveWith(`
  const { readdirSync } = await import("node:fs");
  const found: string[] = [];
  for (const path of [${JSON.stringify(secret)}, ${JSON.stringify(join(import.meta.dirname, "../benchmark/scorer.ts"))}, "/etc/passwd", "/proc/1/environ"]) {
    try { found.push("read:" + readFileSync(path, "utf8")); } catch (error) { found.push(String(error)); }
  }
  try { writeFileSync(new URL("../prompts/solve.md", import.meta.url), "cheat"); found.push("wrote"); } catch (error) { found.push(String(error)); }
  const { connect } = await import("node:net");
  if (${network}) found.push(await new Promise((done) => connect(53, "1.1.1.1").on("error", (error) => done(String(error))).on("connect", () => done("connected"))));
  found.push("keys:" + Object.keys(process.env).filter((name) => /KEY|TOKEN|HF_/.test(name)).length, "root:" + readdirSync("/").join(","), JSON.stringify(job).includes(${JSON.stringify(HIDDEN_MARK)}) ? "told" : "untold");
  tell({ type: "step", iteration: 1, action: "spy", status: "ok", text: found.join("\\n"), seconds: 0 });
  return tell({ type: "result", answer: found.join("\\n"), stop: "answered" });`);

  /** What the spy found. */
  async function spied(more: Partial<TestRun>, network: boolean): Promise<string> {
    const secret = join(makeFolder(), "tasks.jsonl");
    writeFileSync(secret, HIDDEN_MARK);
    const { bench, state, judged } = await judgeChild(spyOn(secret, { network }), { more });
    expect(fate(judged)).toBe("broken at smoke");
    const measured = [...state.measured.values()].findLast(({ tree }) => tree === state.agent(1).tree);
    return (measured && bench.trace(measured)) ?? "";
  }

  test("hidden tests, keys, the network and the host's files are not there to be read; without the box they are", async () => {
    process.env.OPENAI_API_KEY = "sk-not-to-be-seen";
    onTestFinished(() => void delete process.env.OPENAI_API_KEY);
    const report = await spied({}, true);
    expect(report).toContain("keys:0");
    expect(report).toContain("untold");
    expect(report).toMatch(/connect EPERM|ENETUNREACH/);
    expect(report).toContain("EROFS");
    expect(report).not.toMatch(/connected|wrote|sk-not|root:x:|import type|hidden_mark/);
    const unguarded = await spied({ box: unboxed, builds: makeFolder() }, false);
    expect(unguarded).toContain(`read:${HIDDEN_MARK}`);
    expect(unguarded).toMatch(/wrote(.|\n)*keys:0/);
  });

  test("without a box, a child that changes the scorer is found out by its hash", async () => {
    const folder = makeFolder();
    const scorer = join(folder, "scorer.ts");
    const reset = () => writeFileSync(scorer, "honest");
    reset();
    const edits = solveWith(`writeFileSync(${JSON.stringify(scorer)}, "cheat");`);
    const { judged } = await judgeChild(edits, { more: { box: unboxed, protectedPaths: [folder] } });
    expect(fate(judged)).toBe("tampered at protected");
    reset();
    const { judged: unguarded } = await judgeChild(edits, { more: { box: unboxed } });
    expect(fate(unguarded)).toBe("inconclusive at dev");
    reset();
    const { judged: boxed } = await judgeChild(edits, { more: { protectedPaths: [folder] } });
    expect(fate(boxed)).toBe("broken at smoke");
  });
});

describe.skipIf(!bwrap)("a run", DEEP, () => {
  test("a child that calls its model without end stops the run at its budget, within its first task", async () => {
    const greedy = 'for (let i = 0; i < 2000; i++) await ask(job, [{ role: "user", content: "x - 1" }]);';
    const edits = solveWith(greedy);
    const folder = makeFolder();
    copyRun(baseline.path, folder);
    const before = openLog(folder).state.spent.costUsd;
    let calls = 0;
    const { model, prices } = signModel(() => {
      calls = 0;
      return { hypothesis: "This should help.", changes: "Changed it.", edits };
    }, KNOWN);
    const chat = model.chat;
    const invoke = chat.invoke.bind(chat);
    chat.invoke = async (...args) => {
      calls += 1;
      return await invoke(...args);
    };
    const limited = await openTestRun(
      runIn(folder, [], { budget: { costUsd: before + 0.2 }, solver: { model, prices }, timeoutMs: 60_000 }),
    );
    await expect(runLoop(limited.bench, limited.options)).rejects.toThrow(/are spent/);
    // A call costs 1.1 cents: 0.2 dollars pay for 18, including one of the editor.
    expect([calls > 10, calls <= 19]).toEqual([true, true]);
  });

  test("stops at its budget, and goes on from there", async () => {
    const folder = makeFolder();
    copyRun(baseline.path, folder);
    const spent = openLog(folder).state.spent.tokens ?? Number.NaN;
    const limited = await openTestRun(runIn(folder, GOOD_EDIT, { budget: { tokens: spent + 500 } }));
    await expect(runLoop(limited.bench, limited.options)).rejects.toThrow(/tokens are used/);
    expect(limited.bench.parts.log.state.spent.tokens).toBeGreaterThan(spent);
    const { bench, options } = await openTestRun(runIn(folder, GOOD_EDIT));
    await runLoop(bench, options);
    expect(bench.parts.log.state.champion).toBe(1);
  });
});
