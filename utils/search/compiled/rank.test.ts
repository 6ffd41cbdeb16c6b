import { expect, test } from "vitest";
import { KNOWLEDGE } from "../testing/knowledge.ts";
import { Facts } from "./facts.ts";
import { editsOf } from "./generate.ts";
import { functionIn, parse } from "./grammar.ts";
import { COMPILED_SEARCHES } from "./languages.ts";
import { sizeOf } from "./rank.ts";

const WINDOWS = `package stats

func Windows(values []int, k int) int {
	count := 0
	if k <= 0 || len(values) < k {
		return count
	}
	for i := 0; i+k < len(values); i++ {
		count++
	}
	return count
}
`;

test("what goes at one place and comes at another counts at both", () => {
  const program = "a < b && c <= d";
  const at = (start: number, old: string, text: string) => ({ start, end: start + old.length, text });
  expect(sizeOf({ changes: [at(2, "<", "<=")] }, program)).toBe(2);
  expect(sizeOf({ changes: [at(2, "<", "<="), at(11, "<=", "<")] }, program)).toBe(4);
});

test("one sign is changed before all of its kind are exchanged", async () => {
  const grammar = await COMPILED_SEARCHES.go.loadGrammar();
  const found = functionIn(grammar, await parse(grammar, WINDOWS), { start: 3, end: 12 });
  if (!found) throw new Error("no function");
  const { compiled, priors } = KNOWLEDGE;
  const edits = editsOf(new Facts(grammar, WINDOWS, found), compiled.go, { numbers: [], texts: [] }, priors, {});
  const costOf = (program: string) => edits.find((one) => one.program === program)?.cost ?? Number.NaN;
  const right = WINDOWS.replace("i+k <", "i+k <=");
  expect(costOf(right)).toBeLessThan(
    costOf(right.replace("k <= 0", "k < 0").replace("len(values) < k", "len(values) <= k")),
  );
});
