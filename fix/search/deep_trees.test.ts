/** An expression of thousands of terms in one function does not keep another one from being searched. */
// @module-tag deep

import { expect, test } from "vitest";
import { ownKnowledge } from "../../agent/tools/search_edits.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { COMPILED_SEARCHES } from "../../utils/search/compiled/languages.ts";
import { editsOf } from "../../utils/search/edits/generate.ts";
import { literalsIn } from "../../utils/search/edits/literals.ts";
import { search } from "../../utils/search/search.ts";
import { Facts } from "../../utils/search/syntax/facts.ts";
import { functionIn, parse } from "../../utils/search/syntax/grammar.ts";
import type { CompiledName } from "../../utils/search/tables.ts";
import { createTask } from "../library/create_task.ts";
import { functionsOf } from "../project/functions.ts";

const sandbox = await openForTests();
const sum = (terms: number): string => Array(terms).fill("x").join(" + ");

test.each<[LanguageName, string, string]>([
  [
    "python",
    `def big(x):\n    return ${sum(2000)}\n\n\ndef half(x):\n    return x / 3\n`,
    "assert half(4) == 2\nassert half(10) == 5",
  ],
  [
    "javascript",
    `function big(x) {\n  return ${sum(6000)};\n}\n\nfunction half(x) {\n  return x / 3;\n}\n`,
    "assert.equal(half(4), 2);\nassert.equal(half(10), 5);",
  ],
])("%s: found beside a sum of thousands of terms", async (language, code, tests) => {
  const task = createTask({ code, language, entryPoint: "half", tests });
  const found = await search(task, {}, { sandbox, knowledge: ownKnowledge() });
  expect(found).toMatchObject({ status: "found" });
});

const WRITTEN: Readonly<Record<CompiledName, [file: string, code: string]>> = {
  cpp: ["a.cpp", `int big(int x) {\n  return ${sum(6000)};\n}\n\nint half(int x) {\n  return x / 3;\n}\n`],
  java: [
    "A.java",
    `class A {\n  int big(int x) {\n    return ${sum(6000)};\n  }\n\n  int half(int x) {\n    return x / 3;\n  }\n}\n`,
  ],
  go: [
    "a.go",
    `package a\n\nfunc big(x int) int {\n\treturn ${sum(6000)}\n}\n\nfunc half(x int) int {\n\treturn x / 3\n}\n`,
  ],
  rust: ["a.rs", `fn big(x: i32) -> i32 {\n    ${sum(6000)}\n}\n\nfn half(x: i32) -> i32 {\n    x / 3\n}\n`],
};

test.each<CompiledName>(["cpp", "java", "go", "rust"])("%s: edits beside a sum of thousands of terms", async (name) => {
  const [file, code] = WRITTEN[name];
  const place = functionsOf(file, code).find((one) => /\bhalf$/.test(one.name));
  const grammar = await COMPILED_SEARCHES[name].loadGrammar();
  const found = place && functionIn(grammar, await parse(grammar, code), place);
  if (!found) throw new Error("half is not found");
  const { compiled, priors } = ownKnowledge();
  const edits = editsOf(new Facts(grammar, code, found), compiled[name], literalsIn(""), priors, {});
  expect(edits.some(({ program }) => program.includes("x / 2"))).toBe(true);
});
