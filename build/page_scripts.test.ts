/** The scripts in the pages of documentation run as they stand, with the reader's own names put in. */

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../agent/models/testing/fake_openai.ts";
import { COMMANDS } from "../eval/cli/table.ts";
import { signRows } from "../eval/meta/testing/sign_tasks.ts";
import { hasRedis, startRedis } from "../eval/run/queue/testing/redis.ts";
import { writeRepositoryTasks } from "../eval/testing/repository_tasks.ts";
import { makeRepository } from "../fix/testing/repositories.ts";
import { temporaryFolder } from "../utils/testing/command.ts";
import { PYTEST_INI } from "../utils/testing/pytest_plugins.ts";
import { DEEP, isSlow } from "../utils/testing/repeats.ts";
import { ROOT } from "./options.ts";
import { type Fence, fencesOf, PAGES, Reader } from "./testing/page_scripts.ts";

interface Script {
  /** Words that no other script has, however its command is started. */
  holds: string;
  /** What a reader puts in, for each word of the script that stands for something else. */
  blanks?: Record<string, string>;
  /** Lines that are not run, and why. */
  without?: Record<string, string>;
  prepare?: (folder: string) => void;
  /** A script that comes before. */
  before?: string;
  /** What the script prints, in this order; null: it is not run. */
  prints: RegExp[] | null;
  /** What commands that last print. */
  lasting?: RegExp[];
  /** Takes long, and tests of the commands run the same; so do other pages with the same script. */
  slow?: true;
  /** Why it is not run here; undefined: it is. */
  not?: string | undefined;
}

const RATES = {
  ...PYTEST_INI,
  "rates.py": "def half(x):\n    return x / 3\n",
  "tests/test_rates.py": "from rates import half\n\n\ndef test_half():\n    assert half(4) == 2\n",
  "rates.js": "exports.half = function half(x) {\n  return x / 3;\n};\n",
  "test/rates.test.js": [
    'const assert = require("node:assert");',
    'const test = require("node:test");',
    'const { half } = require("../rates");',
    'test("half", () => assert.equal(half(4), 2));\n',
  ].join("\n"),
  "package.json": '{ "name": "rates", "version": "1.0.0", "scripts": { "test": "node --test test/" } }\n',
};

/** A model that repairs the file that the tests run, and then answers. */
const place = (prompt: string): string => (/npm test/.test(prompt) ? "rates.js" : "rates.py");
const REPAIR = (messages: { role: string; content?: string | null | undefined }[]): string => {
  const said = messages.map(({ content }) => content ?? "").join("\n");
  if (messages.some(({ role }) => role === "assistant")) return "Final Answer: a half is one of two parts";
  const input = { file: place(said), old: "x / 3", new: "x / 2" };
  return `Action: replace_text\nAction Input: ${JSON.stringify(input)}`;
};

/** A repository `shop` whose tests fail, and an issue. */
function writeRepository(folder: string): void {
  using repository = makeRepository(RATES);
  repository.git("clone", "--quiet", ".", join(folder, "shop"));
  writeFileSync(join(folder, "bug.md"), "half gives a third\n");
}

/** A repository `mined` with a fix in its history. */
function writeHistory(folder: string): void {
  const tested = `${RATES["tests/test_rates.py"]}\n\ndef test_one():\n    assert half(1) == 0.5\n`;
  using repository = makeRepository({
    ...RATES,
    "tests/test_rates.py": "import rates\n\n\ndef test_it():\n    assert rates\n",
  });
  writeFileSync(repository.at("rates.py"), RATES["rates.py"].replace("3", "2"));
  writeFileSync(repository.at("tests/test_rates.py"), tested);
  repository.git("commit", "--quiet", "-a", "-m", "Fix half");
  repository.git("clone", "--quiet", ".", join(folder, "mined"));
}

function writeSamples(folder: string): void {
  writeFileSync(join(folder, "file.jsonl"), signRows(2));
  // As many of each task as the pages ask pass@k of.
  const sample = (i: number) => ({ task_id: `Sign/${i}`, completion: `    return x + ${i + 1}\n` });
  const samples = Array.from({ length: 20 }, (_, at) => sample(at % 2));
  writeFileSync(join(folder, "samples.jsonl"), samples.map((sample) => `${JSON.stringify(sample)}\n`).join(""));
}

/** Tasks that take a moment, and a folder of code to learn from. */
function writeTasks(folder: string): void {
  writeFileSync(join(folder, "tasks.jsonl"), signRows(24));
  mkdirSync(join(folder, "code"));
  for (const name of ["bisect.py", "textwrap.py", "heapq.py"]) copyFileSync(stdlib(name), join(folder, "code", name));
}

