// @module-tag deep
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../languages/registry.ts";
import { openForTests } from "../../../sandbox/testing/open.ts";
import type { VisibleTask } from "../../../task/task.ts";
import { applyEdit } from "../../result.ts";
import { KNOWLEDGE } from "../../testing/knowledge.ts";
import { searchCompiled } from "../search.ts";

const missing = LANGUAGES.java.unavailable("");
const HEAD = "import java.util.*;\n\nclass Solution {\n";

const main = (statements: string) =>
  `public class Main {\n    public static void main(String[] args) {\n        Solution s = new Solution();\n${statements}    }\n}\n`;
/** As HumanEvalPack has them. */
const listOf = (checks: readonly string[]) =>
  main(
    `        List<Boolean> correct = Arrays.asList(\n${checks.join(",\n")}\n);\n` +
      "        if (correct.contains(false)) throw new AssertionError();\n",
  );

describe.skipIf(missing !== null)(`Java${missing === null ? "" : ` (skipped: ${missing})`}`, async () => {
  const sandbox = await openForTests();

  async function search(signature: string, body: string, exampleTest: string, before = "") {
    const [, entryPoint = ""] = /(\w+)\(/.exec(signature) ?? [];
    const task: VisibleTask = {
      ...{ id: "Java/0", language: "java", entryPoint, instruction: "", exampleTest },
      ...{ declaration: `${HEAD}${before}    ${signature} {\n`, buggyCode: `${body}\n    }\n}`, epilogue: "" },
    };
    const program = task.declaration + task.buggyCode;
    const request = { language: task.language, program, entry: entryPoint, instruction: "", tests: exampleTest };
    const result = await searchCompiled({ ...request, steps: 3000, seed: 0 }, { knowledge: KNOWLEDGE, task }, sandbox);
    return { result, programs: result.best.map(({ splices }) => applyEdit(program, splices)) };
  }

  /** By tests that the search did not see. */
  async function holds(program: string | undefined, entryPoint: string, check: string): Promise<boolean> {
    const test = listOf([check]);
    const job = { language: "java", program: program ?? "", entryPoint, test, timeoutMs: 10_000 } as const;
    return (await sandbox.judge(job)).passed;
  }

  test("a wrong sign is found among edits that do not compile, that never end and that break", async () => {
    const { programs, result } = await search(
      "public int rainy(List<Integer> days, int limit)",
      "        int count = 0;\n        int i = 1;\n        while (i < days.size()) {\n            if (days.get(i) > limit) count++;\n            i++;\n        }\n        return count;",
      listOf([
        "s.rainy(Arrays.asList(5, 1, 7), 4) == 2",
        "s.rainy(Arrays.asList(), 0) == 0",
        "s.rainy(Arrays.asList(8, 9, 2, 6), 3) == 3",
        "s.rainy(Arrays.asList(1, 8), 3) == 1",
      ]),
    );
    expect(result.status).toBe("found");
    expect(await holds(programs[0], "rainy", "s.rainy(Arrays.asList(9, 9, 2, 9), 3) == 3")).toBe(true);
  });

  test("a statement that is missing, and two mistakes at once", async () => {
    const missingSort = await search(
      "public int middle(List<Integer> numbers)",
      "        return numbers.get(numbers.size() / 2);",
      listOf([
        "s.middle(new ArrayList<>(Arrays.asList(9, 1, 5))) == 5",
        "s.middle(new ArrayList<>(Arrays.asList(3, 2, 1, 8, 9))) == 3",
      ]),
    );
    expect(
      await holds(missingSort.programs[0], "middle", "s.middle(new ArrayList<>(Arrays.asList(4, 8, 6, 2, 0))) == 4"),
    ).toBe(true);
    const two = await search(
      "public int between(int low, int high)",
      "        int sum = 1;\n        for (int i = low; i < high; i++) sum += i;\n        return sum;",
      listOf(["s.between(1, 3) == 6", "s.between(2, 2) == 2", "s.between(5, 4) == 0", "s.between(0, 4) == 10"]),
    );
    expect(await holds(two.programs[0], "between", "s.between(3, 6) == 18")).toBe(true);
  });

  test("tests of other forms count, too: a check that uses what changes, and statements that throw", async () => {
    const twice = ["public int twice(int x)", "        return x * 3;"] as const;
    const changes = listOf(["s.twice(n) == 8"]).replace(
      "        List<",
      "        int n = 3;\n        n = n + 1;\n        List<",
    );
    expect((await search(...twice, changes)).result.best[0]?.new).toBe("2");
    const throwing = main("        if (s.twice(4) != 8) throw new AssertionError();\n");
    expect((await search(...twice, throwing)).result.best[0]?.new).toBe("2");
  });

  test("of edits that pass and do different things it tells an input that shows it", async () => {
    const weak = listOf(["s.joined(Arrays.asList(2, 2), 0) == 4"]);
    const body = "        return xs.get(0) - xs.get(1) + n;";
    const { result } = await search("public int joined(List<Integer> xs, int n)", body, weak);
    const { others = [] } = result;
    expect(others.length).toBeGreaterThan(0);
    for (const { input, gives, best_gives, on_each = [] } of others) {
      expect(input).toMatch(/^\(Arrays\.asList\(-?\d+(?:, -?\d+)*\), -?\d+\)$/);
      expect(gives).not.toBe(best_gives);
      expect(on_each.length).toBe(others.length);
    }
  });

  test("nothing that a program says of itself counts, and one that ends the process ends only itself", async () => {
    const cheat =
      '    static { for (int k = 0; k < 500; k++) System.out.println("mend " + k + " 9 9 1 0"); Runtime.getRuntime().halt(0); }\n';
    const { result } = await search(
      "public int twice(int x)",
      "        return x * 3;",
      listOf(["s.twice(4) == 8"]),
      cheat,
    );
    expect(result.best).toEqual([]);
    const ends =
      "        if (x % 2 != 0) System.exit(0);\n        if (x < 0) Runtime.getRuntime().halt(0);\n        return x * 3;";
    const { programs } = await search("public int twice(int x)", ends, listOf(["s.twice(4) == 8", "s.twice(6) == 12"]));
    expect(await holds(programs[0], "twice", "s.twice(10) == 20")).toBe(true);
  });

  test("a program that does not compile with its tests is reported, and no edit is tried", async () => {
    const { result } = await search("public int twice(int x)", "        return x * 3;", listOf(["s.thrice(4) == 8"]));
    expect(result).toMatchObject({ status: "unreadable", tried: 0 });
    expect(result.explanation).toContain("the program does not compile with its tests: ");
  });
});
