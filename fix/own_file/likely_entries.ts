/** Which functions of a file are looked at, where the user names none: what the failing tests run comes first. */

import { basename } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { plainText } from "../../utils/base/text/line_ends.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { plainName } from "../../utils/languages/places.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import type { FunctionPlace } from "../attempts/attempt.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { entryOf, linesOf, type NamedEntry } from "../attempts/task.ts";
import { functionsOf } from "../project/functions.ts";

type Suspect = Preparation["suspects"][number];

/** More are not looked at. */
const MOST = 5;

/**
 * The likeliest first, each with why it is looked at; at least one.
 * @param entries what there is, in the order of the file
 */
export function likeliestEntries(
  entries: readonly NamedEntry[],
  {
    suspects,
    baseline,
    evidence,
  }: Pick<Preparation, "suspects"> & {
    baseline: Pick<Preparation["baseline"], "failing">;
    /** What failing tests ran, where anybody saw it. */
    evidence: { failing: readonly unknown[] } | null;
  },
): { entry: NamedEntry; why: string }[] {
  const [only, ...more] = entries;
  if (only && more.length === 0) return [{ entry: only, why: "" }];
  const found = suspects.flatMap(({ file, name, start, reasons }) => {
    const meant = entryOf(file, { name, start });
    const entry = entries.find((one) => isSame(one, meant));
    return entry ? [{ entry, why: reasons[0] ?? "likeliest" }] : [];
  });
  const said = baseline.failing.map(({ message }) => message).join("\n");
  const named = entries.filter(({ name }) => new RegExp(`\\b${plainName(name)}\\b`).test(said));
  // Without coverage, words alone do not rule a function out.
  const isSeen = found.length > 0 && (evidence?.failing.length ?? 0) > 0;
  const others = [...named, ...(isSeen ? [] : entries)].map((entry) => ({ entry, why: "in its file" }));
  const seen = new Set<NamedEntry>();
  return [...found, ...others].filter(({ entry }) => (seen.has(entry) ? false : seen.add(entry))).slice(0, MOST);
}

const isSame = (one: NamedEntry, other: NamedEntry): boolean =>
  one.definition === other.definition && one.line === other.line;

/**
 * Without the tests that stand beside what they test, as their names lead to their lines: no repair changes them.
 * @throws UserError where nothing is left
 */
export function withoutTests(
  entries: readonly NamedEntry[],
  { path, text }: { path: string; text: string },
  { failing, passing, aside }: Pick<Preparation["baseline"], "aside" | "failing" | "passing">,
): readonly NamedEntry[] {
  const file = basename(path);
  const own = [...failing, ...passing, ...aside].filter(({ name }) => basename(name.split("::")[0] ?? "") === file);
  const starts = own.flatMap(({ name }) => languageOf(path)?.files.testLines(text, name)?.start ?? []);
  const tests = functionsOf(path, text)
    .filter(({ start }) => starts.includes(start))
    .map((one) => entryOf(path, one));
  const left = entries.filter((one) => !tests.some((test) => isSame(one, test)));
  if (left.length > 0) return left;
  throw new UserError(`${path} contains only tests: name the file with the code that they test.`);
}

/**
 * The functions of what is looked at, or the one method that is meant, those first that failing tests speak against.
 */
export function functionsIn(places: readonly FunctionPlace[], suspects: readonly Suspect[]): Suspect[] {
  const found = places.flatMap(({ file, original, name, task }) => {
    const { start: first, end: last } = linesOf(task);
    const rankOf = ({ start }: { start: number }) => {
      const at = suspects.findIndex((one) => one.file === file && one.start === start);
      return at === -1 ? suspects.length : at;
    };
    const inside = functionsOf(file, plainText(original)).filter(({ start, end }) => first <= end && start <= last);
    const [, ...method] = name.split(/\.|::/);
    const named = inside.filter((one) => plainName(one.name) === method.at(-1));
    const meant = (named.length > 0 ? named : inside).toSorted((a, b) => rankOf(a) - rankOf(b));
    return meant.map((one): Suspect => ({ ...one, file, score: 0, reasons: [], isCertain: true }));
  });
  return [...new Map(found.map((one) => [`${one.start} ${one.end} ${one.name}`, one])).values()];
}

/**
 * A file of tests without those that fail and need not pass, as far as their names lead to their lines and these stand
 * at the margin: what is left of a class would be nothing.
 */
export function withoutAside(
  { path, text }: { path: string; text: string },
  { baseline }: { baseline: Pick<Preparation["baseline"], "aside" | "failing" | "passing"> },
): string {
  const { aside, failing, passing } = baseline;
  const lines = text.split("\n");
  const linesOf = (tests: readonly TestResult[]) =>
    tests.flatMap(({ name }) => languageOf(path)?.files.testLines(text, name) ?? []);
  const needed = new Set(linesOf([...failing, ...passing]).map(({ start }) => start));
  const left = linesOf(aside).filter(({ start }) => !needed.has(start) && /^\S/.test(lines[start - 1] ?? ""));
  return lines.filter((_, i) => !left.some(({ start, end }) => start <= i + 1 && i + 1 <= end)).join("\n");
}
