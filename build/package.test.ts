/** The package as a user has it: packed, installed in an empty folder, run by its own command. */
// @module-tag deep

import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { codeHash } from "../eval/run/manifest.ts";
import { makeTemporaryFolder } from "../utils/base/files/temporary.ts";
import { ended, firstOutput } from "../utils/testing/command.ts";
import { isSlow } from "../utils/testing/repeats.ts";
import { firstDay, type Mend, mendOf, smallRepository } from "./testing/first_day.ts";
import { execute, installOffline, isRegistryReachable, pack } from "./testing/packed.ts";
import { compileAndRun } from "./testing/typed_program.ts";

const folder = makeTemporaryFolder("packed").path;
let archive = "";
let project = "";
let paths: string[] = [];
const program = () => [process.execPath, join(project, "node_modules/mend/dist/cli/mend.js")];
const mend: Mend = (...args) => mendOf(program(), project)(...args);
const viewCommand = (): [string, string[]] => [
  process.execPath,
  [...program().slice(1), "view", "--port", "0", "--json"],
];

function emptyProject(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), JSON.stringify({ name, type: "module", private: true }));
  return path;
}

beforeAll(() => {
  const packed = pack(folder);
  paths = packed.paths;
  archive = packed.archive;
  project = emptyProject("project");
  installOffline(archive, project, ["@huggingface/transformers", "tsx"]);
});

test("holds the command, the library and its types; neither tests nor what only tests need; and says its version", async () => {
  expect(paths).toEqual(expect.arrayContaining(["dist/cli/mend.js", "dist/lib/index.js", "dist/types/index.d.ts"]));
  // A folder with a name of those of tests would be left out.
  const root = new URL("../", import.meta.url);
  const runners = execFileSync("git", ["ls-files", "utils/languages/*/runner/*"], { cwd: root, encoding: "utf8" });
  expect(paths).toEqual(expect.arrayContaining(runners.trim().split("\n")));
  expect(paths.filter((path) => /\.test\.|\/testing\/|\/fixtures\/|__pycache__/.test(path))).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(project, "node_modules/mend/package.json"), "utf8"));
  expect(await mend("--version")).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
});

