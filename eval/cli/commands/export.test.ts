import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Step } from "../../../agent/run/trajectory.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { ALSO_DEEP, DEEP, quarter } from "../../../utils/testing/repeats.ts";
import { openSamples } from "../../benchmark/samples/open.ts";
import { writeMadeUpRun } from "../../pages/testing/made_up_run.ts";
import { chatMessages, escapeXml, junit, messages, repliesTo, samples } from "../../run/export.ts";
import { loadRun } from "../../run/load_run.ts";
import { isScored, trajectoryFile } from "../../run/results.ts";

/** What a real XML parser makes of a text: element names and attributes. */
const parsed = (xml: string): { tag: string; attributes: Record<string, string> }[] =>
  JSON.parse(
    execFileSync(
      "python3",
      [
        "-c",
        'import json, sys, xml.etree.ElementTree as tree\nroot = tree.fromstring(sys.stdin.buffer.read())\nprint(json.dumps([{"tag": e.tag, "attributes": e.attrib} for e in root.iter()]))',
      ],
      { input: xml, encoding: "utf8" },
    ),
  );

/** Production 2 of XML 1.0. */
const isWritable = (char: string): boolean =>
  ["\t", "\n", "\r"].includes(char) || (char >= " " && !["\uD800", "\uFFFE"].includes(char));

const HOSTILE = `<b a="1">&amp;</b> ]]> \u0000\u001b[31m\u0008 \uD800 \uFFFE \u202e\u2028 'x'\n\ttab \u0085`;

/** A dataset whose tasks are all scored. */
const WHOLE = { dataset: { name: "made-up.jsonl", sha256: "0" } };

test("JUnit: a parser reads every sample, with counts that add up and hostile text as text", () => {
  using folder = temporaryFolder();
  const results = writeMadeUpRun(folder.path, { tasks: 8, finished: 6, errorEvery: 4 });
  const failed = {
    ...results.find((result) => isScored(result) && !result.passed),
    attempt: 0,
    passed: false,
    outcome: "failed",
    explanation: HOSTILE,
  };
  appendFileSync(join(folder.path, "results.jsonl"), `${JSON.stringify(failed)}\n`);
  const elements = parsed(junit(loadRun(folder.path)));
  const cases = elements.filter(({ tag }) => tag === "testcase");
  // Eight samples, and the task that is left out.
  expect(cases).toHaveLength(9);
  const count = (tag: string) => elements.filter((element) => element.tag === tag).length;
  const { attributes } = elements.find(({ tag }) => tag === "testsuite") ?? { attributes: {} };
  expect(attributes).toMatchObject({
    tests: "9",
    failures: String(count("failure")),
    errors: String(count("error")),
    skipped: "3",
  });
  expect(elements.flatMap(({ tag, attributes: { message } }) => (tag === "skipped" ? message : []))).toEqual([
    ...["did not run", "did not run", "left out: it cannot be scored"],
  ]);
  const properties = elements.filter(({ tag }) => tag === "property").map(({ attributes }) => attributes);
  expect(Object.fromEntries(properties.map(({ name, value }) => [name, value]))).toMatchObject({
    ...{ complete: "false", left_out: "1", few_shot_k: "3", max_iterations: "15" },
    ...{ "pass@1": expect.stringMatching(/^[01]/), "interval (95%)": expect.stringMatching(/^0\.\d+ [01]/) },
  });
  expect(count("failure")).toBeGreaterThan(0);
  expect(count("error")).toBeGreaterThan(0);
  const told = elements.find(({ tag, attributes }) => tag === "failure" && attributes.message?.startsWith("<b"));
  expect(told?.attributes.message).toBe([...HOSTILE].map((char) => (isWritable(char) ? char : "\uFFFD")).join(""));
});