const stdlib = (name: string): string =>
  join(
    execFileSync("python3", ["-c", "import os; print(os.path.dirname(os.__file__))"], { encoding: "utf8" }).trim(),
    name,
  );

const INSTALLED = "package.test.ts and install.slow.test.ts install it";

const SCRIPTS: Script[] = [
  { holds: "git clone URL", prints: null, not: INSTALLED },
  {
    holds: "npm run demo",
    blanks: { "npm run demo": `npm --prefix ${ROOT} run demo`, "./mend": "mend" },
    without: { "npm ci": "packages are here", "npm test": "this is one of its tests" },
    prints: [/bubblewrap|bwrap/, /^hidden tests: passed$/m],
  },
  {
    holds: "mend fix PATH",
    blanks: { "PATH --model": "shop --test pytest --model", PATH: "shop", NAME: "scripted" },
    prepare: writeRepository,
    prints: [/^\+ {4}return x \/ 2$/m, /^\+ {2}return x \/ 2;$/m, /branch repair/],
  },
  {
    holds: "mend report RUN",
    blanks: {
      "mend view": "mend view --port 0",
      RUN_A: "first",
      RUN_B: "second",
      RUN: "first",
      "SAMPLES.jsonl": "samples.jsonl",
      "FILE.jsonl": "file.jsonl",
    },
    prepare: writeSamples,
    before: ["first", "second"].map((run) => `mend eval --num 2 --model search --run ${run}`).join("\n"),
    prints: [/pass@1/],
    lasting: [/^http:/m],
  },
  {
    holds: "mend worker",
    blanks: {
      NAME: "queued",
      SPEC: "search --num 16 --dataset tasks.jsonl",
    },
    without: { "npm install": "they are here" },
    prepare: writeTasks,
    prints: [/pass@1/],
    lasting: [/worker/],
    ...(hasRedis ? {} : { not: "no redis-server" }),
  },
  {
    // Runs of the loop without a network; what a model writes there is no edit.
    holds: "mend improve --run offline",
    blanks: { NAME: "scripted" },
    prints: [/"children":1,/, /"children":5,/],
    slow: true,
  },
  {
    holds: "mend improve --iterations 1",
    blanks: { NAME: "scripted", "--iterations 1": "--iterations 1 --run offline" },
    prints: [/"children":1,/, /"children":5,/],
    slow: true,
  },
  {
    holds: "--split 32,99,83",
    blanks: { FOLDER: "code", "32,99,83": "8,8,8" },
    prepare: writeTasks,
    prints: [/"children":2,/],
    slow: true,
  },
  {
    holds: "--iterations 5 --plan",
    blanks: {
      "https://…/v1": '"$OPENAI_BASE_URL"',
      "OPENAI_API_KEY=…": "OPENAI_API_KEY=key",
      NAME: "scripted",
    },
    prints: [/"validation"/],
  },
  { holds: "/tmp/try/half.ts", prints: [/^\+.*x \/ 2/m] },
  { holds: "natural/b.jsonl --model", prints: [/"num":66,.*"complete":true/], slow: true },
  { holds: "everyday/go.jsonl --model", prints: [/"num":11,.*"complete":true/], slow: true },
  { holds: "planted/go.jsonl --model", prints: [/"num":50,.*"complete":true/], slow: true },
  {
    holds: "BUNDLE_OR_FOLDER",
    blanks: {
      BUNDLE_OR_FOLDER: "clones",
      NAME: "scripted",
      "…": "--dataset tasks.jsonl --repositories clones --model openai:scripted --run shown",
      CLONE: "mined",
      "--out tasks.jsonl": "--out mined.jsonl",
    },
    prepare: (folder) => {
      writeRepositoryTasks(folder);
      writeHistory(folder);
    },
    prints: [/2\/2/, /2\/2/, /2\/2/],
    slow: true,
  },
  {
    holds: "mend eval --num 1 --model openai:NAME",
    blanks: { "https://ADDRESS/v1": '"$OPENAI_BASE_URL"', NAME: "scripted" },
    prints: [/^hidden tests: /m, /pass@1/],
  },
  {
    holds: "examples/own_benchmark.ts",
    blanks: { "examples/own_benchmark.ts": join(ROOT, "examples/own_benchmark.ts") },
    prints: [/pass@1/],
  },
  { holds: "SWE-bench_Verified --num 10", prints: null, not: "it wants a hub and images" },
  { holds: "models prepare", prints: null, not: "it wants the weights of a model" },
  { holds: "claude mcp add", prints: null, not: "it wants Claude Code; the served tools are asked in mcp.test.ts" },
];

const FENCES = PAGES.flatMap(fencesOf).filter(({ code }) => /npx tsx |^(?:\.\/)?mend |mend mcp/m.test(code));
const scriptsOf = ({ code }: Fence) => SCRIPTS.filter((row) => code.includes(row.holds));