test("carries the licences of the libraries in its bundles", () => {
  const held = readFileSync(join(project, "node_modules/mend/dist/LICENCES.txt"), "utf8");
  for (const name of ["@langchain/openai", "openai", "zod"])
    expect(held).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, (MIT|Apache-2\\.0)\n\n.{20}`, "ms"));
});

test("holds no copy of LangGraph or its core", () => {
  const held = readFileSync(join(project, "node_modules/mend/dist/LICENCES.txt"), "utf8");
  expect(held).not.toMatch(/^@langchain\/(?:core|langgraph)\b/m);
});

test("calls itself mend, and repairs, measures, reports and improves as a clone does, with the same hash of the code", async () => {
  const wrong = await mend("repair");
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("usage: mend repair FILE ")]);
  await firstDay(mend, project);
  const manifest = JSON.parse(readFileSync(join(project, "runs/four/manifest.json"), "utf8"));
  expect(manifest).toMatchObject({ decides: { code: codeHash() }, git_commit: null });
});

test("shows runs in a browser until Ctrl-C", async () => {
  const view = spawn(...viewCommand(), { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
  const text = await firstOutput(view);
  const [, url = ""] = /"url": "([^"]+)"/.exec(text) ?? [];
  expect(await (await fetch(url)).text()).toContain("<html");
  view.kill("SIGINT");
  await ended(view);
  expect([view.exitCode, view.signalCode]).toEqual([0, null]);
});

// As a clone does, which `fix/fix.test.ts` shows.
test.skipIf(!isSlow)("fixes a small repository", async () => {
  const repository = join(project, "shelf");
  smallRepository(repository);
  const fixed = await mend("fix", repository, "--test", "pytest tests", "--model", "search");
  expect([fixed.exitCode, fixed.stdout]).toEqual([0, expect.stringMatching(/^\+ {4}return places - used$/m)]);
  expect(readFileSync(join(repository, "shelf.py"), "utf8")).toContain("places + used");
});

/** The TypeScript 5 of LangGraph Studio, where that is installed. */
const OLDER_COMPILER = new URL("../examples/studio/node_modules/typescript/bin/tsc", import.meta.url);

test("the library is typed for a strict program that checks its libraries' declarations too, and works in it", async () => {
  await compileAndRun(project);
  if (!existsSync(OLDER_COMPILER)) return;
  const older = await execute([process.execPath, OLDER_COMPILER.pathname], project);
  expect(older).toMatchObject({ exitCode: 0, stdout: "" });
});

const Manifest = z.object({ peerDependencies: z.record(z.string(), z.string()) });
const Installed = z.object({ version: z.string() });

test.skipIf(!isRegistryReachable())(
  // The other tests work with versions near the highest.
  `LangGraph and its core are those of the program, at ${isSlow ? "both ends" : "the low end"} of the ranges`,
  async () => {
    const shared = ["@langchain/langgraph", "@langchain/core"];
    const { peerDependencies } = Manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));
    const lowest = shared.map((name) => `${name}@${/^>=(\S+) <2$/.exec(peerDependencies[name] ?? "")?.[1]}`);
    const ends = { lowest, ...(isSlow && { highest: shared.map((name) => `${name}@1`) }) };
    for (const [end, wanted] of Object.entries(ends)) {
      const folder = emptyProject(`peers-${end}`);
      const packages = [archive, "typescript@7.0.2", "@types/node@20.19.43", ...wanted];
      execFileSync("npm", ["install", "--no-audit", ...packages], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
      for (const name of shared) {
        const listed = execFileSync("find", [".", "-path", `*/node_modules/${name}/package.json`], {
          cwd: folder,
          encoding: "utf8",
        });
        const [only, ...others] = listed.trim().split("\n");
        expect([only, others]).toEqual([`./node_modules/${name}/package.json`, []]);
        const { version } = Installed.parse(JSON.parse(readFileSync(join(folder, only ?? ""), "utf8")));
        if (end === "lowest") expect(wanted).toContain(`${name}@${version}`);
      }
      await compileAndRun(folder);
    }
  },
);

test.each([
  ["as it is pasted", (pasted: string) => pasted],
  ["to its end where its sandbox is left open", (pasted: string) => pasted.replace(", sandbox.close()", "")],
])("the README's example runs %s", async (what, changed) => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, example = ""] = /## I build agents[^#]*?```js\n(.*?)```/s.exec(readme) ?? [];
  expect(changed(example) === example).toBe(what === "as it is pasted");
  writeFileSync(join(project, "repair.mjs"), changed(example));
  const ran = await execute([process.execPath, "repair.mjs"], project);
  expect(ran).toEqual({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringMatching(/^true answered def half\(x\):\n {4}return x \/\/? 2\n/),
  });
});

test("compiles the examples of the library as they stand in the repository, and runs them", async () => {
  const examples = new URL("../examples/library/", import.meta.url);
  const files = readdirSync(examples).filter((file) => !file.endsWith(".test.ts"));
  const folder = join(project, "library");
  mkdirSync(folder);
  for (const file of files) copyFileSync(new URL(file, examples), join(folder, file));
  const options = ["--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext", "--types", "node"];
  const compiler = [process.execPath, "../node_modules/typescript/bin/tsc", "--ignoreConfig"];
  const compiled = await execute([...compiler, ...options, "--lib", "es2023,esnext.disposable,dom", ...files], folder);
  expect(compiled).toMatchObject({ exitCode: 0, stdout: "" });
  const ran = async (file: string) =>
    (await execute([process.execPath, file], folder, { MODEL_NAME: "search" })).stdout;
  expect(await ran("judge_code.js")).toMatch(/^right: accepted$/m);
  expect(await ran("in_a_graph.js")).toMatch(/^Please merge:$/m);
});

test("a local model without its library is one sentence with the command that installs it", async () => {
  const model = join(project, "model");
  mkdirSync(join(model, "onnx"), { recursive: true });
  for (const name of ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model_q4.onnx"])
    writeFileSync(join(model, name), "{}");
  const { exitCode, stderr } = await mend("demo", "--dataset", "builtin", "--few-shot-k", "0", "--model", model);
  expect(exitCode).toBe(2);
  expect(stderr.trim().split("\n").at(-1)).toContain("npm install --ignore-scripts @huggingface/transformers@4");
});

test("completions and the help of local models need no library that runs them", async () => {
  expect(await mend("completions", "bash")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await mend("models", "prepare", "--help")).toMatchObject({ exitCode: 0, stderr: "" });
});

const Workflow = z.object({
  env: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.object({ name: z.string().optional(), run: z.string().optional() })) }),
  ),
});

test("the GitHub workflow shows a repair and fails beside it, passes where nothing is wrong, and measures", async () => {
  const text = readFileSync(new URL("../examples/github/mend.yml", import.meta.url), "utf8");
  const { env, jobs } = Workflow.parse(createRequire(import.meta.url)("js-yaml").load(text));
  const folder = join(project, "workflow");
  mkdirSync(join(folder, "bin"), { recursive: true });
  const [node = "", script = ""] = program();
  // Four tasks, one of them failing, are enough to see the steps work.
  const four = `[ "$1" = eval ] && set -- "$@" --num 4\nexec '${node}' '${script}' "$@"\n`;
  writeFileSync(join(folder, "bin/mend"), `#!/bin/sh\n${four}`);
  chmodSync(join(folder, "bin/mend"), 0o755);
  const given = {
    ...env,
    FILE: "half.py",
    TESTS: "test_half.py",
    MIN_PASS: "0.4",
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  };
  const step = (job: string, name: string, more: Record<string, string> = {}) => {
    const found = jobs[job]?.steps.find((one) => one.name === name)?.run ?? "exit 99";
    return execute(["bash", "-e", "-c", found], folder, { ...given, ...more });
  };
  const summary = () => readFileSync(given.GITHUB_STEP_SUMMARY, "utf8");
  writeFileSync(join(folder, "test_half.py"), "from half import half\n\nassert half(3) == 1.5\n");
  writeFileSync(join(folder, "half.py"), "def half(x):\n    return x / 2\n");
  expect(await step("repair", "Repair")).toMatchObject({ exitCode: 0 });
  expect(summary()).toContain("The tests pass.");
  writeFileSync(join(folder, "half.py"), "def half(x):\n    return x * 2\n");
  expect(await step("repair", "Repair")).toMatchObject({ exitCode: 1 });
  expect(summary()).toMatch(/^\+ {4}return x \/ 2$/m);
  expect(await step("measure", "Measure")).toMatchObject({ exitCode: 0 });
  expect(await step("measure", "Measure", { MIN_PASS: "1" })).toMatchObject({ exitCode: 100 });
  expect(await step("measure", "Report")).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain('tests="4"');
});