test("JUnit: cases have one form of name, whether they ran or not", () => {
  const named = (attempts: number) => {
    using folder = temporaryFolder();
    writeMadeUpRun(folder.path, { tasks: 2, attempts, finished: attempts + 1, decides: WHOLE });
    const cases = parsed(junit(loadRun(folder.path))).filter(({ tag }) => tag === "testcase");
    return cases.slice(attempts).map(({ attributes }) => attributes.name);
  };
  expect(named(1)).toEqual(["Python/1"]);
  expect(named(2)).toEqual(["Python/1#0", "Python/1#1"]);
});

test("every character can be written, and a parser reads it back or its replacement", () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join("");
  const [element] = parsed(`<a t="${escapeXml(all)}"/>`);
  const kept = [...all].map((char) => (isWritable(char) ? char : "\uFFFD")).join("");
  expect(element?.attributes.t).toBe(kept);
});

test("messages: only accepted trajectories that passed the hidden tests, unless all are asked for", () => {
  using folder = temporaryFolder();
  writeMadeUpRun(folder.path, { tasks: 20, errorEvery: 5 });
  const loaded = loadRun(folder.path);
  const good = loaded.results.filter(
    (result) => isScored(result) && result.passed && result.verified && result.stop === "answered",
  );
  const { lines, notTaken } = messages(loaded, { all: false });
  const taken = lines.map(
    (line): { messages: { role: string; content: string }[]; metadata: Record<string, unknown> } => JSON.parse(line),
  );
  expect(taken.map(({ metadata }) => metadata.task_id)).toEqual(good.map(({ task_id }) => task_id));
  expect(good.length).toBeGreaterThan(3);
  for (const { messages, metadata } of taken) {
    expect(messages[0]?.role).toBe("system");
    expect(
      messages.every(({ role, content }) => ["system", "user", "assistant"].includes(role) && content.length > 0),
    ).toBe(true);
    expect(metadata.passed).toBe(true);
  }
  const replies = taken.flatMap(({ messages }) => messages.filter((message) => "reasoning_content" in message));
  expect(replies).toHaveLength(taken.length);
  for (const reply of replies)
    expect(reply).toMatchObject({
      role: "assistant",
      content: expect.stringContaining("Final Answer:"),
      reasoning_content: expect.stringMatching(/^Wait: /),
    });
  expect(taken.every(({ metadata }) => String(metadata.finish_reasons).endsWith("stop"))).toBe(true);
  expect(Object.values(notTaken).reduce((sum, count) => sum + count, 0)).toBe(20 - good.length);
  expect(messages(loaded, { all: true }).lines.length).toBeGreaterThan(lines.length);
});

test("samples: mend score reads every answer again, and one that is lost is named", async () => {
  using folder = temporaryFolder();
  writeMadeUpRun(folder.path, { tasks: 6, errorEvery: 3 });
  const loaded = loadRun(folder.path);
  const file = join(folder.path, "samples.jsonl");
  const exported = samples(loaded);
  writeFileSync(file, exported.map((sample) => JSON.stringify(sample)).join("\n"));
  const read = await openSamples(file);
  const scored = loaded.results.filter(isScored);
  expect(read.samples).toEqual(
    scored.map(({ task_id: id, attempt }, i) => ({
      ...{ place: `line ${i + 1}`, task: { id }, attempt },
      answer: { kind: "program", text: expect.stringContaining("def ") },
    })),
  );
  const [first] = scored;
  if (first) rmSync(join(folder.path, "trajectories", trajectoryFile(first)));
  expect(() => samples(loaded)).toThrow(`The answer to ${first?.task_id} is not there to export: No trajectory`);
});

test("replies are found among the messages: two actions of one share it, the task's own action comes before", () => {
  const reply = { kind: "act", tool: "view", input: {}, thought: "" } as const;
  const rest = { usage: null, seconds: 0, observation: { status: "ok", output: "", durationMs: 0 } };
  const steps = [0, 1, 1, 2].map((iteration): Step => ({ iteration, reply, ...rest }));
  const roles = ["system", "user", "assistant", "user", "assistant", "user", "assistant"];
  const messages = roles.map((role) => ({ role, content: "" }));
  expect(repliesTo({ steps, messages, stop: "answered" })).toEqual([2, 4, 4, 6]);
});

