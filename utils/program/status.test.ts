import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { printedJson } from "../base/text/json.ts";
import { programWords, run, temporaryFolder } from "../testing/command.ts";
import { inTerminal, screenOf } from "../testing/pseudo_terminal.ts";
import { DEEP } from "../testing/repeats.ts";
import { isTerminal } from "./live_region.ts";
import { hasColours, openStatus, shown, styledDiff } from "./status.ts";

afterEach(() => vi.unstubAllEnvs());

const MEASURE = ["--model", "search", "--dataset", "builtin", "--few-shot-k", "0", "--indices", "0,3", "--run", "r"];

test(
  "in a terminal results and progress never share a line; a run ends with what failed and what comes next",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const { exitCode, raw, screen } = await inTerminal([...programWords("eval/pass1.ts"), ...MEASURE], folder.path);
    expect(exitCode).toBe(0);
    expect(raw).toContain("\r\x1b[J");
    const results = screen.filter((line) => line.includes('"task_id"'));
    expect(results.map((line) => JSON.parse(line))).toMatchObject([{ index: 0 }, { index: 3 }]);
    expect(screen.filter((line) => /^\d\/2 · /.test(line))).toEqual([expect.stringMatching(/^2\/2 · pass@1 50% \S+$/)]);
    expect(screen.slice(-4, -1)).toEqual([
      "failed   Builtin/3",
      "next     npx tsx eval/cli/main.ts report r",
      "         npx tsx eval/cli/main.ts view",
    ]);
  },
);

test(
  "an error has colours in a terminal, none with NO_COLOR, and in a pipe those that FORCE_COLOR asks for",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const mend = [...programWords("eval/cli/main.ts"), "repor"];
    const coloured = "\x1b[31merror:\x1b[39m Unknown command";
    expect((await inTerminal(mend, folder.path)).raw).toContain(coloured);
    expect((await inTerminal(mend, folder.path, { NO_COLOR: "1" })).raw).toContain("error: Unknown command");
    const piped = await run("eval/cli/main.ts", ["repor"], folder.path, { FORCE_COLOR: "1" });
    expect(piped.stderr).toContain(coloured);
  },
);

const SEQUENCES = "\x1b[1A\x1b[2K\x1b]0;mine\x07\x9b8m";

/** A project whose files hold what a terminal obeys, and the words that repair it. */
function hostileProject(folder: string): [program: string, ...args: string[]] {
  writeFileSync(join(folder, "count.py"), `def steps(n):\n    # ${SEQUENCES}\n    return n + 1  # ${SEQUENCES}\n`);
  // ESC c empties a terminal.
  const name = "test_\x1bcount.py";
  writeFileSync(
    join(folder, name),
    `from count import steps\ndef test_steps():\n    assert [steps(n) for n in (0, 3, 8)] == [0, 3, 8], "${SEQUENCES.replaceAll("\x1b", "\\x1b")}"\n`,
  );
  return ["mend fix", folder, "--test", `pytest '${name}'`, "--model", "search"];
}

test("a terminal obeys nothing in files, tests or a patch", DEEP, async () => {
  using folder = temporaryFolder();
  const [program, ...rest] = hostileProject(folder.path);
  const { raw, exitCode } = await inTerminal([...programWords(program), ...rest], folder.path);
  expect([exitCode, raw]).toEqual([0, expect.stringContaining("return n")]);
  for (const sequence of ["\x1bc", "\x1b[1A\x1b[2K", "\x1b]0;", "\x07", "\x9b8m"]) expect(raw).not.toContain(sequence);
  expect(raw).toContain("\\u{1b}[2K");
});

test("a pipe gets a patch as it is, whatever a terminal would obey in it", DEEP, async () => {
  using folder = temporaryFolder();
  const [program, ...rest] = hostileProject(folder.path);
  expect((await run(program, rest, folder.path)).stdout).toContain(SEQUENCES);
});

test("a diff is red and green where colours are", () => {
  for (const name of ["NO_COLOR", "FORCE_COLOR"]) vi.stubEnv(name, undefined);
  vi.stubEnv("TERM", "xterm");
  const diff = "--- a/x\n+++ b/x\n-old\n+new\n same\n";
  const stream = fakeTerminal(true);
  expect(styledDiff(diff, stream)).toBe("--- a/x\n+++ b/x\n\x1b[31m-old\x1b[39m\n\x1b[32m+new\x1b[39m\n same\n");
  expect(styledDiff(diff, fakeTerminal(false))).toBe(diff);
});

test.each([
  [{}, true, true, true],
  [{ CI: "true" }, true, false, true],
  [{ TERM: "dumb" }, true, false, false],
  [{ NO_COLOR: "1" }, true, true, false],
  [{ NO_COLOR: "" }, true, true, true],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, true, true],
  [{ FORCE_COLOR: "0" }, true, true, false],
  [{}, false, false, false],
  [{ FORCE_COLOR: "1" }, false, false, true],
])("%j, terminal %s: a live line %s, colours %s", (env, isTTY, live, colours) => {
  const stream = fakeTerminal(isTTY);
  expect([isTerminal(stream, env), hasColours(stream, env)]).toEqual([live, colours]);
});

/** A stream that says it is a terminal, with what was written to it. */
function fakeTerminal(isTTY: boolean) {
  let text = "";
  const stream = new PassThrough().on("data", (part) => {
    text += part;
  });
  return Object.assign(Object.create(process.stderr), {
    isTTY,
    columns: 20,
    hasColors: ({ TERM }: { TERM?: string }) => TERM !== "dumb",
    write: (part: string) => stream.write(part),
    written: () => text,
  });
}

test("other outputs than terminals get whole lines, at the end at the latest; both streams are restored", () => {
  const [stream, other] = [fakeTerminal(false), fakeTerminal(false)];
  const write = stream.write;
  const status = openStatus(stream, [other]);
  for (let i = 0; i <= 500; i++) status.update(() => `${i}/500`);
  status.end();
  expect([stream.written(), stream.write]).toEqual(["500/500\n", write]);
});

test("a screen shows what was written last", () => {
  expect(screenOf("ab\rc\nlong\r\x1b[Jx\r\n")).toEqual(["cb", "x", ""]);
});

test("a name of others drives no terminal when it goes through a pipe, in a message or in JSON", DEEP, async () => {
  using folder = temporaryFolder();
  const name = "a\x1b[2J\u009b8m\u202e.py";
  const args = ["eval", "--dataset", name, "--model", "search"];
  const { stdout, stderr } = await run("eval/cli/main.ts", [...args, "--json"], folder.path);
  expect(stdout + stderr).not.toMatch(/[^\P{C}\n\t]/u);
  expect(stdout + stderr).toContain("[2J");
  expect(shown(`\x1b[31m${name}\x1b[39m`)).toBe("\x1b[31ma\\u{1b}[2J\\u{9b}8m\\u{202e}.py\x1b[39m");
  const value = { name, tag: "\u{e0041}", text: "a\nb" };
  expect(printedJson(value, 2)).not.toMatch(/[^\P{C}\n]/u);
  expect(JSON.parse(printedJson(value))).toEqual(value);
});
