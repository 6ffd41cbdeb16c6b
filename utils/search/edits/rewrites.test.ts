// @module-tag ci

import { describe, expect, test } from "vitest";
import { operatorFamilies } from "../bundle.ts";
import { COMPILED_NAMES, type CompiledName } from "../tables.ts";
import { editsIn } from "../testing/compiled_edits.ts";
import { KNOWLEDGE } from "../testing/knowledge.ts";
import { isAmong } from "./families.ts";

/** A program, its function, and what stands in place of a part of it with an edit. */
type Case = readonly [language: CompiledName, kind: string, program: string, entry: string, old: string, now: string];

const JAVA = (body: string) => `import java.util.*;\nclass Shop {\n  ${body}\n}\n`;

const CASES: readonly Case[] = [
  [
    ...(["cpp", "the first of several fields that differ decides"] as const),
    "bool less(int a, int b, int c, int d) {\n    if (a < b) {\n        return true;\n    }\n    return c < d;\n}\n",
    ...(["less", "a < b) {\n        return true", "a != b) {\n        return a < b"] as const),
  ],
  [
    ...(["go", "the first of several fields that differ decides"] as const),
    "package shop\n\nfunc Less(a, b, c, d int) bool {\n\tif a > b {\n\t\treturn true\n\t}\n\treturn c > d\n}\n",
    ...(["Less", "a > b {\n\t\treturn true", "a != b {\n\t\treturn a > b"] as const),
  ],
  [
    ...(["cpp", "the largest so far is kept"] as const),
    "int largest(int best, int one) {\n    best = one;\n    return best;\n}\n",
    ...(["largest", "best = one", "best = std::max(best, one)"] as const),
  ],
  [
    ...(["java", "a bit beyond those of an int"] as const),
    JAVA("long wait(long first, int turn) { return first * (1 << turn); }"),
    ...(["wait", "1 << turn", "1L << turn"] as const),
  ],
  [
    ...(["rust", "the last value counts, on lines of their own"] as const),
    "use std::collections::HashMap;\nfn keep(m: &mut HashMap<String, i32>, k: String, v: i32) {\n    m\n        .entry(k)\n        .or_insert(v);\n}\n",
    ...(["keep", "m\n        .entry(k)\n        .or_insert(v);", "m.insert(k, v);"] as const),
  ],
  [
    ...(["java", "values are compared by their contents"] as const),
    JAVA("boolean same(Integer one, Integer two) { return one == two; }"),
    ...(["same", "one == two", "one.equals(two)"] as const),
  ],
  [
    ...(["java", "a comment stands in between"] as const),
    JAVA("boolean same(Integer one, Integer two) { return one /* the first */ == two; }"),
    ...(["same", "one /* the first */ == two", "one.equals(two)"] as const),
  ],
  [
    ...(["java", "another separator"] as const),
    JAVA('String slug(String text) { return text.replace(" ", "_"); }'),
    ...(["slug", '"_"', '"-"'] as const),
  ],
  [
    ...(["java", "values are compared by their contents where one is null"] as const),
    JAVA("boolean other(String one, String two) { return one != two; }"),
    ...(["other", "one != two", "!Objects.equals(one, two)"] as const),
  ],
  [
    ...(["java", "clauses are taken together in the other way"] as const),
    JAVA("boolean may(boolean a, boolean b, boolean c) { return a && b || c; }"),
    ...(["may", "a && b || c", "a && (b || c)"] as const),
  ],
  [
    ...(["cpp", "clauses are taken together in the other way"] as const),
    "bool may(bool a, bool b, bool c) {\n    if (a && (b || c)) return true;\n    return false;\n}\n",
    ...(["may", "a && (b || c)", "(a && b) || c"] as const),
  ],
  [
    ...(["go", "clauses are taken together in the other way"] as const),
    "package shop\n\nfunc May(a, b, c bool) bool {\n\treturn a || b && c\n}\n",
    ...(["May", "a || b && c", "(a || b) && c"] as const),
  ],
  [
    ...(["go", "a text is cut by characters wherever it is cut by bytes"] as const),
    "package shop\n\nfunc Cut(text string, n int) string {\n\tif len(text) <= n {\n\t\treturn text\n\t}\n\treturn text[:n]\n}\n",
    "Cut",
    "len(text) <= n {\n\t\treturn text\n\t}\n\treturn text[:n]",
    "len([]rune(text)) <= n {\n\t\treturn text\n\t}\n\treturn string([]rune(text)[:n])",
  ],
  [
    ...(["go", "an error is handed on"] as const),
    "package shop\n\nfunc Read(load func() (int, error)) (int, error) {\n\tvalue, err := load()\n\treturn value, nil\n}\n",
    ...(["Read", "value, nil", "value, err"] as const),
  ],
  [
    ...(["java", "a number stays above zero"] as const),
    JAVA("int left(int limit, int used) { return limit - used; }"),
    ...(["left", "return limit - used", "return Math.max(0, limit - used)"] as const),
  ],
  [
    ...(["cpp", "a number stays below another"] as const),
    "int pay(int amount, int cap) {\n    int sum = amount * 2;\n    return sum;\n}\n",
    ...(["pay", "return sum", "return std::min(sum, cap)"] as const),
  ],
  [
    ...(["rust", "a difference stays above zero"] as const),
    "fn left(limit: u64, used: u64) -> u64 {\n    limit - used\n}\n",
    ...(["left", "limit - used", "limit.saturating_sub(used)"] as const),
  ],
  [
    ...(["rust", "what cannot be computed gives nothing"] as const),
    "fn left(limit: u64, used: u64) -> Option<u64> {\n    Some(limit - used)\n}\n",
    ...(["left", "Some(limit - used)", "limit.checked_sub(used)"] as const),
  ],
  [
    ...(["rust", "an error is handed on"] as const),
    "fn read(text: &str) -> Option<u32> {\n    Some(text.chars().next().unwrap().to_digit(10).unwrap())\n}\n",
    ...(["read", "to_digit(10).unwrap()", "to_digit(10)?"] as const),
  ],
  [
    ...(["rust", "what cannot be read gives nothing"] as const),
    "fn sum(a: &str) -> Option<i32> {\n    let n = a.parse::<i32>().unwrap();\n    Some(n + 1)\n}\n",
    ...(["sum", "parse::<i32>().unwrap()", "parse::<i32>().ok()?"] as const),
  ],
  [
    ...(["rust", "only the first items count"] as const),
    "fn top(points: &[i32], n: usize) -> i32 {\n    points.iter().sum()\n}\n",
    ...(["top", "points.iter()", "points.iter().take(n)"] as const),
  ],
  [
    ...(["rust", "what is left of a whole, which is a parameter of the type"] as const),
    "struct Ring<const N: usize> { head: usize, tail: usize }\nimpl<const N: usize> Ring<N> {\n    fn len(&self) -> usize {\n        self.head - self.tail\n    }\n}\n",
    ...(["len", "self.head - self.tail", "N - (self.head - self.tail)"] as const),
  ],
  [
    ...(["java", "a list that a loop fills is a new one in each turn"] as const),
    JAVA(
      "List<List<Integer>> rows(int n) {\n    List<List<Integer>> rows = new ArrayList<>();\n    List<Integer> row = new ArrayList<>();\n    for (int i = 0; i < n; i++) {\n      row.add(i);\n      rows.add(row);\n    }\n    return rows;\n  }",
    ),
    "rows",
    "    List<Integer> row = new ArrayList<>();\n    for (int i = 0; i < n; i++) {\n      ",
    "    \n    for (int i = 0; i < n; i++) {\n      List<Integer> row = new ArrayList<>();\n      ",
  ],
  [
    ...(["java", "a field is asked whether it is null"] as const),
    JAVA("int size(Map<String, Integer> stock, List<String> names) {\n    return names.size();\n  }"),
    ...(["size", "return names", "if (names == null) return 0;\n    return names"] as const),
  ],
  [
    ...(["cpp", "the last part of a text, which is empty, counts"] as const),
    "#include <sstream>\n#include <string>\n#include <vector>\nstd::vector<std::string> parts(const std::string& text, char mark) {\n    std::vector<std::string> found;\n    std::istringstream stream(text);\n    std::string part;\n    while (std::getline(stream, part, mark))\n    {\n        found.push_back(part);\n    }\n    return found;\n}\n",
    "parts",
    "    return found",
    '    if (!text.empty() && text.back() == mark) found.push_back("");\n    return found',
  ],
  [
    ...(["java", "no number runs over"] as const),
    JAVA("long area(int width, int height) { return width * height; }"),
    ...(["area", "width * height", "(long) width * height"] as const),
  ],
  [
    ...(["cpp", "a difference of sizes stays above zero"] as const),
    "#include <vector>\nint first(const std::vector<int>& all, std::size_t n) {\n    return all[all.size() - n];\n}\n",
    ...(["first", "all.size() - n", "all.size() > n ? all.size() - n : 0"] as const),
  ],
  [
    ...(["cpp", "a sum of fractions begins with one"] as const),
    "double sum(const std::vector<double>& all) {\n    return std::accumulate(all.begin(), all.end(), 0);\n}\n",
    ...(["sum", "all.end(), 0)", "all.end(), 0.0)"] as const),
  ],
  [
    ...(["cpp", "what is removed is erased"] as const),
    "void drop(std::vector<int>& all, int n) {\n    std::remove(all.begin(), all.end(), n);\n}\n",
    "drop",
    "std::remove(all.begin(), all.end(), n)",
    "all.erase(std::remove(all.begin(), all.end(), n), all.end())",
  ],
  [
    ...(["cpp", "the next item follows the erased one"] as const),
    "void drop(std::vector<int>& all) {\n    for (auto at = all.begin(); at != all.end();)\n        if (*at == 0) all.erase(at);\n        else ++at;\n}\n",
    ...(["drop", "all.erase(at)", "at = all.erase(at)"] as const),
  ],
  [
    ...(["go", "an item of a list is changed in place"] as const),
    "package shop\n\ntype Item struct{ n int }\n\nfunc Count(all []Item, i int) {\n\tone := all[i]\n\tone.n++\n}\n",
    ...(["Count", "one := all[i]", "one := &all[i]"] as const),
  ],
  [
    ...(["go", "a whole text is cut off, and not its characters"] as const),
    'package shop\n\nimport "strings"\n\nfunc Plain(text string) string {\n\treturn strings.TrimLeft(text, "abc")\n}\n',
    ...(["Plain", "TrimLeft", "TrimPrefix"] as const),
  ],
  [
    ...(["go", "texts are compared without their case"] as const),
    "package shop\n\nfunc Same(a, b string) bool {\n\treturn a == b\n}\n",
    ...(["Same", "a == b", "strings.EqualFold(a, b)"] as const),
  ],
  [
    ...(["java", "what a method gives is kept"] as const),
    JAVA("String plain(String text) { text.trim(); return text; }"),
    ...(["plain", "text.trim();", "text = text.trim();"] as const),
  ],
  [
    ...(["java", "a list that others hold is not emptied"] as const),
    JAVA("List<Integer> open = new ArrayList<>();\n  void reset() { open.clear(); }"),
    ...(["reset", "open.clear();", "open = new ArrayList<>();"] as const),
  ],
  [
    ...(["java", "names that the file imports are written short"] as const),
    `import java.util.regex.*;\n${JAVA("void put(Matcher m, StringBuilder o, String v) { m.appendReplacement(o, v); }")}`,
    ...(["put", "(o, v);", "(o, Matcher.quoteReplacement(v));"] as const),
  ],
  [
    ...(["java", "what a method gives is wrapped where nothing is imported"] as const),
    "class Shop {\n  void order(int[] all) { all[0]++; }\n}\n",
    ...(["order", "all[0]++;", "java.util.Arrays.sort(all); all[0]++;"] as const),
  ],
  [
    ...(["java", "a part of an hour counts as a whole one"] as const),
    JAVA("int hours(long minutes) { return (int) Math.ceil(minutes / 60); }"),
    ...(["hours", "minutes / 60", "(double) minutes / 60"] as const),
  ],
  [
    ...(["rust", "what a macro is given is read as what a function is given"] as const),
    'fn line(took: std::time::Duration) -> String {\n    format!("{}ms", took.subsec_millis())\n}\n',
    ...(["line", "subsec_millis", "as_millis"] as const),
  ],
  [
    ...(["rust", "texts are compared without their case"] as const),
    "fn has(names: &[String], name: &str) -> bool {\n    names.iter().any(|one| one == name)\n}\n",
    ...(["has", "one == name", "one.eq_ignore_ascii_case(name)"] as const),
  ],
  [
    ...(["rust", "an item of a list is changed in place"] as const),
    "#[derive(Clone)]\nstruct Item { n: u32 }\nfn count(all: &mut Vec<Item>, i: usize) {\n    let mut one = all[i].clone();\n    one.n += 1;\n}\n",
    ...(["count", "let mut one = all[i].clone();", "let one = &mut all[i];"] as const),
  ],
];

describe("edits of the tables' patterns", () => {
  test.each(CASES)("%s: %s", async (language, _, program, entry, old, now) => {
    const edits = await editsIn(language, program, entry);
    expect(edits.map((one) => one.program)).toContain(program.replace(old, () => now));
  });

  test.each(["javascript", ...COMPILED_NAMES] as const)(
    "a model can ask for each of them by a kind: %s",
    (language) => {
      const tables = language === "javascript" ? KNOWLEDGE.javascript : KNOWLEDGE.compiled[language];
      const kinds = operatorFamilies();
      expect(Object.keys(tables.rewrites).filter((operator) => !isAmong(operator, kinds))).toEqual([]);
    },
  );

  test("numbers that are written, truths and plain numbers are not compared by contents", async () => {
    const program = JAVA("boolean is(int a, char b, boolean c) { return a == 1 && b == 'x' && c == true && a == b; }");
    const edits = await editsIn("java", program, "is");
    expect(edits.filter(({ operator }) => operator === "equals")).toEqual([]);
  });
});
