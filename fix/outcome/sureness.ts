/** The lines about tests, and about how sure a repair is. */

import { plural } from "../../utils/base/text/format.ts";
import { firstLines, listed } from "../../utils/base/text/text.ts";
import { styled } from "../../utils/program/status.ts";
import type { End } from "./outcome.ts";

const MOST_TESTS = 12;

/** A test that fails, with the first line of why, unless its name says that. A line that ends in a colon goes on. */
export function failsLine({ name, message }: { name: string; message: string }): string {
  const [first = "", second = ""] = firstLines(message, 2).split("\n");
  const why = first.endsWith(":") ? `${first} ${second}` : first;
  const isSaid = name.endsWith(why.replace(/^\S+:\d+: /, ""));
  return `${styled("red", "fails:", process.stderr)} ${isSaid ? name : `${name}: ${why}`}`;
}

/** The tests that failed, with how they end now. @param statusOf of a name, e.g. `passed` */
export function changedTests(failed: readonly string[], statusOf: (name: string) => string): string[] {
  const coloured = (status: string) => styled(status === "passed" ? "green" : "red", status, process.stderr);
  const line = (name: string) => {
    const status = statusOf(name);
    if (status === "flaky") return `${name}: flaky, with the patch and without it`;
    if (status === "failed") return `${name}: still fails`;
    return `${name}: ${styled("red", "failed", process.stderr)} → ${coloured(status)}`;
  };
  return [
    ...failed.slice(0, MOST_TESTS).map(line),
    ...(failed.length > MOST_TESTS ? [`and ${failed.length - MOST_TESTS} more that failed`] : []),
  ];
}

const ALONE = ", and no other edit that passes behaves differently near the tests' inputs";
const UNCOMPARED = "; the patch was not compared with other edits";

/** The parts of an outcome that say how sure a repair is. */
export interface Sureness {
  outcome: "fixed" | "suggestion" | "partly_fixed";
  /** How the tests that failed end now; after a part of a repair some still fail. */
  after: readonly { status: string }[];
  doubts: readonly string[];
  /** True where other edits were tried beside it. */
  is_compared: boolean;
}

/** Why a repair is called what it is called. */
export function reasonsOf({ outcome, after, doubts, is_compared }: Sureness): readonly string[] {
  switch (outcome) {
    case "fixed": {
      const tests = after.every(({ status }) => status === "passed") ? "all tests pass" : "all other tests pass";
      return [`${tests}${is_compared ? ALONE : UNCOMPARED}`];
    }
    case "suggestion":
      return doubts;
    case "partly_fixed": {
      const passing = after.filter(({ status }) => status === "passed").length;
      const all = plural(after.length, "failing test");
      const now = `${passing} of ${all} ${passing === 1 ? "passes" : "pass"} now; the others fail as before`;
      return [`no edit makes all tests pass; with this one ${now}`, ...doubts];
    }
  }
}

/** The outcome's word as a person reads it: `partly fixed`. */
export const wordOf = (outcome: End): string => outcome.replaceAll("_", " ");

/** The outcome for a terminal, with its first reason in the same line. @param model who found the patch */
export function sureLines(repair: Sureness, model: string): string[] {
  const [first = "", ...others] = reasonsOf(repair);
  const word = styled(repair.outcome === "fixed" ? "green" : "yellow", wordOf(repair.outcome), process.stderr);
  return [`${word} by ${model}: ${first}`, ...others.map((why) => `  also: ${why}`)];
}

const MOST_NAMED = 3;

/** Names other functions that may be at fault, if only edits of one function were compared. */
export function uncompared({
  place,
  unsearched = [],
}: {
  place?: { name: string } | undefined;
  unsearched?: readonly string[];
}): string[] {
  if (!place || unsearched.length === 0) return [];
  return [`only edits of ${place.name} were tried, not those of ${listed(unsearched, MOST_NAMED)}`];
}
