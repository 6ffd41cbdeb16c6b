import { describe, expect, test } from "vitest";
import { COMPILED_NAMES, type CompiledName } from "../tables.ts";
import { editsIn } from "../testing/compiled_edits.ts";

/** A program, and what stands in place of a part of it with the operator that does it. */
type Case = readonly [program: string, entry: string, edits: readonly (readonly [string, string, string])[]];

const CASES: Readonly<Record<CompiledName, Case>> = {
  go: [
    `package shop

func Cheapest(prices []int, limit int) int {
	best := prices[0]
	for _, price := range prices {
		best = price
	}
	return best
}
`,
    "Cheapest",
    [
      ["\tbest := ", "\tif len(prices) == 0 {\n\t\treturn 0\n\t}\n\tbest := ", "leave"],
      ["\tbest := ", "\tif limit <= 0 {\n\t\treturn -1\n\t}\n\tbest := ", "leave"],
      ["\t\tbest = price", "\t\tif price > limit {\n\t\t\tcontinue\n\t\t}\n\t\tbest = price", "jump"],
      ["\t\tbest = price", "\t\tif price < best {\n\t\t\tbest = price\n\t\t}", "condition_of_statement"],
      ["\t\tbest = price", "\t\tbest = price\n\t\treturn 0", "leave"],
    ],
  ],
  rust: [
    `fn joined(words: &[String], size: usize) -> Vec<String> {
    let mut out = Vec::new();
    for word in words {
        if word.len() > size {
            out.push(word.to_string());
        }
    }
    out
}
`,
    "joined",
    [
      ["    let mut out", "    if size == 0 {\n        return Vec::new();\n    }\n    let mut out", "leave"],
      ["    let mut out", "    if words.is_empty() {\n        return Vec::new();\n    }\n    let mut out", "leave"],
      [
        "        if word.len()",
        "        if word.is_empty() {\n            continue;\n        }\n        if word.len()",
        "jump",
      ],
    ],
  ],
  cpp: [
    `#include <set>
#include <string>
#include <vector>
using namespace std;
vector<int> firsts(vector<int> values, string name) {
    vector<int> kept;
    set<int> seen;
    int last = 0;
    for (int value : values) {
        if (seen.count(value)) continue;
        last = value;
    }
    return kept;
}
`,
    "firsts",
    [
      ["    vector<int> kept", "    if (values.empty()) return {};\n    vector<int> kept", "leave"],
      ["        last = value;", "        last = value;\n        seen.insert(value);", "collect"],
      ["        last = value;", "        last = value;\n        kept.push_back(value);", "collect"],
      ["        last = value;", "        if (value > last) last = value;", "condition_of_statement"],
    ],
  ],
  java: [
    `import java.util.*;

class Solution {
    public List<String> firsts(List<String> words, int most) {
        Set<String> seen = new HashSet<>();
        List<String> kept = new ArrayList<>();
        for (String word : words) {
            if (seen.contains(word)) continue;
            System.out.print("");
        }
        return kept;
    }
}
`,
    "firsts",
    [
      ["        Set<", "        if (most < 2) return new ArrayList<>();\n        Set<", "leave"],
      ["            if (seen", "            if (word.isEmpty()) continue;\n            if (seen", "jump"],
      ['print("");', 'print("");\n            kept.add(word);', "collect"],
      ['print("");', 'print("");\n            seen.add(word);', "collect"],
    ],
  ],
};

describe.each(COMPILED_NAMES)("%s", (language) => {
  test("what leaves early, what is put under a condition and what is put into a list or a set", async () => {
    const [program, entry, wanted] = CASES[language];
    const edits = await editsIn(language, program, entry);
    const made = wanted.map(([old, now]) => {
      const text = program.replace(old, () => now);
      return [now, edits.find((one) => one.program === text)?.operator];
    });
    expect(made).toEqual(wanted.map(([, now, operator]) => [now, operator]));
  });
});

test("a function that gives nothing is left without a value", async () => {
  const program = "package shop\n\nfunc Fill(items []int, at int) {\n\titems[at] = 1\n}\n";
  const edits = await editsIn("go", program, "Fill");
  const guarded = program.replace("\titems", "\tif at < 0 {\n\t\treturn\n\t}\n\titems");
  expect(edits.find((one) => one.program === guarded)?.operator).toBe("leave");
  expect(edits.some(({ operator, program: text }) => operator === "leave" && /return [^\n]/.test(text))).toBe(false);
});

test("what is always given, begun with, converted or counted becomes what was meant", async () => {
  const program = `import java.util.*;

class Solution {
    public boolean within(Deque<Integer> open, int[] sizes, int parts, int whole) {
        int best = 0;
        int minutes = parts / 3600;
        double share = (double) (parts / whole);
        StringBuilder digits = new StringBuilder();
        for (char c : digits.toString().toCharArray()) best += c;
        return true;
    }
}
`;
  const edits = await editsIn("java", program, "within");
  for (const [old, now, operator] of [
    ["return true", "return open.isEmpty()", "build_bool"],
    ["best = 0", "best = Integer.MIN_VALUE", "number"],
    ["best = 0", "best = sizes[0]", "number"],
    ["(double) (parts / whole)", "(double) parts / (double) whole", "regroup"],
    ["best += c", "best += Character.toLowerCase(c)", "wrap_number"],
    ["digits.toString()", "digits.reverse().toString()", "wrap_string"],
    ["parts / 3600", "parts / 3600 % 3600", "combine_told"],
    ["3600", "36000", "number"],
  ] as const)
    expect([now, edits.find((one) => one.program === program.replace(old, () => now))?.operator]).toEqual([
      now,
      operator,
    ]);
  // Neither is written by anybody.
  expect(edits.some(({ program: text }) => text.includes("0 / 2"))).toBe(false);
  expect(edits.some(({ program: text }) => text.includes("parts - parts"))).toBe(false);
});

test("bounds and sizes: a number no larger than a list, a text no longer than a number", async () => {
  const program =
    "package shop\n\nfunc Part(items []string, name string, size int) string {\n\tend := size * 2\n\treturn name + items[end]\n}\n";
  const edits = await editsIn("go", program, "Part");
  const bounded = program.replace("\treturn", "\tif end > len(items) {\n\t\tend = len(items)\n\t}\n\treturn");
  const short = program.replace("\tend :=", "\tif len(name) <= size {\n\t\treturn name\n\t}\n\tend :=");
  expect(edits.find(({ program: text }) => text === bounded)?.operator).toBe("assign");
  expect(edits.find(({ program: text }) => text === short)?.operator).toBe("leave");
});
