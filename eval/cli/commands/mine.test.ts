import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProgram } from "../../../utils/base/host/host_programs.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { PYTEST_INI } from "../../../utils/testing/pytest_plugins.ts";
import { ALSO_DEEP, DEEP, quarter } from "../../../utils/testing/repeats.ts";

/** Commits of a repository, the first with all its files. */
type History = { message: string; files: Record<string, string> }[];

function repository(folder: string, history: History): string {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], { cwd: folder });
  git("init", "--quiet");
  for (const { message, files } of history) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    git("add", "-A");
    git("commit", "--quiet", "--allow-empty", "-m", message);
  }
  return folder;
}

const PYTHON = "def half(x):\n    return x / 3\n\n\ndef twice(x):\n    return x + x\n";
const PYTHON_TEST = "from rates import half, twice\n\n\ndef test_twice():\n    assert twice(2) == 4\n";
const HALF_TEST = "\n\ndef test_half():\n    assert half(4) == 2\n";
const SCRIPT = "exports.half = function half(x) {\n  return x / 3;\n};\nexports.twice = (x) => x + x;\n";
const SCRIPT_TEST =
  'const assert = require("node:assert");\nconst test = require("node:test");\nconst { half, twice } = require("../rates");\n\ntest("twice", () => assert.equal(twice(2), 4));\n';

interface World {
  language: string;
  /** Without which it is skipped. */
  program?: string;
  source: string;
  text: string;
  tests: string;
  before: string;
  more: string;
  manifest: Record<string, string>;
  failToPass: string[];
  passToPass: string[];
}

const WORLDS: World[] = [
  {
    language: "Python with pytest",
    source: "rates.py",
    text: PYTHON,
    tests: "test_rates.py",
    before: PYTHON_TEST,
    more: HALF_TEST,
    manifest: PYTEST_INI,
    failToPass: ["test_rates.py::test_half"],
    passToPass: ["test_rates.py::test_twice"],
  },
  {
    language: "JavaScript with node:test",
    source: "rates.js",
    text: SCRIPT,
    tests: "test/rates.test.js",
    before: SCRIPT_TEST,
    more: 'test("half", () => assert.equal(half(4), 2));\n',
    manifest: {
      "package.json": `${JSON.stringify({ name: "rates", version: "1.0.0", scripts: { test: "node --test test/" } })}\n`,
    },
    failToPass: ["half"],
    passToPass: ["twice"],
  },
  {
    language: "Rust with cargo",
    program: "cargo",
    source: "src/lib.rs",
    text: "pub fn half(x: f64) -> f64 {\n    x / 3.0\n}\n\npub fn twice(x: f64) -> f64 {\n    x + x\n}\n",
    tests: "tests/rates.rs",
    before: "use rates::*;\n\n#[test]\nfn doubles() {\n    assert_eq!(twice(2.0), 4.0);\n}\n",
    more: "\n#[test]\nfn halves() {\n    assert_eq!(half(4.0), 2.0);\n}\n",
    manifest: { "Cargo.toml": '[package]\nname = "rates"\nversion = "0.1.0"\nedition = "2021"\n' },
    failToPass: ["tests/rates.rs::halves"],
    passToPass: ["tests/rates.rs::doubles"],
  },
];

