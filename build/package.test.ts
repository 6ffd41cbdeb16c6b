/** The package as a user has it: packed, installed in an empty folder, run by its own command. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { codeHash } from "../eval/run/manifest.ts";
import { makeTemporaryFolder } from "../utils/files/temporary.ts";
import { execute, installOffline, pack } from "./testing/packed.ts";

let project = "";
let paths: string[] = [];
const mend = (...args: string[]) =>
  execute([process.execPath, join(project, "node_modules/mend/dist/cli/mend.js"), ...args], project);

beforeAll(() => {
  const folder = makeTemporaryFolder("packed").path;
  const packed = pack(folder);
  paths = packed.paths;
  project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"name":"project","type":"module","private":true}');
  installOffline(packed.archive, project, ["@huggingface/transformers", "tsx"]);
});

const BUGGY = 'def half(x):\n    """Half of x."""\n    return x * 2\n';
const TESTS = "from half import half\n\nassert half(4) == 2\nassert half(10) == 5\n";

test("holds neither tests nor what only tests need, and says its version", async () => {
  expect(paths.filter((path) => /\.test\.|\/testing\/|\/fixtures\/|__pycache__/.test(path))).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(project, "node_modules/mend/package.json"), "utf8"));
  expect(await mend("--version")).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
});

test("repairs a file, and calls itself mend", async () => {
  writeFileSync(join(project, "half.py"), BUGGY);
  writeFileSync(join(project, "test_half.py"), TESTS);
  const { exitCode, stdout } = await mend("repair", "half.py", "--model", "search");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^- {4}return x \* 2\n\+ {4}return x \S+ 2$/m);
  const wrong = await mend("repair");
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("usage: mend repair FILE ")]);
});

test("measures a model as a clone does, with the same hash of the code, and reports the run", async () => {
  const measured = await mend(
    "eval",
    "--model",
    "search",
    "--dataset",
    "builtin",
    "--num",
    "2",
    "--few-shot-k",
    "0",
    "--run",
    "r",
    "--json",
  );
  expect(measured.exitCode).toBe(0);
  expect(JSON.parse(measured.stdout)).toMatchObject({ num: 2 });
  const manifest = JSON.parse(readFileSync(join(project, "runs/r/manifest.json"), "utf8"));
  expect(manifest).toMatchObject({ decides: { code: codeHash() }, git_commit: null });
  const reported = await mend("report", "r");
  expect([reported.exitCode, reported.stdout]).toEqual([0, "runs/r/report.html\n"]);
  expect(readFileSync(join(project, "runs/r/report.html"), "utf8")).toContain("</html>");
});

const PROGRAM = `
import { createModel, createRepairGraph, createSandbox, createTask, flushTraces, type Step, tracers, UserError } from "mend";

await using sandbox = await createSandbox();
const model = await createModel("search");
const graph = createRepairGraph({ model, sandbox, limits: { maxIterations: 4 } });
const task = createTask({ code: "def half(x):\\n    return x * 2\\n", entryPoint: "half", tests: "assert half(4) == 2" });
const turns: Step[] = [];
for await (const step of await graph.stream({ task }, { streamMode: "custom" })) turns.push(step);
const { answer, verified } = await graph.invoke({ task }, { callbacks: tracers() });
for (const lost of await flushTraces()) console.error(lost);
const text: string | null = answer;
console.log(JSON.stringify({ text, verified, turns: turns.length, isUserError: new UserError("x") instanceof Error }));
await model.close();
`;

/** The TypeScript 5 of LangGraph Studio, where that is installed. */
const OLDER_COMPILER = new URL("../examples/studio/node_modules/typescript/bin/tsc", import.meta.url);

test("the library is typed for a strict program that checks its libraries' declarations too, and works in it", async () => {
  writeFileSync(join(project, "program.ts"), PROGRAM);
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023", "esnext.disposable", "dom"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: false,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  // LangChain's own declarations do not keep to this option, so only what is ours is looked at.
  const exact = ["node_modules/typescript/bin/tsc", "--exactOptionalPropertyTypes"];
  const compiled = await execute([process.execPath, ...exact], project);
  const ours = compiled.stdout.split("\n").filter((line) => /^program\.ts|node_modules\/mend\//.test(line));
  expect(ours).toEqual([]);
  if (existsSync(OLDER_COMPILER)) {
    const older = await execute([process.execPath, OLDER_COMPILER.pathname], project);
    expect(older).toMatchObject({ exitCode: 0, stdout: "" });
  }
  const ran = await execute([process.execPath, "program.js"], project);
  expect(ran.stderr).toBe("");
  expect(JSON.parse(ran.stdout)).toMatchObject({ text: expect.stringContaining("def half"), verified: true, turns: 3 });
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

test("commands and options that are nearly right are suggested", async () => {
  expect(await mend("repor")).toMatchObject({
    exitCode: 2,
    stderr: "error: Unknown command 'repor'. Did you mean report? See --help.\n",
  });
  expect(await mend("eval", "--modle", "x")).toMatchObject({
    exitCode: 2,
    stderr: "error: Unknown option '--modle'. Did you mean --model? See --help.\n",
  });
  expect(await mend("eval", "--model", "--json")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--model needs a value"),
  });
  expect((await mend("models")).stdout).toContain("Usage: mend models COMMAND");
});
