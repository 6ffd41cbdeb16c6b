/** For tests: searches in a compiled language, and what holds in each of them. */

import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../languages/registry.ts";
import { openForTests } from "../../sandbox/testing/open.ts";
import type { VisibleTask } from "../../task/task.ts";
import { searchCompiled } from "../compiled/search.ts";
import type { SearchRequest } from "../request.ts";
import { applyEdit } from "../result.ts";
import type { CompiledName } from "../tables.ts";
import { KNOWLEDGE } from "./knowledge.ts";

interface Form {
  language: CompiledName;
  /** The program up to the function's body, and what ends it. */
  around(signature: string, before: string): [declaration: string, end: string];
  /** A program of tests. */
  tests(checks: readonly string[], entry: string): string;
}

interface Buggy {
  signature: string;
  body: string;
  /** Checks, or the whole program of tests. */
  checks: readonly string[] | string;
  before?: string;
  /** What else the task says. */
  more?: Partial<VisibleTask>;
}

interface Cases {
  /** By title, each with a check that the search does not see, and that its first edit passes. */
  finds: Record<string, Buggy & { holds: string }>;
  /** Several edits pass. @param inputs where they differ */
  differing: Buggy & { inputs: RegExp };
  /** A program that says that all checks hold, and ends. */
  cheat: Buggy;
  unreadable: Buggy & { why: string };
  /** A function with type parameters, and what its first edit writes. */
  generic: Buggy & { writes: string };
}

export interface Searching {
  search(
    buggy: Buggy,
    limits?: Pick<SearchRequest, "cpuSeconds" | "tellsCpu">,
  ): Promise<{ result: Awaited<ReturnType<typeof searchCompiled>>; programs: string[] }>;
  /** Whether a program passes a check that the search did not see. */
  holds(program: string | undefined, { signature }: Pick<Buggy, "signature">, check: string): Promise<boolean>;
}

/** @param more tests of the language's own */
export function describeSearch(form: Form, cases: Cases, more: (searching: Searching) => void = () => {}): void {
  const { title, unavailable } = LANGUAGES[form.language];
  const missing = unavailable("");
  describe.skipIf(missing !== null)(`${title}${missing === null ? "" : ` (skipped: ${missing})`}`, async () => {
    const searching = await openSearching(form);
    const { search, holds } = searching;

    test.each(Object.entries(cases.finds))("%s", async (_, one) => {
      const { programs, result } = await search(one);
      expect(result.status).toBe("found");
      expect(await holds(programs[0], one, one.holds)).toBe(true);
    });

    test("of edits that pass and do different things it tells an input that shows it", async () => {
      const { others = [] } = (await search(cases.differing)).result;
      expect(others.length).toBeGreaterThan(0);
      for (const { input, gives, best_gives, on_each = [] } of others) {
        expect(input).toMatch(cases.differing.inputs);
        expect(gives).not.toBe(best_gives);
        expect(on_each.length).toBe(others.length);
      }
    });

    test("where the time is up, a search ends behind its first program", async () => {
      const { result } = await search(cases.differing, { cpuSeconds: 0.001, tellsCpu: true });
      expect(result.cutOff).toBe(true);
      expect(result.cpu).toBeGreaterThan(0.001);
      expect(result.tried).toBeGreaterThan(0);
      expect(result.tried).toBeLessThanOrEqual(120);
    });

    test("nothing that a program says of itself counts: what passes is what the judge passes", async () => {
      const { result } = await search(cases.cheat);
      expect(result.best).toEqual([]);
      expect(result.status).not.toBe("found");
    });

    test("a function with type parameters is searched, and its first edit passes", async () => {
      const { programs } = await search(cases.generic);
      expect(programs[0]).toContain(cases.generic.writes);
    });

    test("a program that cannot be searched is reported, and no edit is tried", async () => {
      const { result } = await search(cases.unreadable);
      expect(result).toMatchObject({ status: "unreadable", tried: 0 });
      expect(result.explanation).toContain(cases.unreadable.why);
    });

    more(searching);
  });
}

async function openSearching({ language, around, tests }: Form): Promise<Searching> {
  const sandbox = await openForTests();
  const entryOf = (signature: string): string => /(\w+)[([<]/.exec(signature)?.[1] ?? "";
  return {
    async search({ signature, body, checks, before = "", more = {} }, limits = {}) {
      const [declaration, end] = around(signature, before);
      const entryPoint = entryOf(signature);
      const exampleTest = typeof checks === "string" ? checks : tests(checks, entryPoint);
      const task: VisibleTask = {
        ...{ id: `${language}/0`, language, entryPoint, instruction: "", exampleTest },
        ...{ declaration, buggyCode: `${body}\n${end}`, epilogue: "", ...more },
      };
      const program = task.declaration + task.buggyCode;
      const request = { language, program, entry: entryPoint, instruction: "", tests: exampleTest };
      const result = await searchCompiled(
        { ...request, ...limits, steps: 3000, seed: 0 },
        { knowledge: KNOWLEDGE, task },
        sandbox,
      );
      return { result, programs: result.best.map(({ splices }) => applyEdit(program, splices)) };
    },
    async holds(program = "", { signature }, check) {
      const entryPoint = entryOf(signature);
      const job = { language, program, entryPoint, test: tests([check], entryPoint), timeoutMs: 10_000 };
      return (await sandbox.judge(job)).passed;
    },
  };
}