const here = WORLDS.filter(({ program }) => program === undefined || findProgram(program) !== undefined);
describe.each(here)("$language", ({ source, text, tests, before, more, manifest, ...expected }) => {
  const fixed = text.replace("x / 3", "x / 2");
  const history: History = [
    { message: "first", files: { ...manifest, [source]: text, [tests]: before } },
    { message: "A new document, which fixes nothing", files: { "notes.txt": "a" } },
    { message: "Fix half", files: { [source]: fixed, [tests]: before + more } },
    { message: "Fix a bug without a test", files: { [source]: fixed.replace("+ x", "+  x") } },
    { message: "Fix what no test sees", files: { [source]: fixed, [tests]: `${before}${more}\n` } },
    { message: "A feature", files: { [source]: `${fixed}\n`, [tests]: before + more } },
  ];

  test("fixes with tests become tasks, once, which the developer's patch resolves", DEEP, async () => {
    using folder = temporaryFolder();
    const repo = join(folder.path, "repo");
    mkdirSync(repo);
    repository(repo, history);
    const mined = await run("mend mine", [repo, "--out", "tasks.jsonl"], folder.path);
    expect(mined, mined.stderr).toMatchObject({ exitCode: 0 });
    expect(mined.lines[0]).toMatchObject({
      tasks: 1,
      commits: 5,
      dropped: { message: 1, source: 1, tests: 1, size: 0, set_up: 0, run: 0, before: 1, flaky: 0 },
      complete: true,
    });
    const file = join(folder.path, "tasks.jsonl");
    const row = JSON.parse(readFileSync(file, "utf8"));
    expect(JSON.parse(row.FAIL_TO_PASS)).toEqual(expected.failToPass);
    expect(JSON.parse(row.PASS_TO_PASS)).toEqual(expected.passToPass);
    expect(row).toMatchObject({ repo: "local/repo", problem_statement: "Fix half" });
    expect([row.patch.includes("x / 2"), row.patch.includes("twice(2)"), row.test_patch.includes("x / 2")]).toEqual([
      true,
      false,
      false,
    ]);

    const scored = (reference: string) =>
      run("eval/pass1.ts", ["--dataset", "tasks.jsonl", "--repositories", repo, reference], folder.path);
    const gold = await scored("--gold");
    expect(gold.lines.at(-1), gold.stderr).toMatchObject({ num: 1, successes: 1, complete: true });
    // The rest is the same in each language.
    if (source !== "rates.py") return;
    expect((await scored("--empty")).lines.at(-1)).toMatchObject({ num: 1, successes: 0, complete: true });
    const rows = readFileSync(file, "utf8");
    const again = await run("mend mine", [repo, "--out", "tasks.jsonl"], folder.path);
    expect(again.lines[0]).toMatchObject({ tasks: 1, commits: 5 });
    expect(readFileSync(file, "utf8")).toBe(rows);
  });
});

const OLD = { message: "old", files: { "a.py": "b = 1\n" } };

test.each(
  quarter([
    ["/proc/absent/tasks.jsonl", /^error: \/proc\/absent cannot be made/],
    ["/proc/tasks.jsonl", /^error: \/proc\/tasks.jsonl cannot be made/],
    ["/dev/full", /^error: \/dev\/full is not a file .*--out/],
    ["/dev/null/tasks.jsonl", /^error: \/dev\/null cannot be made: there is a file/],
  ]),
)("--out %s is refused before anything is run", ALSO_DEEP, async (out, said) => {
  using folder = temporaryFolder();
  const repo = repository(folder.path, [OLD]);
  const { exitCode, stdout, stderr } = await run("mend mine", [repo, "--out", out], folder.path);
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(said)]);
});

test("--since takes dates that git would guess at for what they are, and refuses what is none", DEEP, async () => {
  using folder = temporaryFolder();
  const repo = repository(folder.path, [OLD, { message: "more", files: { "a.py": "" } }]);
  const since = (date: string) => run("mend mine", [repo, "--since", date], folder.path);
  for (const date of ["nonsense", "2024-13-45", "2023-02-31"])
    expect(await since(date), date).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^error: --since takes 2024-01-31, .*'2 years ago'.*\n$/),
    });
  for (const date of ["60 years ago", "2024-01-31T18:30+01:00"])
    expect((await since(date)).lines, date).toMatchObject([{ commits: 1 }]);
});

test("a repository without a commit is refused as such", DEEP, async () => {
  using folder = temporaryFolder();
  const { exitCode, stderr } = await run("mend mine", [repository(folder.path, [])], folder.path);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error: [^\n]* has no commit yet[^\n]*\n$/m)]);
});

test("a folder without a repository, and a history without fixes, are reported", DEEP, async () => {
  using folder = temporaryFolder();
  const none = await run("mend mine", [folder.path], folder.path);
  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("is not a git repository") });
  const repo = join(folder.path, "repo");
  mkdirSync(repo);
  repository(repo, [
    { message: "first", files: { "a.py": "" } },
    { message: "more", files: { "a.py": "b = 1\n" } },
  ]);
  const empty = await run("mend mine", [repo], folder.path);
  expect(empty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("speaks of no fix") });
});

test("a commit whose tests lack a package is dropped with what to install", DEEP, async () => {
  using folder = temporaryFolder();
  const tests = "import no_such_package_anywhere\n\n\ndef test_a():\n    pass\n";
  const repo = repository(folder.path, [
    OLD,
    { message: "Fix b", files: { "a.py": "b = 2\n", "test_a.py": tests, ...PYTEST_INI } },
  ]);
  const { stderr } = await run("mend mine", [repo], folder.path);
  expect(stderr).toMatch(
    /do not run to their end: .*'no_such_package_anywhere'.* Install what is missing: .*pip install/,
  );
});
