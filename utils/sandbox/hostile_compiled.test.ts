// @module-tag deep
import { describe, expect, test } from "vitest";
import type { LanguageName } from "../languages/language.ts";
import { LANGUAGES } from "../languages/registry.ts";
import { isSlow } from "../testing/repeats.ts";
import { probeLayers } from "./sandbox.ts";
import { HOSTILE_CPP } from "./testing/hostile/cpp.ts";
import { HOSTILE_GO } from "./testing/hostile/go.ts";
import { HOSTILE_JAVA } from "./testing/hostile/java.ts";
import type { HostileProgram } from "./testing/hostile/program.ts";
import { runHostilePrograms } from "./testing/hostile/run.ts";
import { HOSTILE_RUST } from "./testing/hostile/rust.ts";

const best = (await probeLayers()).find(({ works, layer }) => works && layer !== "plain")?.layer;

const FORGED = [
  "a verdict on its channel while loading",
  "a verdict in place of a value",
  "a message that is too long",
];
const TOO_MUCH = "more than it was asked for";
/** What the box stops, which is the same for each language: tried in one of them by turns, in `npm run test:slow` in each. */
const BOXED = [
  "a file everybody may read",
  "the environment",
  "the environment of its parent",
  "the network",
  "a shell",
  "never ends",
  "sleeps",
  "all memory",
  "a call without end",
  "prints without end",
  "threads",
  "writes a file",
  "memory and command lines of other processes",
  "the judge's memory by its number",
  "ptrace",
  "processes",
  "kills its group and all others",
  "a program that stays",
  "the executables of other processes",
  "writes another program over its own and becomes it",
  "stops itself",
];

interface Suite {
  language: LanguageName;
  programs: readonly HostileProgram[];
  /** More of them than these; fewer than `late` merely run out of time. */
  least: number;
  late: number;
  /** What some have to come to, so that they are tried. */
  outcomes: Record<string, string>;
}

const SUITES: readonly Suite[] = [
  {
    language: "java",
    programs: HOSTILE_JAVA,
    least: 50,
    late: 15,
    outcomes: { "exit 0 when called": "crashed", "an own Objects": "failed" },
  },
  {
    language: "cpp",
    programs: HOSTILE_CPP,
    least: 60,
    late: 12,
    outcomes: {
      [TOO_MUCH]: "forged",
      "exit(0) when called": "crashed",
      "operator== for the library's texts": "failed",
    },
  },
  {
    language: "go",
    programs: HOSTILE_GO,
    least: 60,
    late: 14,
    outcomes: { [TOO_MUCH]: "forged", "os.Exit(0) when called": "crashed", "a value that equals all": "failed" },
  },
  {
    language: "rust",
    programs: HOSTILE_RUST,
    least: 70,
    late: 14,
    outcomes: { [TOO_MUCH]: "forged", "exit(0) when called": "crashed", "an own String that equals all": "failed" },
  },
];

const isThere = ({ language }: Suite): boolean => LANGUAGES[language].unavailable("") === null;
const attackOf = ({ name }: Pick<HostileProgram, "name">): string => name.slice(name.indexOf(": ") + 2);

const suitesWith = (attack: string): Suite[] =>
  SUITES.filter(({ programs }) => programs.some((program) => attackOf(program) === attack));

/** The programs of a suite that are tried here. */
function triedOf({ language, programs }: Suite): HostileProgram[] {
  return programs.filter((program) => {
    const having = suitesWith(attackOf(program)).filter(isThere);
    const turn = BOXED.indexOf(attackOf(program));
    return isSlow || turn === -1 || having[turn % having.length]?.language === language;
  });
}

test("what the box stops is a program of several languages", () => {
  for (const attack of BOXED) expect(suitesWith(attack).length, attack).toBeGreaterThan(1);
});

describe.each(SUITES)("$language", (suite) => {
  const { language, programs, least, late, outcomes: wanted } = suite;
  const { unavailable } = LANGUAGES[language];
  const missing = unavailable("");
  if (missing !== null) console.warn(`skipped: ${missing}`);

  test("there are enough of them, under names of their own", () => {
    expect(programs.length).toBeGreaterThan(least);
    expect(new Set(programs.map(({ name }) => name)).size).toBe(programs.length);
  });

  test.skipIf(!best || missing !== null)("none passes, steals, forges, harms or stays", async () => {
    const report = await runHostilePrograms(best ?? "plain", triedOf(suite));
    const outcomes = new Map(report.programs.map((one) => [attackOf(one), one.outcome]));
    const ended = ["failed", "crashed", "forged", "timeout"];
    expect(report.programs.filter(({ outcome }) => !ended.includes(outcome))).toEqual([]);
    const followed = report.programs.filter(({ next }) => next !== null);
    expect(followed.length).toBeGreaterThan(4);
    expect(followed.filter(({ next }) => next !== "passed")).toEqual([]);
    expect(report.programs.flatMap(({ outlived }) => outlived)).toEqual([]);
    expect(report.damage).toEqual([]);
    expect(report.leftovers).toEqual([]);
    for (const name of FORGED) expect(outcomes.get(name), name).toBe("forged");
    for (const [name, outcome] of Object.entries(wanted)) expect(outcomes.get(name), name).toBe(outcome);
    expect([...outcomes.values()].filter((outcome) => outcome === "timeout").length).toBeLessThan(late);
  });
});
