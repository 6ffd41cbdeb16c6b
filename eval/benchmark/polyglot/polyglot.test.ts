import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { renderPatch } from "../../../fix/project/patch.ts";
import { cargoReport } from "../../../utils/frameworks/reports/cargo.ts";
import { goReport } from "../../../utils/frameworks/reports/go.ts";
import { junitReport } from "../../../utils/frameworks/reports/junit.ts";
import { toolchain as goToolchain } from "../../../utils/languages/go/toolchain.ts";
import { toolchain as rustToolchain } from "../../../utils/languages/rust/toolchain.ts";
import { type CommandBox, openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { hasPytest } from "../../../utils/testing/needs.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { sharedData } from "../../../utils/testing/shared_data.ts";
import { TWICE, writeFiles } from "../../testing/benchmark_sets.ts";
import { findBenchmark } from "../find.ts";
import { exercisesIn, readExercise, withCrates } from "./exercise.ts";
import { filledIn, instructionOf } from "./folder.ts";
import { openPolyglot } from "./open.ts";

const quiet = { log: () => {} };
const { signal } = new AbortController();

function writeExercise(root: string, track: string, name: string, files: Record<string, string>): string {
  const folder = join(root, track, "exercises/practice", name);
  writeFiles(folder, files);
  return folder;
}

let box: CommandBox;
beforeAll(async () => {
  box = await openCommandBox();
});

test("an exercise is its instructions, what is given, its tests and where the reference solution belongs", async () => {
  using folder = temporaryFolder();
  writeExercise(folder.path, "python", "twice", TWICE);
  writeExercise(folder.path, "python", "none", { ".meta/config.json": "{}" });
  writeExercise(folder.path, "cobol", "twice", TWICE);
  expect((await findBenchmark(folder.path, quiet)).benchmark.name).toBe("polyglot");
  const lines: string[] = [];
  using benchmark = await openPolyglot(folder.path, { box, prepare: false, log: (line) => lines.push(line) });
  expect(benchmark.tasks.map(({ id, kind }) => [id, kind])).toEqual([["polyglot/python/twice", "python"]]);
  expect(lines.join("\n")).toMatch(/cobol\/twice: cobol is not a track that mend runs/);
  expect(lines.join("\n")).toMatch(/python\/none: its \.meta\/config\.json is missing, or does not name/);
  const [task] = benchmark.tasks;
  expect(task?.reference("empty")).toBe("");
  expect(task?.reference("gold")).toContain("+    return n + n");
  expect(benchmark.shown).toBe("instructions and stub, and after a try what its tests say, 2 tries");
});

test("a shown folder holds no test, and of what is left there tests and what loads them do not count", async () => {
  using folder = temporaryFolder();
  const read = readExercise(writeExercise(folder.path, "python", "twice", TWICE), "python");
  if (typeof read === "string") throw new Error(read);
  expect(read).toMatchObject({ given: { "twice.py": TWICE["twice.py"] }, solution: ["twice.py"] });
  expect(Object.keys(read.tests)).toEqual(["twice_test.py"]);
  const told = instructionOf(read, false);
  expect(told).toContain("Give a number twice.");
  expect(told).toContain("def twice(n):");
  expect(told).not.toContain("assertEqual");
  using left = temporaryFolder();
  const written = {
    ...{ "twice.py": "x", "helper.py": "y", "twice_test.py": "z", "conftest.py": "z", "notes.txt": "z" },
    ...{ "pytest.py": "z", "tests/more.py": "z", "test_more.py": "z", ".hidden.py": "z" },
  };
  writeFiles(left.path, written);
  expect(filledIn(read, left.path)).toEqual({ "twice.py": "x", "helper.py": "y" });
});

test("of a Rust manifest the crates count, and nothing that decides what is tested", () => {
  const manifest = '[package]\nname = "a"\n\n[dependencies]\nrand = "0.8"\n\n[features]\nx = []\n';
  const other =
    '[package]\nautotests = false\n\n[dependencies]\nitertools = "0.5"\nmine = { path = "../mine" }\n\n[[test]]\npath = "b.rs"\n';
  expect(withCrates(manifest, other)).toBe(
    '[package]\nname = "a"\n\n[features]\nx = []\n\n[dependencies]\nrand = "*"\nitertools = "*"\n',
  );
  expect(withCrates("[package]\n", "[package]\nautotests = false\n")).toBe("[package]\n");
});

/** Replies of a model that fails first, learns why, and then is right. */
const TWO_TRIES = [
  {
    turn: 1,
    seen: "Give a number twice",
    reply:
      'Thought: by itself.\nAction: replace_text\nAction Input: {"file": "twice.py", "old": "    pass", "new": "    return n * n"}',
  },
  { turn: 2, reply: "Thought: done.\nFinal Answer: it multiplies." },
  {
    turn: 3,
    when: "/test_of_one[\\s\\S]*1 != 2/",
    reply: 'Thought: I add.\nAction: replace_text\nAction Input: {"file": "twice.py", "old": "n * n", "new": "n + n"}',
  },
  { turn: 4, reply: "Thought: done.\nFinal Answer: it adds." },
];

test("two tries: the first failure is shown to the model, and both rates are counted as aider does", DEEP, async () => {
  using folder = temporaryFolder();
  writeExercise(join(folder.path, "set"), "python", "twice", TWICE);
  writeFileSync(join(folder.path, "script.json"), JSON.stringify(TWO_TRIES));
  const evaluate = (...more: string[]) =>
    run("eval/pass1.ts", ["--dataset", "set", "--model", "script:script.json", ...more], folder.path);
  const done = await evaluate("--run", "two");
  expect(done.lines.at(-1), done.stderr).toMatchObject({
    ...{ num: 1, successes: 1, complete: true, parts: { pass_rate_1: 0, pass_rate_2: 1 }, well_formed: 1 },
  });
  const [result] = readFileSync(join(folder.path, "runs/two/results.jsonl"), "utf8").trim().split("\n");
  expect(JSON.parse(result ?? "")).toMatchObject({ stop: "answered", verified: true, iterations: 4 });
  const once = await evaluate("--tries", "1", "--run", "one");
  expect(once.lines.at(-1), once.stderr).toMatchObject({ num: 1, successes: 0, parts: { pass_rate_1: 0 } });
  expect(readFileSync(join(folder.path, "runs/one/results.jsonl"), "utf8")).toContain('"stop":"tries"');
  const refused = await run("eval/pass1.ts", ["--dataset", "builtin", "--tries", "2", "--gold"], folder.path);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--tries is for exercises") });
  const searched = await run("eval/pass1.ts", ["--dataset", "set", "--model", "search"], folder.path);
  expect(searched).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("these tasks are files to fill in") });
});

