/** A Go program that is judged in one process with its tests: when it has to be, and what it is compiled from. */

import type { DeclaredTask } from "../language.ts";
import type { JudgedProgram, SourceText } from "../runtime.ts";
import { changed } from "../tokens.ts";
import { asFileOf, withoutClauses } from "./imports.ts";
import { scan } from "./scan.ts";
import { signatureOf } from "./signature.ts";
import { FIRST, lightList, SOLUTION, TOGETHER } from "./sources.ts";
import { type Declaration, findCallable, type Unit, unitOf } from "./unit.ts";

/** Types, as written, whose values cannot be sent between the processes of tests and program. */
const NEVER_CROSSES =
  /\bfunc\b|\bchan\b|\binterface\s*\{\s*[\p{L}_]|\b(?:io|sync|heap|context)\.\w|\bfmt\.Stringer\b|\bsort\.Interface\b/u;
/** The identity of an error is lost on the way. */
const ASKS_WHICH_ERROR = /\b(?:errors\.(?:Is|As)|ErrorIs|ErrorAs)\b/;
const LOOKS_AT_OUTPUT = /\bos\.(?:Stdout|Stderr|Pipe)\b/;

export function whyInProcess({ program, declaration, entryPoint, test }: DeclaredTask): string | null {
  const unit = unitOf(program);
  const entry = findCallable(unit, entryPoint);
  if (!entry) return null;
  if (entry.receiver !== null) return `\`${entryPoint}\` is a method`;
  if (program.slice(entry.start, entry.parameters).includes("[")) return `\`${entryPoint}\` has parameters of types`;
  const type = typesOf(program, unit, entry).find((one) => NEVER_CROSSES.test(one));
  if (type !== undefined) return `\`${entryPoint}\` takes or gives a \`${type.replace(/\s+/g, " ").slice(0, 80)}\``;
  const behind = usedBehind(unit, declaration, entryPoint, test);
  if (behind !== null) return `its tests use \`${behind}\`, which stands behind \`${entryPoint}\``;
  if (ASKS_WHICH_ERROR.test(test)) return "its tests ask which error came back";
  return LOOKS_AT_OUTPUT.test(test) ? "its tests look at what it prints" : null;
}

/** The types of a signature, and what those that the program declares are made of. */
function typesOf(program: string, unit: Unit, entry: Declaration): string[] {
  const signature = signatureOf(program, entry);
  if (!signature) return [];
  const found = [...signature.parameters, ...signature.results];
  const named = new Map(
    unit.declarations.flatMap(({ kind, names, start, end }) =>
      kind === "type" ? names.map((name) => [name, program.slice(start, end)] as const) : [],
    ),
  );
  for (const type of found)
    for (const [word] of type.matchAll(/[\p{L}_][\p{L}\p{Nd}_]*/gu)) {
      const text = named.get(word);
      named.delete(word);
      if (text !== undefined) found.push(text);
    }
  return found;
}

/** What tests use that the declaration does not hold, as it comes later in the program. */
function usedBehind(unit: Unit, declaration: string, entryPoint: string, test: string): string | null {
  const before = new Set(unitOf(declaration).declarations.flatMap(({ names }) => names));
  const used = wordsOf(test);
  const behind = unit.declarations.flatMap(({ kind, names }) => (kind === "other" ? [] : names));
  return behind.find((name) => name !== entryPoint && !before.has(name) && used.has(name)) ?? null;
}

const wordsOf = (code: string): Set<string> =>
  new Set(scan(code).tokens.flatMap(({ kind, text }) => (kind === "word" ? text : [])));

/** Packages by which a program would reach what is beside it in its process. */
const REACHES = /^(?:unsafe|C|plugin|testing|mend\/.*|solution|tests)$/;

export function inProcessSources({ program, helpers, test }: JudgedProgram): SourceText[] | string {
  const unit = unitOf(program);
  const { tokens } = scan(withoutClauses(program, unit));
  const reached = unit.imports.find(({ path }) => REACHES.test(path));
  if (reached) return `the program imports ${reached.path}, by which it could reach its tests`;
  if (tokens.some(({ kind, text }) => kind === "word" && text === "import"))
    return "the program imports where it may not";
  const together = needsUnexported(helpers, test);
  const taken = together && unit.declarations.flatMap(({ names }) => names).find((name) => PREDECLARED.has(name));
  if (taken) return `the program declares \`${taken}\`, which its tests would take for Go's own`;
  const name = together ? "solution" : "tests";
  const main = `mend_judge.Main(${name}.Mend_tests)`;
  return [
    { file: SOLUTION, text: asFileOf("solution", program) },
    { file: FIRST, text: 'package solution; import _ "mend/judge"\n', isOurs: true },
    ...(together ? [{ file: TOGETHER, text: "package solution\n", isOurs: true }] : []),
    {
      file: "tests.go",
      text: asFileOf(name, counted(test), [COUNTS, ...(together ? [] : [{ path: "solution", alias: "." }])]),
    },
    { file: "list.go", text: `package ${name}; ${lightList(unitOf(test))}\n`, isOurs: true },
    {
      file: "main.go",
      text: `package main; import mend_judge "mend/judge"; import "${name}"; func main() { ${main} }\n`,
      isOurs: true,
    },
  ];
}

/** Whether tests use what only the program's own package may: names in lower case that it declares, or its fields. */
function needsUnexported(declared: string, test: string): boolean {
  const unit = unitOf(declared);
  const own = new Set(unit.declarations.flatMap(({ names, receiver }) => (receiver === null ? names : [])));
  const types = unit.declarations.filter(({ kind }) => kind === "type");
  const fields = types.map(({ names, start, end }) => ({ names, inside: lowerNames(declared.slice(start, end)) }));
  const isField = (name: string) => fields.some(({ inside }) => inside.has(name));
  const hides = (type: string) => fields.some(({ names, inside }) => names.includes(type) && inside.size > 0);
  const { tokens } = scan(test);
  return tokens.some(({ kind, text }, at) => {
    if (kind !== "word") return false;
    const [before, after] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
    if (!/^[\p{Ll}_]/u.test(text)) return after === "{" && tokens[at + 2]?.text !== "}" && hides(text);
    // Whatever a package exports is in upper case.
    if (before === ".") return true;
    return after === ":" ? isField(text) || own.has(text) : after !== ":=" && own.has(text);
  });
}

/** Names in lower case that stand where a field's does. */
const lowerNames = (type: string): Set<string> =>
  new Set([...type.matchAll(/(?<=[{;\n,]\s*)[\p{Ll}_][\p{L}\p{Nd}_]*/gu)].map(([name]) => name));

/** What is Go's own in every package that does not declare it otherwise. */
const PREDECLARED = new Set(
  `any append bool byte cap close comparable complex complex64 complex128 copy delete error false float32 float64 imag
  int int8 int16 int32 int64 iota len make new nil panic print println real recover rune string true uint uint8 uint16
  uint32 uint64 uintptr min max clear`.split(/\s+/),
);

/** Tests with a count before each `if` that could let them fail: `if got != 3 { t.Errorf(...) }`. */
function counted(test: string): string {
  const { tokens } = scan(test);
  const held = `${COUNTS.alias}.Held(); `;
  const changes = tokens.flatMap(({ text, start, depth }, i) => {
    const before = tokens[i - 1];
    const begins = before === undefined || before.endsLine || before.text === "{" || before.text === ";";
    if (text !== "if" || !begins) return [];
    const opens = tokens.findIndex((one, j) => j > i && one.depth === depth && one.text === "{");
    const closes = tokens.findIndex((one, j) => j > opens && one.depth === depth && one.text === "}");
    const inside = test.slice(tokens[opens]?.start ?? 0, tokens[closes]?.end ?? 0);
    return opens !== -1 && FAILS.test(inside) ? [{ start, end: start, text: held }] : [];
  });
  return changed(test, changes);
}
const COUNTS = { path: "mend/judge", alias: "mend_held" };
const FAILS = /\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/;
