/** What a person is told of tests, and how sure a repair is: one word, and why. */

import { plural } from "../../utils/base/text/format.ts";
import { firstLines } from "../../utils/base/text/text.ts";
import { styled } from "../../utils/program/status.ts";

const MOST_TESTS = 12;

/** A test that fails, with the first line of why, unless its name says that. */
export function failsLine({ name, message }: { name: string; message: string }): string {
  const why = firstLines(message, 1);
  const isSaid = name.endsWith(why.replace(/^\S+:\d+: /, ""));
  return `${styled("red", "fails:", process.stderr)} ${isSaid ? name : `${name}: ${why}`}`;
}

/** The tests that failed, with how they end now. @param statusOf of a name, e.g. `passed` */
export function changedTests(failed: readonly string[], statusOf: (name: string) => string): string[] {
  const coloured = (status: string) => styled(status === "passed" ? "green" : "red", status, process.stderr);
  return [
    ...failed
      .slice(0, MOST_TESTS)
      .map((name) => `${name}: ${styled("red", "failed", process.stderr)} → ${coloured(statusOf(name))}`),
    ...(failed.length > MOST_TESTS ? [`and ${failed.length - MOST_TESTS} more that failed`] : []),
  ];
}

const ALONE = "all tests pass, and no other edit that passes was found to do anything else";
const UNCOMPARED = "all tests pass; no other edit was compared with it";

/** What is asked for how sure a repair is. */
export interface Sureness {
  /** How the tests that failed end now; some fail still where it is a part of a repair. */
  after: readonly { status: string }[];
  is_suggestion: boolean;
  /** What speaks against it: a suggestion has one at least. */
  doubts: readonly string[];
  /** True where other edits were tried beside it. */
  is_compared: boolean;
}

/** How sure a repair is, in one word, and why. */
export function sureness({ after, is_suggestion, doubts, is_compared }: Sureness) {
  const passing = after.filter(({ status }) => status === "passed").length;
  if (passing < after.length) {
    const all = plural(after.length, "failing test");
    const part = `${passing} of ${all} ${passing === 1 ? "passes" : "pass"} now, the rest fails as before`;
    return { word: "partly fixed" as const, reasons: [part, ...doubts] };
  }
  return is_suggestion
    ? { word: "suggestion" as const, reasons: doubts }
    : { word: "fixed" as const, reasons: [is_compared ? ALONE : UNCOMPARED] };
}

/** The same as lines for a terminal. */
export function sureLines(repair: Sureness): string[] {
  const { word, reasons } = sureness(repair);
  const colour = word === "fixed" ? "green" : "yellow";
  // Of a part, too, only its doubts make it a suggestion.
  const wordOf = (i: number) => (word === "partly fixed" && i > 0 ? "suggestion" : word);
  return reasons.map((why, i) => `${styled(colour, `${wordOf(i)}:`, process.stderr)} ${why}`);
}

const MOST_NAMED = 3;

/** That edits of one function alone were compared, where others that may be at fault were left. */
export function uncompared({
  place,
  unsearched = [],
}: {
  place: { name: string } | null;
  unsearched?: readonly string[] | undefined;
}): string[] {
  if (place === null || unsearched.length === 0) return [];
  const more = unsearched.length > MOST_NAMED ? ` and ${unsearched.length - MOST_NAMED} more` : "";
  const named = `${unsearched.slice(0, MOST_NAMED).join(", ")}${more}`;
  return [`not compared: edits of ${named}: those of ${place.name} alone were tried`];
}