test("a solution that ends its process before the tests, or brings a conftest, passes nothing", DEEP, async () => {
  using folder = temporaryFolder();
  writeExercise(folder.path, "python", "twice", TWICE);
  using benchmark = await openPolyglot(folder.path, { box, prepare: false, ...quiet });
  const [task] = benchmark.tasks;
  if (!task) throw new Error("one exercise");
  const scored = async (files: Record<string, string>) => {
    const changes = Object.entries(files).map(([file, after]) => ({
      file,
      before: file === "twice.py" ? TWICE[file] : null,
      after,
    }));
    return await task.score(renderPatch(changes), await never(), signal);
  };
  const exits = await scored({ "twice.py": "import os\nos._exit(0)\n" });
  expect(exits).toMatchObject({ score: { passed: false } });
  const hooks = await scored({
    "twice.py": "def twice(n):\n    return 0\n",
    "conftest.py": "def pytest_runtest_setup(item):\n    item.obj = lambda *a: None\n",
  });
  expect(hooks).toMatchObject({ score: { passed: false, explanation: expect.stringContaining("test_of_one") } });
});

/** Of a sandbox, which exercises do not use. */
const never = async () => (await import("../../../utils/sandbox/sandbox.ts")).openSandbox();

describe("what the runners of tracks print", () => {
  test("JUnit's XML, one document after the other", () => {
    const xml = `<?xml version="1.0"?><testsuite><testcase name="a &lt; b" classname='x>"y"' time="0"/>
      <testcase name="b()"><failure message="2 != 3" type="T"><![CDATA[at line 7]]></failure></testcase></testsuite>
      <testsuite><testcase name="c"><skipped/></testcase><testcase name="d"><error message="no"/></testcase></testsuite>`;
    expect(junitReport(xml).tests).toEqual([
      { name: "a < b", status: "passed", message: "" },
      { name: "b", status: "failed", message: "2 != 3\nat line 7" },
      { name: "c", status: "skipped", message: "" },
      { name: "d", status: "error", message: "no" },
    ]);
    expect(junitReport("")).toEqual({ tests: [], fatal: "no tests were found" });
  });

  test("go test -json: the parts of a test, and one that did not end", () => {
    const lines = [
      { Action: "run", Test: "TestA" },
      { Action: "run", Test: "TestA/one" },
      { Action: "output", Test: "TestA/one", Output: "    a_test.go:7: got 1\n" },
      { Action: "output", Test: "TestA/one", Output: "    --- FAIL: TestA/one (0.00s)\n" },
      { Action: "fail", Test: "TestA/one" },
      { Action: "fail", Test: "TestA" },
      { Action: "pass", Test: "TestB" },
      { Action: "run", Test: "TestC" },
    ].map((line) => JSON.stringify(line));
    expect(goReport(lines.join("\n")).tests).toEqual([
      { name: "TestA/one", status: "failed", message: "a_test.go:7: got 1" },
      { name: "TestB", status: "passed", message: "" },
      { name: "TestC", status: "error", message: "" },
    ]);
  });

  test("cargo test", () => {
    const text = [
      ...["running 3 tests", "test one ... ok", "test two - should panic ... FAILED", "test three ... ignored", ""],
      ...["failures:", "", "---- two stdout ----", "thread 'two' panicked at 'left: 1'", ""],
      ...["failures:", "    two", "", "test result: FAILED. 1 passed"],
    ].join("\n");
    expect(cargoReport(text).tests).toEqual([
      { name: "one", status: "passed", message: "" },
      { name: "two", status: "failed", message: "thread 'two' panicked at 'left: 1'" },
      { name: "three", status: "skipped", message: "" },
    ]);
  });
});