test("messages of a native run have calls and results, as chat models are sent them", () => {
  const step = (iteration: number, reply: Step["reply"]): Step => ({
    ...{ iteration, reply, usage: null, seconds: 0 },
    observation: { status: "ok", output: "", durationMs: 0 },
  });
  const view = (path: string, thought: string) => ({ kind: "act", tool: "view", input: { path }, thought }) as const;
  const said = (role: string, content: string) => ({ role, content });
  const exported = chatMessages({
    stop: "answered",
    steps: [
      step(1, view("a", "Look.")),
      step(1, view("b", "")),
      step(2, { kind: "answer", text: "Done.", thought: "" }),
    ],
    messages: [
      said("system", "s"),
      said("user", "u"),
      said("assistant", "Thought: Look.\nAction: view\n…"),
      said("tool", "text of a"),
      said("tool", "text of b"),
      said("assistant", "Done."),
    ],
  });
  const call = (id: string, path: string) => ({
    ...{ id, type: "function" },
    function: { name: "view", arguments: JSON.stringify({ path }) },
  });
  expect(exported.slice(2)).toEqual([
    { role: "assistant", content: "Look.", tool_calls: [call("call_2_0", "a"), call("call_2_1", "b")] },
    { role: "tool", content: "text of a", tool_call_id: "call_2_0" },
    { role: "tool", content: "text of b", tool_call_id: "call_2_1" },
    said("assistant", "Done."),
  ]);
});

test("the command: stdout is only the export, --out a file, mistakes are sentences", DEEP, async () => {
  using folder = temporaryFolder();
  writeMadeUpRun(folder.path, { tasks: 3 });
  const good = await run("mend export", [".", "--format", "messages", "--all"], folder.path);
  expect(good.exitCode).toBe(0);
  expect(good.lines).toHaveLength(3);
  expect(good.stderr).toBe("3 samples\n");
  const file = await run("mend export", [".", "--format", "junit", "--out", "out.xml"], folder.path);
  expect(file.stdout).toBe("");
  expect(parsed(readFileSync(join(folder.path, "out.xml"), "utf8"))[0]?.tag).toBe("testsuites");
  writeMadeUpRun(folder.path, { tasks: 9 });
  const some = await run("mend export", [".", "--format", "messages"], folder.path);
  expect(some.stderr).toMatch(/ did not pass the hidden tests.* · --all writes every sample$/m);
  writeFileSync(join(folder.path, "x"), "");
  writeMadeUpRun(folder.path, { tasks: 9, errorEvery: 3 });
  const answered = await run("mend export", [".", "--format", "samples"], folder.path);
  expect(answered.stderr).toBe("6 samples · 3 of 9 without a score are not written\n");
  const bad = await run("mend export", ["nowhere"], folder.path);
  expect([bad.exitCode, bad.stderr]).toEqual([2, expect.stringContaining("error: There is no run at nowhere")]);
});

test.each([
  ["mend export", ["--format", "junit"]],
  ["mend report", []],
])("%s is not written over what the run is read from, by whatever name", ALSO_DEEP, async (command, options) => {
  using folder = temporaryFolder();
  const runFolder = join(folder.path, "runs/r");
  mkdirSync(runFolder, { recursive: true });
  writeMadeUpRun(runFolder, { tasks: 2, finished: 2 });
  const [trajectory = ""] = readdirSync(join(runFolder, "trajectories"));
  symlinkSync("r", join(folder.path, "runs/link"));
  for (const file of quarter(["link/manifest.json", "r/results.jsonl", `r/trajectories/${trajectory}`])) {
    const before = readFileSync(join(folder.path, "runs", file), "utf8");
    const { exitCode, stderr } = await run(command, ["r", ...options, "--out", `runs/${file}`], folder.path);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error: .* would lose it/)]);
    expect(readFileSync(join(folder.path, "runs", file), "utf8")).toBe(before);
  }
});
