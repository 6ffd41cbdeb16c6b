/** Tests of a QuixBugs program: read from its folder, made from its JSON cases, or its own test file. */

import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { readForeign } from "../../../utils/base/files/foreign_file.ts";
import { topLevelBlocks } from "../../../utils/languages/python/blocks.ts";
import { type Literal, pythonLiteral } from "../../../utils/languages/python/literal.ts";

export const CASES = "json_testcases";
export const TESTS = "python_testcases";

/** A test case: its line as it stands in the file, and as Python. */
export interface Case {
  /** Its number in the file, from 1. */
  line: number;
  json: string;
  call: string;
  expected: Literal;
}

/** `python_testcases/test_NAME.py`, and what it imports of the folder. */
export interface TestSources {
  source: string;
  /** Sources by name of module. */
  modules: Record<string, string>;
}

export class NotUtf8 extends Error {
  readonly file: string;

  constructor(file: string) {
    super(`${file} is not UTF-8`);
    this.file = file;
  }
}

/** Without a byte order mark, its lines as Unix ends them. @throws NotUtf8, UserError where it cannot be read */
export function readText(root: string, name: string): string {
  const bytes = readForeign(root, name);
  if (!isUtf8(bytes)) throw new NotUtf8(join(root, name));
  return new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n");
}

const IMPORT = /^(?:from|import)\s+(?:(?:correct_)?python_(?:programs|testcases)\.)?(\w+)/gm;

/**
 * The test file of a program with the modules of the folder that it imports; null where there is none.
 * @param programs folders of programs
 */
export function readTestFile(folder: string, name: string, programs: readonly string[]): TestSources | null {
  const file = join(TESTS, `test_${name}.py`);
  if (!existsSync(join(folder, file))) return null;
  // What is relative to their folder is found by its name, too.
  const source = readText(folder, file).replace(/^(from\s+)\.(?=\w)/gm, "$1");
  const modules = [...source.matchAll(IMPORT)].flatMap(([, module = ""]) => {
    if (module === name) return [];
    const places = [TESTS, ".", ...programs].map((part) => join(part, `${module}.py`));
    const found = module === "load_testdata" ? undefined : places.find((place) => existsSync(join(folder, place)));
    return found === undefined ? [] : [[module, readText(folder, found)]];
  });
  return { source, modules: Object.fromEntries(modules) };
}

/** @throws NotUtf8, UserError where a line is no test case */
export function readCases(folder: string, file: string, name: string): Case[] {
  const where = join(folder, file);
  return readText(folder, file)
    .split("\n")
    .flatMap((json, i) => (json.trim() === "" ? [] : [readCase(json.trim(), name, where, i + 1)]));
}

function readCase(json: string, name: string, file: string, line: number): Case {
  const where = `${file}, line ${line}`;
  let items: Literal[] | null;
  try {
    ({ items } = pythonLiteral(json));
  } catch (error) {
    throw new UserError(`${where}: not valid JSON (${messageOf(error)}).`);
  }
  const [given, expected] = items ?? [];
  if (items?.length !== 2 || !given || !expected)
    throw new UserError(`${where}: a line must be [arguments, expected].`);
  const call = `${name}(${(given.items ?? [given]).map(({ source }) => source).join(", ")})`;
  return { line, json, call, expected };
}

/** An assertion as people write it, in the two forms that may hold. */
export function plainTests(name: string, { call, expected }: Case): string[] {
  const assertion = (value: string) => `def check(${name}):\n    assert ${value}\n\ncheck(${name})\n`;
  if (expected.isFloat) return [assertion(`abs(${call} - ${expected.source}) < ${TOLERANCE}`)];
  return [assertion(`${call} == ${expected.source}`), assertion(`list(${call}) == ${expected.source}`)];
}

/**
 * Of a float, relative and absolute: another order of the same operations must not fail. As evalplus for its floats.
 */
const TOLERANCE = "1e-6";

/** A test of all `cases`. JSON has no tuples and no generators: a sequence is a sequence here. */
export const caseTest = (name: string, cases: readonly Case[]): string => `import json, math

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

const SUBSET = readFileSync(new URL("./pytest_subset.py", import.meta.url), "utf8");

/**
 * The test file as it stands, with what it needs of pytest and of the folder. @param runSlow also what it skips as slow
 */
export function fileTest(
  name: string,
  { source, modules }: TestSources,
  cases: readonly Case[],
  runSlow: boolean,
): string {
  const texts = Object.entries(modules).map(([module, text]) => `${literal(module)}: ${literal(text)}`);
  const lines = cases.map(({ json }) => literal(json));
  const rest = [`[${lines.join(", ")}]`, `{${texts.join(", ")}}`, runSlow ? "True" : "False"];
  return `${SUBSET}\n\nrun_tests(${[literal(source), literal(name), name, ...rest].join(", ")})\n`;
}

/** A string of JSON is a string of Python. */
const literal = (text: string): string => JSON.stringify(text);

/**
 * The first test function of a file of several, as a test that runs by itself: with what it needs of the folder,
 * without the other tests. Null where it needs pytest.
 */
export function firstTest({ source, modules }: TestSources): string | null {
  const { blocks } = topLevelBlocks(source);
  const tests = blocks.filter(({ kind, name }) => kind === "function" && name.startsWith("test"));
  const [first] = tests;
  if (!first || tests.length < 2) return null;
  const others = blocks.filter((block) => !tests.includes(block) && !isPlumbing(block.text, modules));
  const name = new RegExp(`\\b${first.name}\\b`);
  const kept = [...others.map(({ lead, text }) => lead + text), first.lead + first.text.replace(name, "check")].join(
    "",
  );
  if (/\bpytest\b|\bload_testdata\b/.test(kept)) return null;
  return `${[...Object.values(modules), kept].map((text) => text.trim()).join("\n\n\n")}\n\n\ncheck()\n`;
}

/** Imports of the program, of pytest and of the folder, and what chooses between the programs. */
function isPlumbing(statement: string, modules: Record<string, string>): boolean {
  const [, module] = /^(?:from|import)\s+(\w+)/.exec(statement) ?? [];
  if (module === undefined) return /^if\b[^\n]*\bpytest\b/.test(statement);
  return (
    ["pytest", "python_programs", "correct_python_programs", "python_testcases"].includes(module) ||
    Object.hasOwn(modules, module)
  );
}