test("the first exercise of each track: the reference solution passes, the stub does not", DEEP, async () => {
  const bundle = sharedData("polyglot/polyglot-dev.bundle");
  if (bundle === null) return;
  using benchmark = await openPolyglot(bundle, { box, prepare: true, ...quiet });
  expect(benchmark.tasks).toHaveLength(113);
  expect(benchmark.remarks).toMatchObject([{ id: "polyglot/go/counter", kind: "left_out" }]);
  const firsts = benchmark.tasks.filter(({ kind }, i) => benchmark.tasks.findIndex((one) => one.kind === kind) === i);
  expect(firsts.map(({ kind }) => kind)).toEqual(["cpp", "go", "java", "javascript", "python", "rust"]);
  const sandbox = await never();
  const checked = await benchmark.check(firsts, { sandbox, by: "gold", ...quiet });
  for (const { task, remarks } of checked) {
    if (task === null) {
      console.warn(`skipped: ${remarks.map(({ id, reason }) => `${id}: ${reason}`).join("; ")}`);
      continue;
    }
    const gold = await task.score(task.reference("gold"), sandbox, signal);
    const empty = await task.score(task.reference("empty"), sandbox, signal);
    expect([task.id, gold, empty]).toMatchObject([task.id, { score: { passed: true } }, { score: { passed: false } }]);
  }
  await sandbox.close();
});

/** Tests that ask which Go and Rust run them: the release that the user's PATH gives. */
const { version: go = "" } = goToolchain() ?? {};
const { version: rust = "" } = rustToolchain() ?? {};
const VERSIONS: Record<string, Record<string, string>> = {
  go: {
    ".meta/config.json": '{"files": {"solution": ["v.go"], "test": ["v_test.go"], "example": [".meta/example.go"]}}',
    "go.mod": "module v\n\ngo 1.18\n",
    "v_test.go": `package v\n\nimport "testing"\n\nfunc TestV(t *testing.T) {\n\tif V() != "go${go}" {\n\t\tt.Fatal(V())\n\t}\n}\n`,
    ".meta/example.go": 'package v\n\nimport "runtime"\n\nfunc V() string { return runtime.Version() }\n',
    "v.go": "package v\n",
  },
  rust: {
    ".meta/config.json":
      '{"files": {"solution": ["src/lib.rs"], "test": ["tests/v.rs"], "example": [".meta/example.rs"]}}',
    "Cargo.toml": '[package]\nname = "v"\nversion = "1.0.0"\nedition = "2021"\n',
    "build.rs":
      'fn main() { let out = std::process::Command::new(std::env::var("RUSTC").unwrap()).arg("--version").output().unwrap();\n' +
      "println!(\"cargo:rustc-env=RELEASE={}\", String::from_utf8(out.stdout).unwrap().split(' ').nth(1).unwrap()); }\n",
    "tests/v.rs": `#[test]\nfn is_release() { assert_eq!((v::v(), env!("RELEASE")), (1, "${rust}")); }\n`,
    ".meta/example.rs": "pub fn v() -> i32 { 1 }\n",
    "src/lib.rs": "",
  },
};
test.each(Object.keys(VERSIONS))("the toolchain that the user's PATH gives runs exercises: %s", DEEP, async (track) => {
  using folder = temporaryFolder();
  writeExercise(folder.path, track, "v", { ".docs/instructions.md": "# V\n", ...VERSIONS[track] });
  using benchmark = await openPolyglot(folder.path, { box, prepare: false, ...quiet });
  const [task] = benchmark.tasks;
  const sandbox = await never();
  const scored = await task?.score(task.reference("gold"), sandbox, signal);
  expect(scored).toMatchObject({ score: { passed: true } });
  await sandbox.close();
});

test.skipIf(!(await hasPytest()))(
  "an exercise that is to be written anew and passes as it is given is named, as its passes tell nothing",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const anew = { ".docs/instructions.md": "# Twice\n\nRefactor it.\n", "twice.py": TWICE[".meta/example.py"] };
    writeExercise(folder.path, "python", "twice", { ...TWICE, ...anew });
    using benchmark = await openPolyglot(folder.path, { box, prepare: false, ...quiet });
    const [checked] = await benchmark.check(benchmark.tasks, { sandbox: await never(), by: "gold", ...quiet });
    expect(checked).toMatchObject({ task: {}, remarks: [{ id: "polyglot/python/twice", kind: "already_passes" }] });
  },
);

test("folders of exercises are found by their tracks", () => {
  using folder = temporaryFolder();
  writeExercise(folder.path, "rust", "a", { "x.rs": "" });
  mkdirSync(join(folder.path, "docs"));
  expect(exercisesIn(folder.path)).toEqual([{ track: "rust", folder: join(folder.path, "rust/exercises/practice/a") }]);
  expect(exercisesIn(join(folder.path, "nowhere"))).toEqual([]);
});
