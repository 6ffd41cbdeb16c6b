/** Files of Python in a project. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Outline, type OutlineRequest } from "../outline.ts";
import type { LineRange } from "../places.ts";
import type { RunConfined, SourceFiles, SyntaxProblem } from "../source_files.ts";
import { functionsIn } from "./functions.ts";
import { testsWithin } from "./tests_within.ts";

export const pythonFiles: SourceFiles = {
  hasCode: () => true,
  functions: functionsIn,
  testLines,
  testsWithin,
  imports: (text) => [...text.matchAll(/^\s*(?:from|import)\s+(\w+)/gm)].flatMap(([, name]) => name ?? []),
  importsFrom: /^(?:src\/|lib\/)?$/,
  substance: (text) =>
    text
      .split("\n")
      .map((line) => line.replace(/(^|\s)#[^'"]*$/, ""))
      .map((line) => line.trimEnd().replace(/(?<=\S)\s+/g, " "))
      .filter((line) => line.trim() !== "")
      .join("\n"),
  tracePlace: /File "([^"\n]+)", line (\d+)/,
  packageFolders: [".venv", "venv"],
  madeFolders: ["__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache"],
  sharedTestFiles: ["conftest.py"],
  testName: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/i,
  settings: [/tox\.ini/, /noxfile\.py/, /setup\.cfg/, /pyproject\.toml/, /(?:sitecustomize|usercustomize)\.py/],
  testsOf: (stem, ending) => [`test_${stem}${ending}`, `${stem}_test${ending}`],
  usualTests: "pytest",
  buildFiles: {},
  installer: "uv",
  outline,
  syntaxProblem,
};

/** `tests/test_a.py::TestA::test_b[1]` is the method `TestA.test_b`. */
function testLines(text: string, test: string): LineRange | null {
  const name = test.split("::").slice(1).join(".").replace(/\[.*$/s, "");
  return functionsIn(text).find((one) => one.name === name) ?? null;
}

const SCRIPT = fileURLToPath(new URL("./outline.py", import.meta.url));

async function outline({ text, interpreter }: OutlineRequest): Promise<Outline> {
  const executable = await interpreter();
  return new Promise((resolve, reject) => {
    const child = execFile(executable, ["-I", "-S", SCRIPT], { timeout: 60_000 }, (error, stdout) => {
      if (error) return reject(error);
      resolve(Outline.parse(JSON.parse(stdout)));
    });
    child.stdin?.on("error", () => {}).end(text);
  });
}

async function syntaxProblem(_: string, text: string, run: RunConfined): Promise<SyntaxProblem | null> {
  // The text is data in a program that compiles it and does not run it.
  const code = `compile(${JSON.stringify(text)}, "file", "exec")`;
  const { status, exitCode, stderr } = await run({ code, timeoutMs: 10_000 });
  if (status === "exited" && exitCode === 0) return null;
  const line = Number(/File "file", line (\d+)/.exec(stderr)?.[1] ?? 1);
  return { line, message: stderr.trim().split("\n").at(-1) ?? "it cannot be read" };
}
