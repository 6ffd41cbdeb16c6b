/** The text of a file of tests with wrong expectations. It is read here and run nowhere but in the box. */

import { extname } from "node:path";
import { LANGUAGES, languageOf } from "../../utils/languages/registry.ts";
import { parse } from "../../utils/search/syntax/grammar.ts";
import type { Node } from "../../utils/search/syntax/tree.ts";
import type { TextEdit } from "../project/edits.ts";
import { Draw } from "./draw.ts";
import type { Expectations, WrongTests } from "./expectations.ts";
import { CompiledExpectations, withoutMacros } from "./wrong_compiled.ts";
import { ScriptExpectations } from "./wrong_javascript.ts";
import { PythonExpectations } from "./wrong_python.ts";

/** Longer files are left as they are: a tree takes seconds and a thousand times as much memory. */
const MOST_CHARS = 400_000;
/** The grammars by which a script may be read: the first that finds no mistake is right. */
const SCRIPTS = ["javascript", "tsx", "typescript"];

async function rootOf(grammar: string, text: string): Promise<Node> {
  return await parse({ wasm: `tree-sitter-${grammar}.wasm` }, text);
}

async function scriptRoot(file: string, text: string): Promise<Node> {
  const names = /^\.[cm]?ts$/.test(extname(file)) ? SCRIPTS.toReversed() : SCRIPTS;
  let first: Node | null = null;
  for (const name of names) {
    const root = await rootOf(name, text);
    if (root.descendantsOfType("ERROR").length === 0) return root;
    first ??= root;
  }
  return first ?? (await rootOf("javascript", text));
}

/**
 * Tests that have to be compiled are changed once, others as often as there are draws.
 * @param isOwn true where source stands beside the tests
 * @returns null where nothing can be changed
 */
export async function wrongText(
  file: string,
  text: string,
  { token, isOwn }: { token: string; isOwn: boolean },
): Promise<WrongTests | null> {
  const language = languageOf(file);
  if (!language || text.length > MOST_CHARS) return null;
  const draws = [new Draw(true), new Draw(false)];
  try {
    if (language === LANGUAGES.python)
      return changed(
        await rootOf("python", text),
        draws.map((draw) => new PythonExpectations(text, draw, token, isOwn)),
      );
    if (language === LANGUAGES.javascript)
      return changed(
        await scriptRoot(file, text),
        draws.map((draw) => new ScriptExpectations(draw, token)),
      );
    const root = await rootOf(language.name, withoutMacros(text));
    const { wrong: [edits = []] = [] } = changed(root, [new CompiledExpectations(new Draw(true))]);
    const own = isOwn ? language.files.testsWithin?.(text, true) : undefined;
    const isInTests = ([at]: TextEdit) => own === undefined || own.some(({ start, end }) => start <= at && at < end);
    const wrong = edits.filter(isInTests);
    return wrong.length === 0 ? null : { wrong: [wrong], reaching: [], starts: [] };
  } catch (error) {
    // An expression is nested too deeply.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function changed(root: Node, files: readonly Expectations[]): WrongTests {
  for (const file of files) file.change(root);
  const { reaching = [], starts = [] } = files[0] ?? {};
  return { wrong: files.map(({ wrong }) => wrong), reaching, starts };
}
