/** Java, compiled and run by the development kit on PATH. A task's function is a method of a top-level class. */

import { oneOf } from "../../base/text/patterns.ts";
import { marked, withoutMarked } from "../answers.ts";
import { compiledLanguage, noStub } from "../compiled.ts";
import type { JudgedProgram, JudgeSources } from "../runtime.ts";
import { assemble, returnsAtTopLevel } from "./assemble.ts";
import { withNotedChecks } from "./checks.ts";
import { inProcessSources, whyInProcess } from "./in_process.ts";
import { findMethod, partsAround, unitOf } from "./members.ts";
import { scan } from "./scan.ts";
import { stubOf } from "./signature.ts";
import { javaFiles } from "./source_files.ts";
import { commands, compiler, prepare, runnerFolder, toolchain } from "./toolchain.ts";

const TAGS = /^(?:|java|jsh|jshell|code|tool_code)$/;
const STATEMENT = new RegExp(
  oneOf(
    `^\\s*${oneOf(
      /import\s+(?:static\s+)?[\w.]+(?:\.\*)?;|package\s+[\w.]+;/,
      /(?:public|private|protected|static|final|abstract)\s+[\w<>[\], .?]+[({=;]|(?:class|interface|enum|record)\s+\w+/,
      /return\b.*;|throw\s+new\b|(?:if|for|while|switch)\s*\(|System\.out\.|@Override\b/,
    )}`,
    /^\s*[\w.[\]<>, ]{1,80}\s*[-+*/%|&]?=(?!=).*;\s*$/,
    /^\s*[\w.]{1,80}\(.*\);\s*$/,
  ),
);

export const java = compiledLanguage({
  name: "java",
  title: "Java",
  extensions: [".java"],
  scan,
  install: "sudo apt install openjdk-17-jdk-headless",
  toolchain() {
    const found = toolchain();
    return found && { version: found.version, place: found.home };
  },
  runtime: {
    commands,
    compiled: {
      folder: runnerFolder,
      prepare,
      build: { compiler },
      runSources: (code) => [{ file: "Program.java", text: runnable(code) }],
      judgeSources,
      inProcessSources,
    },
  },
  files: javaFiles,
  whyInProcess,
  callsOnObjects: true,
  assemble,
  partsAround,
  withHarness,
  definitions: (code) =>
    unitOf(code).types.flatMap(({ items }) => items.flatMap(({ kind, name }) => (kind === "method" ? name : []))),
  isModule: (code) => /^\s*package\s/m.test(code),
  definesSomething: (code) =>
    unitOf(code).types.length > 0 || /^[^(;={]*\w\s+\w+\s*\([^;]*\{/.test(code) || returnsAtTopLevel(code),
  marks: { tags: TAGS, statement: STATEMENT, lastLine: /[;{}]\s*(?:\/\/.*)?$/ },
});

const MAIN = "public class Main { public static void main(String[] args) throws Exception {";

/** With the harness as a class of its own, or as the statements of a `main`; its imports go to the first line. */
function withHarness(code: string, harness: string): string {
  const imports = importsOf(harness);
  const rest = harness.replace(/^import\s[^;\n]*;/gm, "");
  const { types, others } = unitOf(rest);
  const test = types.length > 0 && others.length === 0 ? rest : `${MAIN}\n${rest}\n} }`;
  return `${imports}${withoutMarked(code)}${marked(test)}`;
}

const importsOf = (code: string): string =>
  [...code.matchAll(/^import\s[^;\n]*;/gm)].map(([one]) => `${one} `).join("");

/** A file with a class: statements alone become the body of a `main`, each on its line. */
function runnable(code: string): string {
  const { types, others } = unitOf(code);
  if (types.length > 0 || others.length === 0) return code;
  const imports = importsOf(code);
  const body = code.replace(/^import\s[^;\n]*;/gm, (one) => " ".repeat(one.length));
  const usual = imports === "" ? "import java.util.*; import java.util.stream.*; " : imports;
  return `${usual}${MAIN} ${body}\n} }`;
}

function judgeSources({ program, entryPoint, helpers, test }: JudgedProgram): JudgeSources | string {
  const declared = helpers.trim() === "" ? null : stubOf(helpers, entryPoint);
  const stub = declared ?? stubOf(program, entryPoint, false);
  const className =
    stub?.className ?? findMethod(unitOf(program), entryPoint)?.type.name ?? unitOf(program).types[0]?.name;
  const sources = {
    program: [{ file: "Program.java", text: program }],
    entryPoint: `${className ?? "Solution"}.${entryPoint}`,
  };
  if (test.trim() === "") return { ...sources, tests: [], trustsProgram: false };
  if (!stub) return noStub(entryPoint, undefined, "method");
  const files = (text: string) => [
    { file: "Stub.java", text: stub.source },
    { file: "Tests.java", text: `${stub.imports} ${text}` },
  ];
  const noted = withNotedChecks(test);
  const tests = noted === test ? [files(test)] : [files(noted), files(test)];
  return { ...sources, tests, trustsProgram: declared === null };
}
