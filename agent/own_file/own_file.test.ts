import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserError } from "../../utils/errors.ts";
import { topLevelBlocks } from "../../utils/languages/javascript/blocks.ts";
import { extractFunction } from "../../utils/languages/python/parts.ts";
import { hasPackage } from "../../utils/project/python_environment.ts";
import { type CommandBox, openCommandBox } from "../../utils/sandbox/command_box.ts";
import { findPython, findSharedPython } from "../../utils/sandbox/python.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { Layer, Sandbox } from "../../utils/sandbox/types.ts";
import { parseSpec } from "../models/create.ts";
import { parseRules, ScriptedChat } from "../models/script.ts";
import { type OwnFileRequest, repairOwnFile } from "./run.ts";
import { JAVASCRIPT_PROJECTS } from "./testing/javascript_projects.ts";
import { changed, makeProject, type TestProject } from "./testing/project.ts";
import { PYTHON_PROJECTS } from "./testing/python_projects.ts";

const PROJECTS = [...PYTHON_PROJECTS, ...JAVASCRIPT_PROJECTS];
/** Where mend's own packages are; another folder may hold what mend does not install (jest). */
const MODULES = [join(import.meta.dirname, "../../node_modules"), process.env.MEND_TEST_MODULES ?? ""];

let sandbox: Sandbox;
let commandBox: CommandBox;
beforeAll(async () => {
  sandbox = await openSandbox({ concurrency: 1 });
  commandBox = await openCommandBox();
});
afterAll(() => sandbox.close());

/** The definition of the function as a model would answer with it. */
function definition(project: TestProject, text: string): string {
  const name = project.function.split(".")[0] ?? "";
  if (project.target.endsWith(".py")) return extractFunction(text, name)?.text ?? "";
  return (
    topLevelBlocks(text).blocks.findLast(({ names, kind }) => names.includes(name) && kind !== "import")?.text ?? ""
  );
}

const reply = (code: string) => `Thought: I see.\nFinal Answer:\n\`\`\`\n${code}\n\`\`\``;

/** A model that answers where it was told the name of the failing test, and counts its calls. */
function scripted(fails: string, code: string) {
  const rules = [{ seen: fails, reply: reply(code) }];
  const chat = new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules"));
  const opened = { count: 0 };
  return {
    opened,
    openModel: async () => {
      opened.count += 1;
      return { name: "script", kind: parseSpec("script:rules").kind, chat };
    },
  };
}

/** Repairs the project with `target` as the text of its file; the model answers with `answer`. */
async function repairIn(
  project: TestProject,
  { target, answer, tests, ...request }: { target: string; answer?: string; tests?: string } & Partial<OwnFileRequest>,
  box = commandBox,
) {
  const files = {
    ...project.files,
    ...(tests === undefined ? {} : { [project.tests]: tests }),
    [project.target]: target,
  };
  using folder = makeProject({ files }, modulesFor(project));
  const model = scripted(project.fails, definition(project, answer ?? target));
  const options: OwnFileRequest = {
    file: folder.at(project.target),
    name: project.function,
    tests: folder.at(project.tests),
    maxIterations: 2,
    timeoutMs: 300_000,
    testSeconds: 60,
    ...request,
  };
  const outcome = await repairOwnFile(options, {
    ...model,
    openSandbox: async () => sandbox,
    openBox: async () => box,
  }).catch((error: unknown) => {
    if (error instanceof UserError) return error.message;
    throw error;
  });
  const backup = folder.at(`${project.target}.orig`);
  return {
    outcome,
    after: readFileSync(folder.at(project.target), "utf8"),
    backup: existsSync(backup) ? readFileSync(backup, "utf8") : null,
    asked: model.opened.count,
  };
}

const modulesFor = ({ needs }: TestProject): string | null =>
  needs?.npm === undefined
    ? null
    : (MODULES.find((folder) => existsSync(join(folder, needs.npm ?? "", "package.json"))) ?? null);

/** Why the project cannot run here; empty where it can. */
async function missing({ needs }: TestProject, layer: Layer | "auto"): Promise<string> {
  if (needs?.npm && modulesFor({ needs } as TestProject) === null) {
    return `${needs.npm} is not installed (name a node_modules folder that has it in MEND_TEST_MODULES)`;
  }
  if (needs?.python === undefined) return "";
  const found = await findPython();
  const python = layer === "auto" || layer === "bwrap" ? found : await findSharedPython(found);
  return (await hasPackage(python, needs.python)) ? "" : `${python.executable} has no ${needs.python}`;
}

