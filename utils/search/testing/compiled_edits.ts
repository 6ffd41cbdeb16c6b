/** For tests: a program of a compiled language, and the edits of one of its functions. */

import { COMPILED_SEARCHES } from "../compiled/languages.ts";
import { type Choice, editsOf, type PricedEdit } from "../edits/generate.ts";
import { Facts } from "../syntax/facts.ts";
import { parse } from "../syntax/grammar.ts";
import type { CompiledName } from "../tables.ts";
import { KNOWLEDGE } from "./knowledge.ts";

export async function factsOf(language: CompiledName, program: string, entry: string): Promise<Facts> {
  const grammar = await COMPILED_SEARCHES[language].loadGrammar();
  const root = await parse(grammar, program);
  const isMethod = (text: string) => text.split("{")[0]?.includes(` ${entry}(`) === true;
  const inTypes = () => root.descendantsOfType([...grammar.functions]).find((one) => one && isMethod(one.text));
  const found = grammar.findFunction(root, entry) ?? inTypes();
  if (!found) throw new Error(`no function ${entry}`);
  return new Facts(grammar, program, found);
}

/** @param numbers of the tests */
export async function editsIn(
  language: CompiledName,
  program: string,
  entry: string,
  { numbers = [], choice = {} }: { numbers?: string[]; choice?: Choice } = {},
): Promise<PricedEdit[]> {
  const facts = await factsOf(language, program, entry);
  return editsOf(facts, KNOWLEDGE.compiled[language], { numbers, texts: [] }, KNOWLEDGE.priors, choice);
}