test("each script of the pages is one of the table, each row of the table a script of some page", () => {
  expect(FENCES.filter((fence) => scriptsOf(fence).length !== 1)).toEqual([]);
  expect(SCRIPTS.filter((row) => !FENCES.some((fence) => scriptsOf(fence).includes(row)))).toEqual([]);
});

const NAMED = FENCES.flatMap(({ page, code }) =>
  [...code.matchAll(/^(?:\.\/)?mend ((?:models )?[a-z]+)([^|&>#;\n]*)/gm)].map(([line, name = "", rest = ""]) => ({
    ...{ page, line, name },
    options: [...rest.matchAll(/ --([a-z][a-z-]*)/g)].map(([, option = ""]) => option),
  })),
);
test.each(NAMED)("$page: the command and the options are there: $line", async ({ name, options }) => {
  const loaded = await COMMANDS[name]?.load();
  expect([...Object.keys(loaded?.command.options ?? {}), "help"]).toEqual(expect.arrayContaining(options));
  expect(loaded).toBeDefined();
});

test("each blank of the table is filled in some script", () => {
  const idle = SCRIPTS.flatMap((row) => {
    const { holds, blanks = {} } = row;
    const scripts = FENCES.filter(({ code }) => code.includes(holds));
    const changes = (blank: string) => {
      const others = Object.fromEntries(Object.entries(blanks).filter(([word]) => word !== blank));
      return scripts.some(({ code }) => filledIn(code, row) !== filledIn(code, { ...row, blanks: others }));
    };
    return Object.keys(blanks).filter((blank) => !changes(blank));
  });
  expect(idle).toEqual([]);
});

/** The script with the reader's words in the place of those that stand for them. */
function filledIn(code: string, { blanks = {}, without = {} }: Script): string {
  const lines = code.split("\n").filter((line) => !Object.keys(without).some((start) => line.startsWith(start)));
  return Object.entries(blanks).reduce(
    (text, [word, value]) =>
      text.replace(new RegExp(`(?<![\\w$])${word.replace(".", "\\.")}(?![\\w])`, "g"), () => value),
    lines.join("\n"),
  );
}

function expectInOrder(output: string, parts: readonly RegExp[]): void {
  let at = 0;
  for (const part of parts) {
    const found = part.exec(output.slice(at));
    expect(found, `${part} in\n${output.slice(at)}`).not.toBeNull();
    at += (found?.index ?? 0) + (found?.[0].length ?? 0);
  }
}

test("the demo shows what its page shows, but for seconds and tried edits", DEEP, async () => {
  using folder = temporaryFolder();
  const { exitCode, output } = await new Reader(folder.path).run("mend demo", {});
  const masked = (text: string) => text.replace(/\d+(?:\.\d+)? s\b|\d+ (?=edits tried)/g, "N ");
  const [shown] = fencesOf("agent/README.md").filter(({ code }) => code.startsWith("Builtin/0"));
  const lines = masked(shown?.code ?? "").split("\n");
  const parts = lines.map((line) => line.replace(/…\}?$/, "").trim()).filter((line) => line !== "");
  expect(exitCode).toBe(0);
  expectInOrder(
    masked(output),
    parts.map((part) => new RegExp(part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))),
  );
});

for (const row of SCRIPTS)
  for (const [i, fence] of FENCES.filter(({ code }) => code.includes(row.holds)).entries()) {
    const isLater = (row.slow || i > 0) && !isSlow;
    test.skipIf(row.not !== undefined || isLater)(`${fence.page}: ${row.holds}`, DEEP, async () => {
      using folder = temporaryFolder();
      const reader = new Reader(folder.path);
      row.prepare?.(folder.path);
      const { code } = fence;
      await using redis = hasRedis && code.includes("HOST") ? await startRedis() : null;
      await using model = await startFakeOpenAI({ models: ["scripted"], reply: ({ body }) => REPAIR(body.messages) });
      const filled = filledIn(code, row).replaceAll("redis://HOST", redis?.url ?? "");
      const script = `${row.before ?? ""}\n${filled}`;
      // Without a name of a model, one that is at hand would be taken.
      const isGiven = /openai:|NAME/.test(code);
      const { exitCode, output } = await reader.run(script, isGiven ? { OPENAI_BASE_URL: model.url } : {});
      // Before anything is judged: what fails leaves no command behind.
      const lasting = await reader.stop();
      expect(exitCode, output).toBe(0);
      expectInOrder(output, row.prints ?? []);
      expect(lasting).toEqual(
        (row.lasting ?? []).map((said) => ({ exitCode: 0, output: expect.stringMatching(said) })),
      );
    });
  }
