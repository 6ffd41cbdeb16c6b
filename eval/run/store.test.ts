import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { manifestOf, scored } from "../testing/results.ts";
import { codeHash } from "./manifest.ts";
import { trajectoryFile } from "./results.ts";
import { readSession } from "./session.ts";
import { openRun } from "./store.ts";
import { summarize } from "./summary/summary.ts";

const manifest = manifestOf(["T/0#0", "T/1#0"], { code: codeHash() });
/** Another one for each test. */
let folder: string;
beforeEach(() => {
  folder = temporaryFolder().path;
});
const open = () => openRun(folder, "r", manifest);
function appendOne() {
  using run = open();
  run.append(scored(0, true));
}

test("what was appended is there when the run is opened again, and a torn last line is not", () => {
  appendOne();
  appendFileSync(join(folder, "r/results.jsonl"), '{"index": 1, "task_id"');
  {
    using run = open();
    expect(run.results).toEqual([scored(0, true)]);
    run.append(scored(1, true));
  }
  using run = open();
  expect(run.results).toEqual([scored(0, true), scored(1, true)]);
});

test("drafts of files that a killed process was replacing are gone when the run is opened again", () => {
  open()[Symbol.dispose]();
  for (const draft of ["r/session.json.4711.tmp", "r/trajectories/a.json.4711.tmp"])
    writeFileSync(join(folder, draft), '{"v":1,"seco');
  open()[Symbol.dispose]();
  const left = readdirSync(join(folder, "r"), { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("only what decides results must match: a later date or commit may resume", () => {
  open()[Symbol.dispose]();
  openRun(folder, "r", { ...manifest, git_commit: "abc", started_at: "later" })[Symbol.dispose]();
  const other = structuredClone(manifest);
  other.decides.model.parameters = { seed: 1 };
  other.decides.samples = ["T/0#0"];
  expect(() => openRun(folder, "r", other)).toThrow(/model\.parameters\.seed: none → 1\n {2}samples: 2 .* → 1 /);
  open()[Symbol.dispose]();
});

test("results without a manifest are not taken for those of whatever is run now", () => {
  appendOne();
  const text = readFileSync(join(folder, "r/manifest.json"), "utf8");
  rmSync(join(folder, "r/manifest.json"));
  expect(() => open()).toThrow("results.jsonl is there, but no manifest.json");
  writeFileSync(join(folder, "r/manifest.json"), text);
  using run = open();
  expect(run.results).toEqual([scored(0, true)]);
});

test("a manifest of another version is refused and kept", () => {
  open()[Symbol.dispose]();
  const file = join(folder, "r/manifest.json");
  writeFileSync(file, '{"v": 99}');
  expect(() => open()).toThrow("not a manifest of this version");
  expect(readFileSync(file, "utf8")).toBe('{"v": 99}');
});

test("a run that a living process writes is refused; one whose process is gone is taken over", () => {
  open()[Symbol.dispose]();
  const lock = join(folder, "r/lock");
  {
    using _run = open();
    expect(() => open()).toThrow(`is being written by process ${process.pid}`);
  }
  writeFileSync(lock, JSON.stringify({ pid: 1, started: "0", boot: "another" }));
  open()[Symbol.dispose]();
  expect(readdirSync(join(folder, "r"))).not.toContain("lock");
});

test.each(["", "../up", "a/b", ".hidden", "x".repeat(200)])("%j is no name of a run", (name) => {
  expect(() => openRun(folder, name, manifest)).toThrow("--run takes a name");
  expect(readdirSync(folder)).toEqual([]);
});

test("summary and trajectories are whole files with names that no task id can escape", () => {
  using run = open();
  run.writeSummary(summarize([scored(0, true)], 2));
  expect(JSON.parse(readFileSync(join(folder, "r/summary.json"), "utf8"))).toMatchObject({
    num: 1,
    complete: false,
  });
  expect(trajectoryFile({ task_id: "Python/0", attempt: 2 })).toBe("Python_0.2.json");
  expect(trajectoryFile({ task_id: "../../etc/passwd", attempt: 0 })).toBe(".._.._etc_passwd.0.json");
  const odd = [
    "x y",
    "x\ny",
    "x\u001b[2Jy",
    "\ud800",
    "",
    "__proto__",
    `d/${"n".repeat(5000)}`,
    `d/${"n".repeat(5001)}`,
  ];
  const files = odd.map((task_id) => trajectoryFile({ task_id, attempt: 0 }));
  expect(new Set(files).size).toBe(odd.length);
  for (const file of files) expect(file).toMatch(/^[\w.-]{1,150}$/);
});

test("a run counts its wall-clock time over all processes, and says why it stopped", () => {
  const line = { index: 0, task_id: "Python/0", attempt: 0, bug_type: "", error: { kind: "server", message: "503" } };
  const first = open();
  first.append(line);
  first.stopped("it was stopped from the keyboard");
  first[Symbol.dispose]();
  const before = readSession(first.folder);
  expect(before).toMatchObject({ stopped: "it was stopped from the keyboard" });
  const second = open();
  second.append(line);
  second[Symbol.dispose]();
  const after = readSession(first.folder);
  expect(after?.stopped).toBeNull();
  expect(after?.wall_seconds).toBeGreaterThan(before?.wall_seconds ?? Infinity);
  rmSync(join(first.folder, "session.json"));
  const unknown = open();
  unknown.append(line);
  unknown[Symbol.dispose]();
  expect(readSession(first.folder), "results without a time leave the time unknown").toBeNull();
});

test("tasks whose trajectories would overwrite each other are refused before anything runs", () => {
  const samples = ["T/0#0", "T_0#0"];
  const both = () => openRun(folder, "r", { ...manifest, decides: { ...manifest.decides, samples } });
  expect(both).toThrow("T/0#0 and T_0#0 would have one file");
  expect(readdirSync(folder)).toEqual([]);
});
