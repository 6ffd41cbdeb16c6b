/** The scripts in the pages of documentation run as they stand, with the reader's own names put in. */
// @module-tag deep

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../agent/models/testing/fake_openai.ts";
import { signRows } from "../eval/meta/testing/sign_tasks.ts";
import { SERVERS } from "../eval/run/queue/testing/servers.ts";
import { writeRepositoryTasks } from "../eval/testing/repository_tasks.ts";
import { makeRepository } from "../fix/testing/repositories.ts";
import { temporaryFolder } from "../utils/testing/command.ts";
import { PYTEST_INI } from "../utils/testing/pytest_plugins.ts";
import { isSlow } from "../utils/testing/repeats.ts";
import { sharedData } from "../utils/testing/shared_data.ts";
import { ROOT } from "./options.ts";
import { type Fence, fencesOf, PAGES, Reader } from "./testing/readme_scripts.ts";

interface Script {
  page: string;
  /** Words that no other fence of the page has. */
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
  /** Takes more than a minute. */
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

/** A model that mends the first place that it is told of, and then answers. */
const place = (prompt: string): string => /^\d+\. (?<file>[^\s:]+):/m.exec(prompt)?.groups?.file ?? "rates.py";
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
  const samples = [0, 1].map((i) => ({ task_id: `Sign/${i}`, completion: `    return x + ${i + 1}\n` }));
  writeFileSync(join(folder, "samples.jsonl"), samples.map((sample) => `${JSON.stringify(sample)}\n`).join(""));
}

/** Tasks that take a moment, and a folder of code to learn from. */
function writeDev(folder: string): void {
  writeFileSync(join(folder, "dev.jsonl"), signRows(24));
  mkdirSync(join(folder, "code"));
  for (const name of ["bisect.py", "textwrap.py", "heapq.py"]) copyFileSync(stdlib(name), join(folder, "code", name));
}

const stdlib = (name: string): string =>
  join(
    execFileSync("python3", ["-c", "import os; print(os.path.dirname(os.__file__))"], { encoding: "utf8" }).trim(),
    name,
  );

const FIX: Omit<Script, "page"> = {
  holds: " fix PATH",
  blanks: { PATH: "shop", NAME: "scripted" },
  prepare: writeRepository,
  prints: [/^\+ {4}return x \/ 2$/m, /^\+ {2}return x \/ 2;$/m, /branch repair/],
};
const SCORE: Omit<Script, "page" | "holds"> = {
  blanks: {
    SPEC: "search",
    "(?:mend|npx tsx eval/cli/main.ts) view": "mend view --port 0",
    RUN_A: "first",
    RUN_B: '"$(ls runs | grep -v first)"',
    RUN: '"$(ls runs | grep -v first)"',
    "SAMPLES.jsonl": "samples.jsonl",
    "FILE.jsonl": "file.jsonl",
    REPOSITORY: "mined",
  },
  prepare: (folder) => {
    writeSamples(folder);
    writeHistory(folder);
  },
  before: "mend eval --num 3 --few-shot-k 3 --model search --run first",
  prints: [/pass@1/],
  lasting: [/^http:/m],
};

