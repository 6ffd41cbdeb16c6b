// @module-tag deep
import { expect, test } from "vitest";
import { describeSearch } from "../../testing/compiled_search.ts";

const HEAD = "#include <algorithm>\n#include <cstdlib>\n#include <iostream>\n#include <vector>\nusing namespace std;\n";

const inMain = (checks: readonly string[]): string =>
  `#undef NDEBUG\n#include <assert.h>\nint main() {\n${checks.map((one) => `assert(${one});`).join("\n")}\n}\n`;

const half = { signature: "int half(int x)", body: "    return x / 3;" };

describeSearch(
  { language: "cpp", around: (signature, before) => [`${HEAD}${before}${signature} {\n`, "}"], tests: inMain },
  {
    finds: {
      "a wrong sign is found among edits that do not compile, that never end and that break": {
        signature: "int rainy(vector<int> days, int limit)",
        body: "    int count = 0;\n    for (int i = 1; i < days.size(); i++)\n        if (days[i] > limit) count++;\n    return count;",
        checks: [
          "rainy({5, 1, 7}, 4) == 2",
          "rainy({}, 0) == 0",
          "rainy({1, 1}, 1) == 0",
          "rainy({8, 9, 2, 6}, 3) == 3",
          "rainy({1, 8}, 3) == 1",
        ],
        holds: "rainy({9, 9, 2, 9}, 3) == 3",
      },
      "tests may include the file that they test": {
        ...half,
        checks:
          '#include "half.cpp"\n#include <cassert>\nint main() {\n    assert(half(8) == 4);\n    assert(half(13) == 6);\n}\n',
        holds: "half(20) == 10",
      },
      "a statement that is missing": {
        signature: "int middle(vector<int> numbers)",
        body: "    return numbers[numbers.size() / 2];",
        checks: ["middle({9, 1, 5}) == 5", "middle({3, 2, 1, 8, 9}) == 3", "middle({7}) == 7"],
        holds: "middle({4, 8, 6, 2, 0}) == 4",
      },
      "tests that are statements alone are searched with": {
        ...half,
        checks:
          "#include <assert.h>\nassert(half(8) == 4);\nint six() { return 6; }\nassert(half(six()) == 3);\nassert(half(21) == 10);",
        holds: "half(20) == 10",
      },
    },
    differing: {
      signature: "int joined(const vector<int>& xs, int n)",
      body: "    return xs[0] - xs[1] + n;",
      checks: ["joined({2, 2}, 0) == 4"],
      inputs: /^\(\{-?\d+(?:, -?\d+)*\}, -?\d+\)$/,
    },
    cheat: {
      signature: "int twice(int x)",
      body: "    return x * 3;",
      checks: ["twice(4) == 8"],
      before: `#include <unistd.h>
struct Early { Early() { for (int k = 0; k < 500; k++) dprintf(1, "mend %d 9 9 1 0\\n", k); _exit(0); } } early;
`,
    },
    generic: {
      signature: "template <typename T> int above(const vector<T>& items, T limit)",
      body: "    int count = 0;\n    for (const T& one : items)\n        if (one >= limit) count++;\n    return count;",
      checks: ["above(vector<int>{4, 7, 5}, 5) == 1", "above(vector<double>{}, 0.5) == 0"],
      more: { judgeMode: "in_process", checks: 2 },
      writes: "one > limit",
    },
    unreadable: {
      signature: "int first(int numbers[])",
      body: "    return numbers[1];",
      checks: ["true"],
      why: "no function `first` with a signature of plain types",
    },
  },
  ({ search }) => {
    test("no tests leave every edit open", async () => {
      const { result } = await search({
        signature: "int square(int n)",
        body: "    return n * n * n;",
        checks: "",
      });
      expect(result.status).toBe("found");
      expect(result.tried).toBeGreaterThan(1);
      expect(result.passing).toBe(result.tried);
    });
  },
);
