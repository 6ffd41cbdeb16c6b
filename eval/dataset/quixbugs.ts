/**
 * QuixBugs from a folder: `python_programs/NAME.py`, `correct_python_programs/NAME.py` and `json_testcases/NAME.json`
 * with one `[arguments, expected]` a line. The first case is visible, the others are hidden.
 * Source of the format: Lin et al. 2017, "QuixBugs"; `tester.py` of its repository (an argument that is no list stands
 * for a list of one, and what a generator yields is compared as a list).
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileError, UserError } from "../../utils/errors.ts";
import type { ProgramParts } from "../../utils/languages/language.ts";
import { topLevelBlocks } from "../../utils/languages/python/blocks.ts";
import { dedentCode, indentCode } from "../../utils/languages/python/indent.ts";
import { type Literal, pythonLiteral } from "../../utils/languages/python/literal.ts";
import { partsAround } from "../../utils/languages/python/parts.ts";
import { stringEnd } from "../../utils/languages/python/scan.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { type Task, testHelpers } from "../../utils/task.ts";
import { SCORE_TIMEOUT_MS } from "../scorer.ts";
import { type Admitted, admit, type LeftOut, shortcoming } from "./admission.ts";

const BUGGY = "python_programs";
const CORRECT = "correct_python_programs";
const CASES = "json_testcases";

export const isQuixBugs = (folder: string): boolean => existsSync(join(folder, BUGGY));

/** A test case: its line as it stands in the file, and as Python. */
interface Case {
  json: string;
  call: string;
  expected: Literal;
}

interface Program {
  id: string;
  name: string;
  buggy: ProgramParts;
  /** What the string at the end of the file says the function does; empty where there is none. */
  description: string;
  correct: ProgramParts;
  correctSource: string;
  cases: Case[];
}

/**
 * Every program of the folder as a task, in the order of the names. Left out are programs without test cases (those on
 * graphs) and those whose correct version does not pass its own cases here.
 * @throws UserError where a file cannot be read or a line is no test case
 */
export async function readQuixBugs(folder: string, sandbox: Sandbox): Promise<Admitted> {
  const names = readdirSync(join(folder, BUGGY))
    .flatMap((file) => (/^[A-Za-z_]\w*\.py$/.test(file) ? file.slice(0, -3) : []))
    .filter((name) => name !== "__init__")
    .sort();
  const programs = names.map((name) => readProgram(folder, name));
  const complete = programs.filter((program) => "cases" in program);
  const { tasks, leftOut } = await admit(complete, (program) => toTask(program, sandbox));
  const incomplete = programs.filter((program) => "reason" in program);
  const order = (one: LeftOut, other: LeftOut) => (one.id < other.id ? -1 : 1);
  return { tasks, leftOut: [...incomplete, ...leftOut].sort(order) };
}

function readProgram(folder: string, name: string): Program | LeftOut {
  const id = `QuixBugs/${name}`;
  const file = (part: string, extension: string) => join(folder, part, `${name}.${extension}`);
  if (!existsSync(file(CASES, "json"))) return { id, reason: `there is no ${CASES}/${name}.json` };
  if (!existsSync(file(CORRECT, "py"))) return { id, reason: `there is no ${CORRECT}/${name}.py` };
  const correctSource = read(file(CORRECT, "py"));
  const { code, description } = takeDescription(read(file(BUGGY, "py")));
  const buggy = partsAround(code, name);
  const correct = partsAround(takeDescription(correctSource).code, name);
  if (!buggy || !correct) return { id, reason: `a program does not define a function ${name}` };
  const cases = readCases(file(CASES, "json"), name);
  if (cases.length < 2) return { id, reason: `it has ${cases.length} test cases; one is shown, so two are needed` };
  return { id, name, buggy, description, correct, correctSource, cases };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .replace(/\r\n?/g, "\n");
  } catch (error) {
    throw fileError(error, file);
  }
}