/** Runs of the loop without a network; what a model writes there is no edit. */
const IMPROVE: Omit<Script, "page" | "holds"> = {
  blanks: { NAME: "scripted" },
  prints: [/^1 child/m, /^\{"children":5,/m],
  slow: true,
};
const REDIS = SERVERS.find(({ name }) => name === "redis");
const QUEUE: Omit<Script, "page" | "holds"> = {
  blanks: { NAME: "queued", SPEC: "search --num 4" },
  without: { "npm install": "they are here" },
  prints: [/pass@1/],
  lasting: [/worker/],
  ...(REDIS ? {} : { not: "no redis-server" }),
};
const DEV = sharedData("humanevalfix-dev.jsonl");
const REPOSITORIES = sharedData("repositories/tasks.jsonl");

const SCRIPTS: Script[] = [
  {
    page: "README.md",
    holds: "npm pack",
    blanks: { "npm ci && npm run demo": `npm --prefix ${ROOT} run demo` },
    without: { "npm ci && npm test": "this is one of its tests", "npm pack": "package.test.ts packs" },
    prints: [/^hidden tests: passed$/m, /bubblewrap|bwrap/],
  },
  {
    page: "README.md",
    holds: "restock_list",
    prints: [/^\+ .* if amount < minimum\]$/m, /inventory.py is repaired by search/],
  },
  { page: "README.md", ...FIX },
  { page: "README.md", holds: "mend report RUN", ...SCORE },
  { page: "README.md", holds: "mend improve", ...IMPROVE },
  { page: "fix/README.md", ...FIX, slow: true },
  {
    page: "fix/README.md",
    holds: "fix thefuck",
    prints: null,
    not: "what it prints is shown beside it; it needs thefuck as it was before a fix",
  },
  { page: "fix/own_file/README.md", holds: "half.ts", prints: [/^\+.*x \/ 2/m] },
  { page: "eval/README.md", holds: "main.ts report RUN", ...SCORE, slow: true },
  { page: "eval/README.md", holds: "main.ts worker", ...QUEUE },
  { page: "eval/run/queue/README.md", holds: "main.ts worker", ...QUEUE, slow: true },
  { page: "eval/lab/natural/README.md", holds: "b.jsonl", prints: [/"num":66,.*"complete":true/], slow: true },
  {
    page: "eval/lab/planted/README.md",
    holds: "build.py",
    blanks: { FOLDER: REPOSITORIES?.replace("/tasks.jsonl", "") ?? "", "DEV.jsonl": DEV ?? "" },
    prints: [/planted/],
    slow: true,
    ...(DEV && REPOSITORIES ? {} : { not: "the shared data is absent" }),
  },
  {
    page: "eval/benchmark/repositories/README.md",
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
  },
  { page: "eval/meta/README.md", holds: "--iterations 1", ...IMPROVE, slow: true },
  {
    page: "eval/meta/README.md",
    holds: "--run seed0",
    blanks: {
      "DEV.jsonl": "dev.jsonl",
      FOLDER_OF_PYTHON_CODE: "code",
      "cat dev.jsonl eval/lab/natural/a.jsonl eval/lab/natural/b.jsonl": "cat dev.jsonl",
    },
    prepare: writeDev,
    prints: [/^\{"children":2,/m],
    slow: true,
  },
  {
    page: "eval/meta/README.md",
    holds: "--measured",
    blanks: { "DEV.jsonl": "dev.jsonl", "seq 20": "seq 1" },
    prepare: writeDev,
    prints: [/^\{"children":0,/m, /^\{"children":2,/m],
  },
  {
    page: "eval/meta/ENDPOINT.md",
    holds: "--plan",
    blanks: { "https://…/v1": '"$OPENAI_BASE_URL"', "KEY=…": "KEY=key", NAME: "scripted", "IN,OUT": "1,2" },
    prints: [/"validation"/],
  },
  { page: "utils/inference/README.md", holds: "--threads", prints: null, not: "it wants the weights of a model" },
];

const FENCES = PAGES.flatMap(fencesOf).filter(({ code }) => /npx tsx |^mend /m.test(code));
const scriptsOf = ({ page, code }: Fence) => SCRIPTS.filter((row) => row.page === page && code.includes(row.holds));

test("each script of the pages is one of the table, each row of the table one script", () => {
  expect(FENCES.filter((fence) => scriptsOf(fence).length !== 1)).toEqual([]);
  expect(SCRIPTS.filter((row) => FENCES.filter((fence) => scriptsOf(fence).includes(row)).length !== 1)).toEqual([]);
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

test("the demo shows what its page shows, but for the seconds", async () => {
  using folder = temporaryFolder();
  const { exitCode, output } = await new Reader(folder.path).run("mend demo", {});
  const masked = (text: string) => text.replace(/\d+(?:\.\d+)? s\b/g, "N s");
  const [shown] = fencesOf("agent/README.md").filter(({ code }) => code.startsWith("Builtin/0"));
  const lines = masked(shown?.code ?? "").split("\n");
  const parts = lines.map((line) => line.replace(/…\}?$/, "").trim()).filter((line) => line !== "");
  expect(exitCode).toBe(0);
  expectInOrder(
    masked(output),
    parts.map((part) => new RegExp(part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))),
  );
});

for (const fence of FENCES)
  for (const row of scriptsOf(fence)) {
    const name = `${row.page}: ${row.holds}`;
    test.skipIf(row.not !== undefined || (row.slow && !isSlow))(name, async () => {
      using folder = temporaryFolder();
      const reader = new Reader(folder.path);
      row.prepare?.(folder.path);
      const { code } = fence;
      await using redis = (await (code.includes("HOST") ? REDIS?.start() : undefined)) ?? null;
      await using model = await startFakeOpenAI({ models: ["scripted"], reply: ({ body }) => REPAIR(body.messages) });
      const filled = filledIn(code, row).replaceAll("redis://HOST", redis?.url ?? "");
      const script = `${row.before ?? ""}\n${filled}`;
      // Without a name of a model, one that is at hand would be taken.
      const isGiven = code.includes("NAME");
      const { exitCode, output } = await reader.run(script, isGiven ? { OPENAI_BASE_URL: model.url } : {});
      expect(exitCode, output).toBe(0);
      expectInOrder(output, row.prints ?? []);
      const lasting = await reader.stop();
      expect(lasting).toEqual(
        (row.lasting ?? []).map((said) => ({ exitCode: 0, output: expect.stringMatching(said) })),
      );
    });
  }