describe.each(PROJECTS)("$name", (project) => {
  const correct = project.files[project.target] ?? "";
  const buggy = changed(correct, project.bug);
  const wrong = changed(correct, project.wrong);

  test("a correct file stays, and nobody is asked", async ({ skip }) => {
    const why = await missing(project, "auto");
    skip(why !== "", why);
    const { outcome, after, asked } = await repairIn(project, { target: correct, write: true });
    expect(outcome).toMatchObject({ outcome: "nothing_to_repair" });
    expect([after, asked]).toEqual([correct, 0]);
  });

  test("the right answer is applied", async ({ skip }) => {
    const why = await missing(project, "auto");
    skip(why !== "", why);
    const { outcome, after, backup } = await repairIn(project, { target: buggy, answer: correct, write: true });
    expect(outcome).toMatchObject({ outcome: "repaired" });
    expect(after).toBe(correct);
    expect(backup).toBe(buggy);
    if (project.framework) expect(outcome).toMatchObject({ framework: project.framework });
  });

  test("a wrong answer is refused with the name of the test", async ({ skip }) => {
    const why = await missing(project, "auto");
    skip(why !== "", why);
    const { outcome, after } = await repairIn(project, { target: buggy, answer: wrong, write: true });
    expect(outcome).toMatchObject({ outcome: "not_repaired" });
    expect(JSON.stringify(outcome)).toContain(JSON.stringify(project.fails).slice(1, -1));
    expect(after).toBe(buggy);
  });

  test("broken tests are one sentence, and nobody is asked", async ({ skip }) => {
    const why = await missing(project, "auto");
    skip(why !== "", why);
    const tests = changed(
      project.tests === project.target ? buggy : (project.files[project.tests] ?? ""),
      project.broken,
    );
    const target = project.tests === project.target ? tests : buggy;
    const { outcome, asked } = await repairIn(project, { target, tests });
    expect(outcome).toMatch(project.says);
    expect(outcome).not.toContain("\n");
    expect(asked).toBe(0);
  });
});

const IN_COPIES = ["a module that imports a neighbour", "src layout", "CommonJS", "node:test in .mjs", "TypeScript"];

describe.each(["landlock", "plain"] as const)("under %s, where tests run in a copy of the project", (layer) => {
  test.each(PROJECTS.filter(({ name }) => IN_COPIES.some((part) => name.startsWith(part))))(
    "$name",
    async (project) => {
      const box = await openCommandBox({ layer }).catch(() => null);
      if (!box) return console.warn(`the ${layer} layer does not work here: skipped`);
      const correct = project.files[project.target] ?? "";
      const target = changed(correct, project.bug);
      const right = await repairIn(project, { target, answer: correct, write: true }, box);
      expect([right.outcome, right.after]).toMatchObject([{ outcome: "repaired", sandbox: layer }, correct]);
      const wrong = await repairIn(project, { target, answer: changed(correct, project.wrong), write: true }, box);
      expect([wrong.outcome, wrong.after]).toMatchObject([{ outcome: "not_repaired" }, target]);
    },
  );
});

const [first] = PYTHON_PROJECTS;
const PLAIN = {
  name: "plain",
  framework: "asserts",
  files: {
    "twice.py": "def twice(x):\n    return x * 2\n",
    "checks.py": "from twice import twice\n\nassert twice(2) == 4\nassert twice(0) == 0\n",
  },
  target: "twice.py",
  function: "twice",
  tests: "checks.py",
  bug: ["x * 2", "x + 1"],
  wrong: ["x * 2", "x - 1"],
  fails: "line 3: assert twice(2) == 4",
  broken: ["", ""],
  says: /./,
} satisfies TestProject;

test.each([
  ["ends the run early", "import os\n\n\ndef twice(x):\n    os._exit(0)\n"],
  ["ends it as if all had passed", "import sys\n\n\ndef twice(x):\n    sys.exit(0)\n"],
  [
    "writes a report of its own that lacks a test",
    `import os, sys


def twice(x):
    with open(sys.argv[2], "w") as file:
        file.write('{"name": "made up", "status": "passed", "message": ""}\\n{"end": true}\\n')
    os._exit(0)
`,
  ],
])("an answer that %s is no repair", async (_, answer) => {
  const target = "import os\n\n\ndef twice(x):\n    return x + 1\n";
  const project = { ...PLAIN, function: "twice" };
  const files = { ...project.files, "twice.py": target };
  using folder = makeProject({ files });
  const rules = [{ reply: reply(answer) }];
  const chat = new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules"));
  const outcome = await repairOwnFile(
    {
      file: folder.at("twice.py"),
      name: "twice",
      tests: folder.at("checks.py"),
      maxIterations: 1,
      timeoutMs: 300_000,
      testSeconds: 60,
    },
    {
      openModel: async () => ({ name: "script", kind: parseSpec("script:rules").kind, chat }),
      openSandbox: async () => sandbox,
      openBox: async () => commandBox,
    },
  );
  expect(outcome).toMatchObject({ outcome: "not_repaired", diff: "" });
});

test("a command of the user's own is judged by its exit code", async () => {
  const target = changed(PLAIN.files["twice.py"], ["x * 2", "x + 1"]);
  const testCommand = "grep -q 'x \\* 2' twice.py";
  const project = { ...PLAIN, fails: "grep -q" };
  const { outcome, after } = await repairIn(project, {
    target,
    answer: PLAIN.files["twice.py"],
    testCommand,
    write: true,
  });
  expect(outcome).toMatchObject({ outcome: "repaired", framework: null, test_command: testCommand });
  expect(after).toBe(PLAIN.files["twice.py"]);
});

test("the user's own pytest command is told of by test", async ({ skip }) => {
  const why = first ? await missing(first, "auto") : "";
  skip(!first || why !== "", why);
  if (!first) return;
  const correct = first.files[first.target] ?? "";
  const { outcome } = await repairIn(first, {
    target: changed(correct, first.bug),
    answer: correct,
    testCommand: "pytest -k 'discount' test_pricing.py",
  });
  expect(outcome).toMatchObject({ outcome: "repaired", framework: "pytest" });
  expect(outcome).toMatchObject({ before: { passing: ["test_pricing.py::test_discount[50-0-50.0]"] } });
});