/** The source without the string literals that stand in it as statements of their own, and the text of the last one. */
function takeDescription(source: string): { code: string; description: string } {
  const { blocks, tail } = topLevelBlocks(source);
  const isText = (text: string) =>
    /^[rRuU]?["']/.test(text) && stringEnd(text, text.search(/["']/)).end === text.trimEnd().length;
  const texts = blocks.filter(({ kind, text }) => kind === "other" && isText(text));
  const code = blocks
    .filter((block) => !texts.includes(block))
    .map(({ lead, text }) => lead + text)
    .join("");
  const last =
    texts
      .at(-1)
      ?.text.trim()
      .replace(/^[rRuU]?("""|'''|"|')([\s\S]*)\1$/, "$2") ?? "";
  return { code: (code + tail).trimEnd().concat("\n"), description: dedentCode(last.replace(/^\n+/, "")).trim() };
}

function readCases(file: string, name: string): Case[] {
  return read(file)
    .split("\n")
    .flatMap((json, i) => (json.trim() === "" ? [] : [readCase(json.trim(), name, `${file}, line ${i + 1}`)]));
}

function readCase(json: string, name: string, where: string): Case {
  let items: Literal[] | null;
  try {
    ({ items } = pythonLiteral(json));
  } catch (error) {
    throw new UserError(`${where}: not valid JSON (${error instanceof Error ? error.message : error}).`);
  }
  const [given, expected] = items ?? [];
  if (items?.length !== 2 || !given || !expected)
    throw new UserError(`${where}: a line must be [arguments, expected].`);
  const call = `${name}(${(given.items ?? [given]).map(({ source }) => source).join(", ")})`;
  return { json, call, expected };
}

async function toTask(program: Program, sandbox: Sandbox): Promise<Task | string> {
  const { id, name, buggy, description, correct, correctSource, cases } = program;
  const [shown, ...hidden] = cases;
  if (!shown) return "it has no test cases";
  const task: Task = {
    id,
    language: "python",
    entryPoint: name,
    instruction: description || `Correct \`${name}\` so that it does what its name says.`,
    declaration: buggy.declaration,
    buggyCode: buggy.body,
    epilogue: buggy.epilogue,
    exampleTest: "",
    hiddenTest: caseTest(name, hidden),
    documentedDeclaration: withDocstring(buggy.declaration, description),
    canonicalCode: surroundings(buggy) === surroundings(correct) ? correct.body : "",
    bugType: "one line",
  };
  const passes = async (test: string) =>
    shortcoming(sandbox, {
      program: correctSource,
      entryPoint: name,
      test,
      helpers: testHelpers(task),
      timeoutMs: SCORE_TIMEOUT_MS,
    });
  const fails = await passes(task.hiddenTest);
  if (fails) return `its correct program does not pass: ${fails}`;
  // The plainest form that holds: an assertion as people write it, else the comparison that scores the hidden cases.
  for (const exampleTest of [...plainTests(name, shown), caseTest(name, [shown])]) {
    if ((await passes(exampleTest)) === null) return { ...task, exampleTest };
  }
  return "its correct program does not pass the first case";
}

const surroundings = ({ declaration, epilogue }: ProgramParts) => JSON.stringify([declaration, epilogue.trim()]);

const withDocstring = (declaration: string, description: string): string =>
  description === ""
    ? declaration
    : `${declaration}${indentCode(`"""${description.replaceAll('"""', "'''")}"""`, "    ")}\n`;

function plainTests(name: string, { call, expected }: Case): string[] {
  const assertion = (value: string) => `def check(${name}):\n    assert ${value}\n\ncheck(${name})\n`;
  if (expected.isFloat) return [assertion(`abs(${call} - ${expected.source}) < ${TOLERANCE}`)];
  return [assertion(`${call} == ${expected.source}`), assertion(`list(${call}) == ${expected.source}`)];
}

/** Of a float, relative and absolute: another order of the same operations must not fail. As evalplus for its floats. */
const TOLERANCE = "1e-6";

/** A test of all `cases`. JSON has no tuples and no generators: a sequence is a sequence here. */
const caseTest = (name: string, cases: readonly Case[]): string => `import json, math

def same(found, expected):
    if hasattr(type(found), "__next__"):
        found = list(found)
    if isinstance(expected, list):
        return (
            isinstance(found, (list, tuple))
            and len(found) == len(expected)
            and all(same(*pair) for pair in zip(found, expected))
        )
    if isinstance(expected, dict):
        if not isinstance(found, dict):
            return False
        found = {str(key): value for key, value in found.items()}
        return found.keys() == expected.keys() and all(same(found[key], expected[key]) for key in expected)
    if isinstance(expected, float) or isinstance(found, float):
        if not all(isinstance(side, (int, float)) for side in (found, expected)):
            return False
        return found == expected or math.isclose(found, expected, rel_tol=${TOLERANCE}, abs_tol=${TOLERANCE})
    return found == expected

def check(${name}):
    for case in [
${cases.map(({ json }) => `        ${JSON.stringify(json)},\n`).join("")}    ]:
        arguments, expected = json.loads(case)
        found = ${name}(*(arguments if isinstance(arguments, list) else [arguments]))
        assert same(found, expected), "expected %r" % (expected,)

check(${name})
`;
