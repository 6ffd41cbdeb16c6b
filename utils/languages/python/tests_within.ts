/** Tests that stand among source in Python: examples of docstrings, and where the runner takes the file its own. */

import { lineStarts } from "../places.ts";
import type { TestPlace } from "../source_files.ts";
import { functionsIn } from "./functions.ts";
import { type LogicalLine, scan } from "./scan.ts";

const DOCSTRING = /^[rRuU]?(?:"""[\s\S]*"""|'''[\s\S]*'''|"[^"\n]*"|'[^'\n]*')$/;
const EXAMPLE = /^\s*(?:[rRuU]?["']{1,3}\s*)?>>> /m;
const NAMED_TEST = /^test/i;
const TEST_CLASS = /^Test|Tests?$/;

/** @param ran whether the runner reported tests in the file: then its functions and statements are tests, too */
export function testsWithin(text: string, ran: boolean): TestPlace[] {
  const { lines } = scan(text);
  const own = ran ? [...testFunctions(text), ...testStatements(text, lines)] : [];
  const isApart = ({ start, end }: TestPlace) => own.every((one) => end <= one.start || one.end <= start);
  return numbered([...own, ...docstrings(text, lines).filter(isApart)]);
}

/** The functions and assertions of a file that test the rest of it, without that. */
export function ownTests(text: string): string {
  const statements = testStatements(text, scan(text).lines).filter(({ key }) => key === "assertion");
  const places = [...testFunctions(text), ...statements].sort((a, b) => a.start - b.start);
  return places.map(({ start, end }) => text.slice(start, end).trimEnd()).join("\n");
}

/** Where the docstring of each block stands, or would stand. */
function docstrings(text: string, lines: readonly LogicalLine[]): TestPlace[] {
  const found: TestPlace[] = [];
  const open: { name: string; indent: number }[] = [];
  let block: string | null = "";
  for (const { start, end, indent, opensBlock } of lines) {
    const content = text.slice(start, end).trim();
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    if (block !== null) {
      const isThere = DOCSTRING.test(content);
      const isTest = isThere && EXAMPLE.test(content);
      found.push({ key: `docstring of ${block}`, start, end: isThere ? end : start, isTest });
    }
    const [, name] = /^(?:async\s+def|def|class)\s+(\w+)/.exec(content) ?? [];
    if (name !== undefined) open.push({ name, indent: indent.length });
    block = name !== undefined && opensBlock ? open.map((one) => one.name).join(".") : null;
  }
  return found;
}

function testFunctions(text: string): TestPlace[] {
  const starts = lineStarts(text);
  const isTest = (name: string) => {
    const parts = name.split(".");
    return NAMED_TEST.test(parts.at(-1) ?? "") || parts.slice(0, -1).some((one) => TEST_CLASS.test(one));
  };
  return functionsIn(text)
    .filter(({ name }) => isTest(name))
    .map(({ name, start, end }) => ({
      key: name,
      start: starts[start - 1] ?? 0,
      end: starts[end] ?? text.length,
      isTest: true,
    }));
}

/** Assertions of the module, and what it does when it is started. */
function testStatements(text: string, lines: readonly LogicalLine[]): TestPlace[] {
  const isOuter = ({ indent }: LogicalLine) => indent === "";
  return lines.flatMap((line, i) => {
    const content = text.slice(line.start, line.end);
    if (!isOuter(line) || !/^(?:assert\b|if __name__\b)/.test(content)) return [];
    const isAssertion = content.startsWith("assert");
    const next = lines.slice(i + 1).find(isOuter);
    const end = isAssertion ? line.end : (next?.start ?? text.length);
    return [{ key: isAssertion ? "assertion" : "main", start: line.start, end, isTest: true }];
  });
}

/** Keys with a number, where there are several of one name. */
function numbered(places: readonly TestPlace[]): TestPlace[] {
  const counts = new Map<string, number>();
  return places.map((place) => {
    const count = (counts.get(place.key) ?? 0) + 1;
    counts.set(place.key, count);
    return { ...place, key: `${place.key} ${count}` };
  });
}
