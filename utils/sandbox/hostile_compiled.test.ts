// @module-tag deep
import { describe, expect, test } from "vitest";
import type { LanguageName } from "../languages/language.ts";
import { LANGUAGES } from "../languages/registry.ts";
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
/** What the box stops alike for every language is tried in one of them. */
interface Suite {
  language: LanguageName;
  programs: readonly HostileProgram[];
  /** Fewer of them merely run out of time. */
  late: number;
  /** What some have to come to, so that they are tried. */
  outcomes: Record<string, string>;
}

const SUITES: readonly Suite[] = [
  {
    language: "java",
    programs: HOSTILE_JAVA,
    late: 15,
    outcomes: { "exit 0 when called": "crashed", "an own Objects": "failed" },
  },
  {
    language: "cpp",
    programs: HOSTILE_CPP,
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
    late: 14,
    outcomes: { [TOO_MUCH]: "forged", "os.Exit(0) when called": "crashed", "a value that equals all": "failed" },
  },
  {
    language: "rust",
    programs: HOSTILE_RUST,
    late: 14,
    outcomes: { [TOO_MUCH]: "forged", "exit(0) when called": "crashed", "an own String that equals all": "failed" },
  },
];

const attackOf = ({ name }: Pick<HostileProgram, "name">): string => name.slice(name.indexOf(": ") + 2);

describe.each(SUITES)("$language", ({ language, programs, late, outcomes: wanted }) => {
  const { unavailable } = LANGUAGES[language];
  const missing = unavailable("");
  if (missing !== null) console.warn(`skipped: ${missing}`);

  test("they have names of their own", () => {
    expect(new Set(programs.map(({ name }) => name)).size).toBe(programs.length);
  });

  test.skipIf(!best || missing !== null)("none passes, steals, forges, harms or stays", async () => {
    const report = await runHostilePrograms(best ?? "plain", [...programs]);
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
