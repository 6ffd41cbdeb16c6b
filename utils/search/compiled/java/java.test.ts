// @module-tag deep
import { expect, test } from "vitest";
import { describeSearch } from "../../testing/compiled_search.ts";

const HEAD = "import java.util.*;\n\nclass Solution {\n";

const main = (statements: string) =>
  `public class Main {\n    public static void main(String[] args) {\n        Solution s = new Solution();\n${statements}    }\n}\n`;
/** As HumanEvalPack has them. */
const listOf = (checks: readonly string[]) =>
  main(
    `        List<Boolean> correct = Arrays.asList(\n${checks.join(",\n")}\n);\n` +
      "        if (correct.contains(false)) throw new AssertionError();\n",
  );

const twice = { signature: "public int twice(int x)", body: "        return x * 3;" };

describeSearch(
  {
    language: "java",
    around: (signature, before) => [`${HEAD}${before}    ${signature} {\n`, "    }\n}"],
    tests: listOf,
  },
  {
    finds: {
      "a wrong sign is found among edits that do not compile, that never end and that break": {
        signature: "public int rainy(List<Integer> days, int limit)",
        body: "        int count = 0;\n        int i = 1;\n        while (i < days.size()) {\n            if (days.get(i) > limit) count++;\n            i++;\n        }\n        return count;",
        checks: [
          "s.rainy(Arrays.asList(5, 1, 7), 4) == 2",
          "s.rainy(Arrays.asList(), 0) == 0",
          "s.rainy(Arrays.asList(8, 9, 2, 6), 3) == 3",
          "s.rainy(Arrays.asList(1, 8), 3) == 1",
        ],
        holds: "s.rainy(Arrays.asList(9, 9, 2, 9), 3) == 3",
      },
      "a statement that is missing": {
        signature: "public int middle(List<Integer> numbers)",
        body: "        return numbers.get(numbers.size() / 2);",
        checks: [
          "s.middle(new ArrayList<>(Arrays.asList(9, 1, 5))) == 5",
          "s.middle(new ArrayList<>(Arrays.asList(3, 2, 1, 8, 9))) == 3",
        ],
        holds: "s.middle(new ArrayList<>(Arrays.asList(4, 8, 6, 2, 0))) == 4",
      },
      "of versions that end the process each ends only itself": {
        signature: "public int twice(int x)",
        body: "        if (x % 2 != 0) System.exit(0);\n        if (x < 0) Runtime.getRuntime().halt(0);\n        return x * 3;",
        checks: ["s.twice(4) == 8", "s.twice(6) == 12"],
        holds: "s.twice(10) == 20",
      },
    },
    differing: {
      signature: "public int joined(List<Integer> xs, int n)",
      body: "        return xs.get(0) - xs.get(1) + n;",
      checks: ["s.joined(Arrays.asList(2, 2), 0) == 4"],
      inputs: /^\(Arrays\.asList\(-?\d+(?:, -?\d+)*\), -?\d+\)$/,
    },
    cheat: {
      ...twice,
      checks: ["s.twice(4) == 8"],
      before:
        '    static { for (int k = 0; k < 500; k++) System.out.println("mend " + k + " 9 9 1 0"); Runtime.getRuntime().halt(0); }\n',
    },
    generic: {
      signature: "<T extends Comparable <T>> int above(List<T> items, T limit)",
      body: "        int count = 0;\n        for (T one : items) {\n            if (one.compareTo(limit) >= 0) count++;\n        }\n        return count;",
      checks: ["s.above(List.of(4, 7, 5), 5) == 1", 's.above(List.of("a"), "b") == 0'],
      more: { judgeMode: "in_process", checks: 3 },
      writes: "compareTo(limit) > 0",
    },
    unreadable: { ...twice, checks: ["s.thrice(4) == 8"], why: "the program does not compile with its tests: " },
  },
  ({ search }) => {
    test("tests of other forms count, too: a check that uses what changes, and statements that throw", async () => {
      const changes = listOf(["s.twice(n) == 8"]).replace(
        "        List<",
        "        int n = 3;\n        n = n + 1;\n        List<",
      );
      const throwing = main("        if (s.twice(4) != 8) throw new AssertionError();\n");
      for (const checks of [changes, throwing])
        expect((await search({ ...twice, checks })).result.best[0]?.new).toBe("return x * 2;");
    });
  },
);
