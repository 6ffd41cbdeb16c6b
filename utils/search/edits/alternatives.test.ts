import { describe, expect, test } from "vitest";
import type { CompiledName } from "../tables.ts";
import { factsOf } from "../testing/compiled_edits.ts";
import { KNOWLEDGE } from "../testing/knowledge.ts";
import { editsOf } from "./generate.ts";

/** What stands in place of a part of a program, and the operator that does it. */
type Wanted = readonly [old: string, now: string, operator: string | undefined];

const TOLD = { numbers: ["50"], texts: ["C"] };

async function expectEdits(language: CompiledName, program: string, entry: string, wanted: readonly Wanted[]) {
  const facts = await factsOf(language, program, entry);
  const edits = editsOf(facts, KNOWLEDGE.compiled[language], TOLD, KNOWLEDGE.priors, {});
  const made = wanted.map(([old, now]) => {
    if (!program.includes(old)) throw new Error(`nothing reads ${old}`);
    const text = program.replace(old, () => now);
    return [old, now, edits.find((one) => one.program === text)?.operator];
  });
  expect(made).toEqual(wanted);
}

const GO = `package shop

func Lead(votes []int, open bool) int {
	leader, lead := 0, 0
	for i, v := range votes {
		if votes[i] == leader {
			lead += 1
		}
		if lead == 0 {
			leader = v
		} else {
			leader = lead
		}
		lead = v
	}
	return leader
}
`;

const CPP = `#include <vector>
using namespace std;
int lead(vector<int> votes, int limit) {
    int best = 0, run = 0;
    for (int i = 0; i < votes.size(); i++) {
        if (votes[i] > 2) run++;
        if (best < run) { best = run; } else if (best > limit) { best = limit; }
    }
    return best;
}
`;

const JAVA = `class Solution {
    public int lead(int[] votes) {
        int run = 0;
        for (int vote : votes) {
            if (vote > 2) {
                run++;
            }
            run = run * 2;
        }
        return run;
    }
}
`;

const RUST = `fn lead(votes: &[i32]) -> i32 {
    let mut run = 0;
    for vote in votes {
        if *vote > 2 {
            run += 1;
        }
    }
    run
}
`;

describe("else", () => {
  test("is put in with the opposite, with what begins anew, and around what stands behind", async () => {
    await expectEdits("go", GO, "Lead", [
      ["lead += 1\n\t\t}", "lead += 1\n\t\t} else {\n\t\t\tlead -= 1\n\t\t}", "else"],
      ["lead += 1\n\t\t}", "lead += 1\n\t\t} else {\n\t\t\tlead = 1\n\t\t}", "else"],
      ["lead += 1\n\t\t}\n\t\tif", "lead += 1\n\t\t} else if", "else"],
      // A value that leaves is given in any case.
      ["leader = lead\n\t\t}\n\t\tlead = v", "leader = lead\n\t\t} else {\n\t\t\tlead = v\n\t\t}", undefined],
    ]);
    await expectEdits("cpp", CPP, "lead", [["run++;", "run++; else {\n            run = 0;\n        }", "else"]]);
    await expectEdits("java", JAVA, "lead", [
      [
        "            }\n            run =",
        "            } else {\n                run--;\n            }\n            run =",
        "else",
      ],
      [
        "            }\n            run = run * 2;",
        "            } else {\n                run = run * 2;\n            }",
        "else",
      ],
    ]);
    await expectEdits("rust", RUST, "lead", [
      ["run += 1;\n        }", "run += 1;\n        } else {\n            run = 0;\n        }", "else"],
    ]);
  });

  test("gets a condition, or goes and leaves what it holds", async () => {
    await expectEdits("go", GO, "Lead", [
      ["} else {", "} else if !open {", "else"],
      ["} else {", "} else if lead > 0 {", "else"],
      ["} else {\n\t\t\tleader = lead\n\t\t}", "}\n\t\tleader = lead", "else"],
    ]);
    await expectEdits("cpp", CPP, "lead", [[" else if", "\n        if", "else"]]);
  });
});

describe("places and bounds", () => {
  test("another place, before and behind a name; whether there is an item; what is asked of the one before it", async () => {
    await expectEdits("go", GO, "Lead", [
      ["votes[i]", "votes[v - 1]", "place"],
      ["votes[i]", "votes[lead]", "build_item"],
      ["if votes[i]", "if i < len(votes) && votes[i]", "bounds"],
      ["== leader", "== leader && i > 0 && votes[i - 1] == leader", "bounds"],
    ]);
    await expectEdits("cpp", CPP, "lead", [
      ["(votes[i] > 2)", "(i < votes.size() && votes[i] > 2)", "bounds"],
      ["(votes[i] > 2)", "(votes[i] > 2 && i > 0 && votes[i - 1] > 2)", "bounds"],
      ["votes[i]", "votes[i + 1]", "plus_minus_one"],
    ]);
  });

  test("a distance becomes a name, and the other side of a span is asked", async () => {
    const program = `package shop

func Within(values []int, low int, high int) int {
	count := 0
	for i := 1; i < len(values); i++ {
		if values[i-1] >= low {
			count++
		}
	}
	return count
}
`;
    await expectEdits("go", program, "Within", [
      ["values[i-1]", "values[i-low]", "place"],
      [">= low", ">= low && values[i-1] <= high", "add_clause"],
      ["if values[i-1]", "if i > 0 && values[i-1]", "bounds"],
    ]);
  });
});

test("the case that a chain leaves out, what is left at the end, and an array's length", async () => {
  const grade = `package shop

func Grade(score int) string {
	if score >= 75 {
		return "B"
	}
	return "F"
}
`;
  await expectEdits("go", grade, "Grade", [
    ['"B"\n\t}', '"B"\n\t}\n\tif score >= 50 {\n\t\treturn "C"\n\t}', "like_statement"],
  ]);
  const factors = `import java.util.*;

class Solution {
    public int[] ends(int number, int[] values, int k) {
        List<Integer> found = new ArrayList<>();
        while (number % 2 == 0) number /= 2;
        int last = values.length;
        return values;
    }
}
`;
  await expectEdits("java", factors, "ends", [
    ["        int last", "        if (number > 1) found.add(number);\n        int last", "collect"],
    ["values.length;", "values.length - k;", "unread"],
    ["int last = values.length;", "int last = values.length;\n        k %= values.length;", "assign"],
  ]);
});

test("the whole of several clauses is denied later than one", async () => {
  const program = `package shop

func Both(a int, b int) bool {
	return a > 1 && b > 2
}
`;
  const facts = await factsOf("go", program, "Both");
  const edits = editsOf(facts, KNOWLEDGE.compiled.go, TOLD, KNOWLEDGE.priors, {});
  const costOf = (old: string, now: string) =>
    edits.find((one) => one.program === program.replace(old, now))?.cost ?? Number.NaN;
  expect(costOf("a > 1 && b > 2", "!(a > 1 && b > 2)")).toBeGreaterThan(costOf("&&", "||"));
});
