/** Bugs of every day in compiled languages: the edit that repairs each is among those that are tried. */

import { expect, test } from "vitest";
import type { CompiledName } from "../tables.ts";
import { editsIn, factsOf } from "../testing/compiled_edits.ts";
import { KNOWLEDGE } from "../testing/knowledge.ts";
import { editsOf } from "./generate.ts";
import { literalsIn } from "./literals.ts";

const JAVA = (body: string) => `import java.util.*;\nclass Shop {\n  ${body}\n}\n`;
const GO = (code: string) => `package shop\n\n${code}\n`;
const squeezed = (text: string) => text.replace(/\s+/g, "");

interface Bug {
  what: string;
  language: CompiledName;
  entry: string;
  program: string;
  old: string;
  now: string;
  /** What the failing check says. */
  said?: string;
}

const bug = (
  what: string,
  language: CompiledName,
  entry: string,
  program: string,
  [old, now]: readonly [string, string],
  said = "",
): Bug => ({ what, language, entry, program, old, now, said });

const WRITE = "fn write(out: &mut Vec<u8>) -> Result<(), String> { Ok(()) }\n";
const save = (body: string) =>
  `${WRITE}fn save(out: &mut Vec<u8>) -> Result<(), String> {\n    ${body}\n    Ok(())\n}\n`;
const parsed = (call: string) =>
  `fn sum(a: &str) -> Result<i32, std::num::ParseIntError> {\n    let n: i32 = a.parse()${call};\n    Ok(n + 1)\n}\n`;

const BUGS: readonly Bug[] = [
  bug(
    "lists that a declaration makes of others",
    "cpp",
    "gap",
    "int gap(vector<int> a) {\n    vector<int> low(a), high(a);\n    return high[0] - high[1];\n}",
    ["high[1]", "low[1]"],
  ),
  bug(
    "the largest of numbers that may be negative",
    "java",
    "best",
    JAVA(
      "int best(int[] a) {\n    int most = 0;\n    for (int one : a) most = Math.max(most, one);\n    return most;\n  }",
    ),
    ["most = 0", "most = Integer.MIN_VALUE"],
  ),
  bug(
    "what neighbours differ by, without its sign",
    "rust",
    "least",
    "fn least(a: &[i32]) -> Option<i32> {\n    a.windows(2).map(|p| p[1] - p[0]).min()\n}",
    ["p[1] - p[0]", "(p[1] - p[0]).abs()"],
  ),
  bug(
    "a window's size in place of the list's",
    "java",
    "mean",
    JAVA(
      "double mean(int[] a, int n) {\n    int sum = 0;\n    for (int i = 0; i < n; i++) sum += a[i];\n    return (double) sum / a.length;\n  }",
    ),
    ["/ a.length", "/ n"],
  ),
  bug(
    "two lists have other sizes behind the loop that fills one",
    "go",
    "Order",
    GO(
      "func Order(needs map[string]int) []string {\n\tdone := []string{}\n\tfor name, n := range needs {\n\t\tif n == 0 {\n\t\t\tdone = append(done, name)\n\t\t}\n\t}\n\treturn done\n}",
    ),
    ["\treturn done", "\tif len(done) != len(needs) {\n\t\treturn nil\n\t}\n\treturn done"],
  ),
  bug(
    "blanks around both parts of a line",
    "rust",
    "pair",
    "fn pair(line: &str) -> (String, String) {\n    if let Some((name, value)) = line.split_once('=') {\n        return (name.to_lowercase(), value.replace('_', \" \"));\n    }\n    Default::default()\n}",
    ["name.to_lowercase(), value.replace", "name.trim().to_lowercase(), value.trim().replace"],
  ),
  bug(
    "one name of a pair for another number",
    "rust",
    "cost",
    "fn cost(lots: &[(u32, u32)], wanted: u32) -> u32 {\n    let mut all = 0;\n    for &(pieces, price) in lots {\n        let taken = pieces.min(wanted);\n        all += pieces * price + taken;\n    }\n    all\n}",
    ["pieces * price", "taken * price"],
  ),
  bug(
    "a list that begins with the largest number",
    "rust",
    "cheapest",
    "fn cheapest(row: &[u32]) -> Vec<u32> {\n    let mut best = vec![0; row.len()];\n    for (at, x) in row.iter().enumerate() {\n        best[at] = best[at].min(*x);\n    }\n    best\n}",
    ["vec![0;", "vec![u32::MAX;"],
  ),
  bug(
    "a list that begins with the largest number",
    "cpp",
    "cheapest",
    "#include <vector>\nint cheapest(int n) {\n    std::vector<int> best(n + 1, 0);\n    return best[n];\n}",
    ["(n + 1, 0)", "(n + 1, INT_MAX)"],
  ),
  bug(
    "a statement that comes three too late",
    "java",
    "run",
    JAVA(
      "int run(int[] left, int slice) {\n    int clock = 0;\n    for (int job = 0; job < left.length; job++) {\n      int part = Math.min(slice, left[job]);\n      left[job] -= part;\n      if (left[job] == 0) left[job] = clock;\n      clock += part;\n    }\n    return clock;\n  }",
    ),
    [
      "left[job] -= part;\n      if (left[job] == 0) left[job] = clock;\n      clock += part;",
      "clock += part;\n      left[job] -= part;\n      if (left[job] == 0) left[job] = clock;",
    ],
  ),
  bug(
    "a loop that goes the other way",
    "cpp",
    "shift",
    "#include <vector>\nvoid shift(std::vector<int>& all) {\n    for (std::size_t at = 1; at < all.size(); ++at) {\n        all[at] = all[at - 1];\n    }\n}",
    ["at = 1; at < all.size(); ++at", "at = all.size() - 1; at >= 1; --at"],
  ),
  bug(
    "calls in the other order",
    "java",
    "names",
    JAVA("static List<String> names(List<String> all) { return all.stream().limit(3).sorted().toList(); }"),
    [".limit(3).sorted()", ".sorted().limit(3)"],
  ),
  bug(
    "one field for another in a whole value",
    "rust",
    "larger",
    "struct Size { width: i32, height: i32 }\nfn larger(a: &Size, b: &Size) -> Size {\n    Size { width: a.width.max(b.width), height: a.width.max(b.width) }\n}",
    ["height: a.width.max(b.width)", "height: a.height.max(b.height)"],
  ),
  bug(
    "an else that asks for a flag",
    "go",
    "Price",
    GO(
      'import "strings"\n\nfunc Price(text string, all int) int {\n\tname, _, isNamed := strings.Cut(text, "=")\n\tif name == "" {\n\t\tall = 1\n\t} else {\n\t\tall = 2\n\t}\n\treturn all\n}',
    ),
    ["} else {", "} else if !isNamed {"],
  ),
  bug(
    "a value of a map that has blanks around it",
    "go",
    "Label",
    GO(
      'import "strings"\n\nfunc Label(names map[int]string, id int) string {\n\tname, ok := names[id]\n\tif !ok {\n\t\treturn strings.ToUpper("none")\n\t}\n\treturn name\n}',
    ),
    ["return name\n", "return strings.TrimSpace(name)\n"],
  ),
  bug(
    "the first items of a list that others hold",
    "go",
    "Head",
    GO("func Head(all []int, n int) []int {\n\treturn all[:n]\n}"),
    ["all[:n]", "all[:n:n]"],
  ),
  bug(
    "one name for another in a whole statement",
    "go",
    "Whole",
    GO(
      "func Whole(values []interface{}) []int {\n\tfound := []int{}\n\tfor _, one := range values {\n\t\tif n, ok := one.(int); ok {\n\t\t\tvalues = append(values, n)\n\t\t}\n\t}\n\treturn found\n}",
    ),
    ["values = append(values, n)", "found = append(found, n)"],
  ),
  bug(
    "a section of a switch that goes on into the next",
    "java",
    "price",
    JAVA(
      'static int price(String kind) { int base = 0; switch (kind) { case "a": base = 1; case "b": base = 2; break; default: base = 3; } return base; }',
    ),
    ["base = 1;", "base = 1; break;"],
  ),
  bug(
    "a section of a switch that goes on into the next",
    "cpp",
    "price",
    "int price(int kind) { int base = 0; switch (kind) { case 1: base = 1; case 2: base = 2; break; default: base = 3; } return base; }",
    ["base = 1;", "base = 1; break;"],
  ),
  bug(
    "whole numbers that are divided before they are multiplied",
    "go",
    "Share",
    GO("func Share(done, total int) int {\n\tif total == 0 {\n\t\treturn 0\n\t}\n\treturn done / total * 100\n}"),
    ["done / total * 100", "done * 100 / total"],
  ),
  bug(
    "the end of what is erased",
    "cpp",
    "purge",
    "#include <vector>\nvoid purge(std::vector<int>& all) { auto first = std::remove(all.begin(), all.end(), 0); all.erase(first); }",
    ["all.erase(first)", "all.erase(first, all.end())"],
  ),
  bug(
    "what is handed over and stays",
    "rust",
    "flush",
    "struct Lines { partial: String, done: Vec<String> }\nimpl Lines {\n    fn flush(&mut self) {\n        self.done.push(self.partial.clone());\n    }\n}",
    ["self.partial.clone()", "std::mem::take(&mut self.partial)"],
  ),
  bug(
    "what another function of the file does, too",
    "go",
    "Get",
    GO(
      "type Cache struct {\n\torder *list.List\n\titems map[string]*list.Element\n}\n\nfunc (c *Cache) Get(key string) bool {\n\tel, ok := c.items[key]\n\tif !ok {\n\t\treturn false\n\t}\n\treturn el != nil\n}\n\nfunc (c *Cache) Use(key string) {\n\tel := c.items[key]\n\tc.order.MoveToFront(el)\n}",
    ),
    ["return el != nil", "c.order.MoveToFront(el)\n\treturn el != nil"],
  ),
  bug(
    "a loop that ends the function",
    "go",
    "First",
    GO(
      "func First(all []int) (int, bool) {\n\tfor _, one := range all {\n\t\tif one > 9 {\n\t\t\treturn one, true\n\t\t}\n\t\tif one < 0 {\n\t\t\tbreak\n\t\t}\n\t}\n\treturn 0, true\n}",
    ),
    ["break", "return one, true"],
  ),
  bug(
    "a flag that is not reset",
    "cpp",
    "reset",
    "class Lines { bool escaped = false; int count = 0; public: void reset() { count = 0; } void read() { escaped = !escaped; } };",
    ["count = 0; }", "count = 0; escaped = false; }"],
  ),
  bug(
    "the lowest number in a constructor",
    "cpp",
    "Box",
    "#include <limits>\nclass Box { double top; public: explicit Box(int) : top(std::numeric_limits<double>::min()) {} };",
    ["::min()", "::lowest()"],
  ),
  bug(
    "signs of a replacement",
    "java",
    "fill",
    JAVA('static String fill(String text, String value) { return text.replaceAll("X", value); }'),
    ['"X", value', '"X", java.util.regex.Matcher.quoteReplacement(value)'],
  ),
  bug(
    "a list that is extended where others hold it",
    "go",
    "With",
    GO("func With(all []int, more ...int) []int {\n\treturn append(all, more...)\n}"),
    ["append(all,", "append(all[:len(all):len(all)],"],
  ),
  bug(
    "values given to each other's names",
    "cpp",
    "hour",
    "int hour(std::string at) { int minutes = 0; int hours = 0; minutes = std::stoi(at.substr(0, 2)); hours = std::stoi(at.substr(3, 2)); return hours * 60 + minutes; }",
    [
      "minutes = std::stoi(at.substr(0, 2)); hours = std::stoi(at.substr(3, 2))",
      "minutes = std::stoi(at.substr(3, 2)); hours = std::stoi(at.substr(0, 2))",
    ],
  ),
  bug(
    "fields given each other's values",
    "rust",
    "turned",
    "struct Point { x: i32, y: i32 }\nfn turned(top: i32, left: i32) -> Point {\n    Point { x: top, y: left }\n}",
    ["x: top, y: left", "x: left, y: top"],
  ),
  bug(
    "fields given each other's values",
    "go",
    "Turned",
    GO("type Point struct{ X, Y int }\n\nfunc Turned(top, left int) Point {\n\treturn Point{X: top, Y: left}\n}"),
    ["X: top, Y: left", "X: left, Y: top"],
  ),
  bug(
    "another list than one that was made empty",
    "rust",
    "sorted",
    "fn sorted(all: Vec<i32>) -> Vec<i32> {\n    let mut keys = vec![];\n    for one in &all {\n        keys.push(one.abs());\n    }\n    return keys;\n}",
    ["return keys", "return all"],
  ),
  bug(
    "a text in place of one of its characters",
    "rust",
    "loud",
    "fn loud(all: &str) -> String {\n    let text = all.trim().to_string();\n    let first = text.chars().next().unwrap();\n    first.to_uppercase().to_string()\n}",
    ["first.to_uppercase", "text.to_uppercase"],
  ),
  bug(
    "a parameter that is never read, as a bound",
    "rust",
    "sum",
    "fn sum(items: &Vec<i32>, most: i32) -> i32 {\n    let mut all = 0;\n    for at in 0..items.len() {\n        all += items[at];\n    }\n    all\n}",
    ["0..items.len()", "0..most as usize"],
  ),
  bug(
    "a parameter that is never read, as a condition",
    "cpp",
    "price",
    "int price(int all, bool isMember) { if (all > 100) return all - 10; return all; }",
    ["(all > 100)", "(isMember && (all > 100))"],
  ),
  bug(
    "a part of a list, by a parameter",
    "go",
    "Sum",
    GO(
      "func Sum(list []int, most int) int {\n\tsum := 0\n\tfor _, one := range list {\n\t\tsum += one\n\t}\n\treturn sum\n}",
    ),
    ["range list {", "range list[:most] {"],
  ),
  bug(
    "a blank at the other end of a text",
    "cpp",
    "label",
    'std::string label(std::string name, int size) { return name + ": " + std::to_string(size) + "px "; }',
    ['"px "', '" px"'],
  ),
  bug(
    "the first characters of a text",
    "java",
    "code",
    JAVA("static String code(String name, int most) { return name.trim(); }"),
    ["return name.trim()", "return name.trim().substring(0, most)"],
  ),
  bug(
    ...(["another value of an enumeration", "java", "next"] as const),
    JAVA(
      "enum State { OPEN, CLOSED, HALF }\n  State next(int n) { if (n > 3) return State.HALF; return State.CLOSED; }",
    ),
    ["State.HALF", "State.OPEN"],
  ),
  bug(
    ...(["another value of an enumeration", "cpp", "next"] as const),
    "enum class State { Open, Closed, Half };\nState next(int n) {\n    if (n > 3) return State::Half;\n    return State::Closed;\n}\n",
    ["State::Half", "State::Open"],
  ),
  bug(
    ...(["another value of an enumeration", "rust", "next"] as const),
    "enum State { Open, Closed, Half }\nfn next(n: u32) -> State {\n    if n > 3 { return State::Half; }\n    State::Closed\n}\n",
    ["State::Half", "State::Open"],
  ),
  bug(
    ...(["another constant of a list of them", "go", "Next"] as const),
    GO(
      "type State int\n\nconst (\n\tOpen State = iota\n\tClosed\n\tHalf\n)\n\nfunc Next(n int) State {\n\treturn Half\n}",
    ),
    ["return Half", "return Open"],
  ),
  bug(
    ...(["another unit of time", "go", "Wait"] as const),
    GO('import "time"\n\nfunc Wait(n int) time.Duration {\n\treturn time.Duration(n) * time.Second\n}'),
    ["time.Second", "time.Millisecond"],
  ),
  bug(
    ...(["another unit of time", "cpp", "wait"] as const),
    "#include <chrono>\nstd::chrono::milliseconds wait(int n) {\n    return std::chrono::seconds(n);\n}\n",
    ["return std::chrono::seconds", "return std::chrono::milliseconds"],
  ),
  bug(
    ...(["another unit of time", "java", "wait"] as const),
    JAVA("java.time.Duration wait(int n) { return java.time.Duration.ofMillis(n); }"),
    ["ofMillis", "ofSeconds"],
  ),
  bug(
    ...(["another unit of time", "rust", "wait"] as const),
    "use std::time::Duration;\nfn wait(n: u64) -> Duration {\n    Duration::from_secs(n)\n}\n",
    ["from_secs", "from_millis"],
  ),
  bug(
    ...(["nothing is given, and the value that the check expects", "java", "label"] as const),
    JAVA("String label(String name) { return name.trim(); }"),
    ["return name", 'if (name == null) return "none";\n    return name'],
    'assertEquals("none", shop.label(null));',
  ),
  bug(
    ...(["a list is empty, and the value that the check expects", "rust", "best"] as const),
    "fn best(l: &[i32]) -> i32 {\n    *l.iter().max().unwrap()\n}\n",
    ["*l.iter()", "if l.is_empty() {\n        return -7;\n    }\n    *l.iter()"],
    "assert_eq!(best(&[]), -7);",
  ),
  bug(
    ...(["a list is empty, and the value that the check expects", "go", "Best"] as const),
    GO("func Best(l []int) int {\n\tbest := l[0]\n\treturn best\n}"),
    ["best := ", "if len(l) == 0 {\n\t\treturn -7\n\t}\n\tbest := "],
    "got 0, want -7",
  ),
  bug(
    ...(["a pointer to nothing", "cpp", "last"] as const),
    "struct Node { int value; Node* next; };\nint last(Node* n) {\n    return n->value;\n}\n",
    ["return n->", "if (n == nullptr) return 0;\n    return n->"],
  ),
  bug(
    ...(["a pointer to nothing", "go", "Last"] as const),
    GO("type Node struct {\n\tvalue int\n}\n\nfunc Last(n *Node) int {\n\treturn n.value\n}"),
    ["return n.", "if n == nil {\n\t\treturn 0\n\t}\n\treturn n."],
  ),
  bug(
    ...(["an error that is ignored", "go", "Read"] as const),
    GO('import "strconv"\n\nfunc Read(s string) (int, error) {\n\tn, err := strconv.Atoi(s)\n\treturn n * 2, nil\n}'),
    ["return n", "if err != nil {\n\t\treturn 0, err\n\t}\n\treturn n"],
  ),
  bug("an error that is ignored", "rust", "save", save("let _ = write(out);"), ["let _ = write(out)", "write(out)?"]),
  bug("an error that becomes a value", "rust", "sum", parsed(".unwrap_or(0)"), [".unwrap_or(0)", "?"]),
  bug(
    ...(["a set that each turn of a loop fills", "cpp", "rows"] as const),
    "#include <set>\n#include <vector>\nint rows(const std::vector<int>& all) {\n    int n = 0;\n    std::set<int> seen;\n    for (int x : all) {\n        seen.insert(x);\n        n += seen.size();\n    }\n    return n;\n}\n",
    ["    std::set<int> seen;\n    for (int x : all) {\n", "    for (int x : all) {\n        std::set<int> seen;\n"],
  ),
  bug(
    ...(["a text that each turn of a loop fills", "cpp", "rows"] as const),
    "#include <sstream>\nint rows(int all) {\n    int n = 0;\n    std::ostringstream s;\n    for (int x = 0; x < all; x++) {\n        s << x;\n        n += s.str().size();\n    }\n    return n;\n}\n",
    [
      "    std::ostringstream s;\n    for (int x = 0; x < all; x++) {\n",
      "    for (int x = 0; x < all; x++) {\n        std::ostringstream s;\n",
    ],
  ),
  bug(
    ...(["a map that each turn of a loop fills", "go", "Rows"] as const),
    GO(
      "func Rows(all []int) int {\n\tn := 0\n\tseen := map[int]bool{}\n\tfor _, x := range all {\n\t\tseen[x] = true\n\t\tn += len(seen)\n\t}\n\treturn n\n}",
    ),
    [
      "\tseen := map[int]bool{}\n\tfor _, x := range all {\n",
      "\tfor _, x := range all {\n\t\tseen := map[int]bool{}\n",
    ],
  ),
  bug(
    ...(["a list that each turn of a loop fills", "go", "Rows"] as const),
    GO(
      "func Rows(all []int) [][]int {\n\tvar out [][]int\n\tvar row []int\n\tfor _, x := range all {\n\t\trow = append(row, x)\n\t\tout = append(out, row)\n\t}\n\treturn out\n}",
    ),
    ["\tvar row []int\n\tfor _, x := range all {\n", "\tfor _, x := range all {\n\t\tvar row []int\n"],
  ),
];

test.each(BUGS)("$language: $what", async ({ language, entry, program, old, now, said = "" }) => {
  const facts = await factsOf(language, program, entry);
  const edits = editsOf(facts, KNOWLEDGE.compiled[language], literalsIn(said), KNOWLEDGE.priors, {});
  expect(edits.map((one) => squeezed(one.program))).toContain(squeezed(program.replace(old, () => now)));
});

const EARLY: readonly Bug[] = [
  bug(
    "what is done in one branch is missing in the other",
    "java",
    "trips",
    JAVA(
      "int trips(int[] steps) {\n    int far = 0, last = 0, turns = 0;\n    for (int step : steps) {\n      if (step > last) {\n        far += step;\n        last = step;\n      } else {\n        far -= step;\n        turns++;\n      }\n    }\n    return far * turns;\n  }",
    ),
    ["turns++;", "turns++;\n        last = step;"],
  ),
  bug(
    ...(["a turn of a loop goes on where it should end", "go", "Merge"] as const),
    GO(
      "func Merge(list []string) []string {\n\tplace := map[string]int{}\n\tvar out []string\n\tfor _, one := range list {\n\t\tif at, seen := place[one]; seen {\n\t\t\tout[at] = one\n\t\t}\n\t\tplace[one] = len(out)\n\t\tout = append(out, one)\n\t}\n\treturn out\n}",
    ),
    ["out[at] = one", "out[at] = one\ncontinue"],
  ),
  bug(
    ...(["one of the fields that begin together does not begin anew", "java", "flush"] as const),
    JAVA(
      "int sum, count, gaps;\n  Shop() { this.sum = 0; this.count = 0; this.gaps = 0; }\n  int flush() {\n    int mean = this.sum / this.count + this.gaps;\n    this.sum = 0;\n    this.count = 0;\n    return mean;\n  }",
    ),
    ["this.count = 0;\n    return", "this.count = 0;\n    this.gaps = 0;\n    return"],
  ),
  bug(
    ...(["a name that a loop gives is never read", "cpp", "total"] as const),
    "#include <map>\nint total(const std::map<int, int>& cart, int tax) {\n    int sum = 0;\n    for (auto one : cart) {\n        sum += one.first;\n    }\n    return sum;\n}\n",
    ["return sum", "return sum + tax"],
  ),
  bug(
    ...(["a method of the file makes the key that another place uses", "java", "remove"] as const),
    JAVA(
      "private final Map<String, Integer> files = new TreeMap<>();\n  private static String key(String tag) { return tag.strip().toLowerCase(); }\n  void remove(String tag) {\n    Integer found = files.get(tag.strip());\n    if (found != null) files.remove(key(tag));\n  }",
    ),
    ["files.get(tag.strip())", "files.get(key(tag))"],
  ),
];

test.each(EARLY)("$language: $what, among the first", async ({ language, entry, program, old, now }) => {
  const facts = await factsOf(language, program, entry);
  const edits = editsOf(facts, KNOWLEDGE.compiled[language], literalsIn(""), KNOWLEDGE.priors, {});
  const first = edits.slice(0, 60).map((one) => squeezed(one.program));
  expect(first).toContain(squeezed(program.replace(old, () => now)));
});

const CHECKED = GO(
  "func Total(list []int, most int) int {\n\tsum, count := 0, 0\n\tif most < 0 {\n\t\treturn 0\n\t}\n\tfor at := 0; at < most && list[at] > 0; at++ {\n\t\tsum += max(list[at], most)\n\t\tcount += 1\n\t}\n\treturn sum / count\n}",
);

/** Two edits of one operator. */
const LIKELIER: readonly [what: string, likely: [string, string], unlikely: [string, string]][] = [
  ["a bound, before another sign", ["at < most", "at <= most"], ["at < most", "at > most"]],
  ["a bound elsewhere, before a sign that asks for an item that may not be", ["most < 0", "most <= 0"], ["&&", "||"]],
  ["a step of a bound, before that of a count", ["most < 0", "most < 1"], ["count += 1", "count += 2"]],
  [
    "what is not asked yet, before what has been answered",
    ["\t\tcount += 1", "\t\tif list[at] > 0 {\n\t\t\tcount += 1\n\t\t}"],
    ["\t\tcount += 1", "\t\tif most < 0 {\n\t\t\tcount += 1\n\t\t}"],
  ],
  [
    "a bound, before a loop that ends with its first turn",
    ["most < 0", "most <= 0"],
    ["count += 1", "count += 1\nbreak"],
  ],
];

test.each(LIKELIER)("%s", async (_, [old, now], [other, odd]) => {
  const facts = await factsOf("go", CHECKED, "Total");
  const edits = editsOf(facts, KNOWLEDGE.compiled.go, literalsIn(""), KNOWLEDGE.priors, {});
  const costOf = (text: string) => edits.find(({ program }) => squeezed(program) === squeezed(text))?.cost;
  const unlikely = costOf(CHECKED.replace(other, () => odd)) ?? Number.POSITIVE_INFINITY;
  expect(costOf(CHECKED.replace(old, () => now))).toBeLessThan(unlikely);
});

test.each([
  ["what one side has around it", "int far(int x, int y) { return abs(x) + y; }", "abs(x) + abs(y)", "abs(x) - y"],
  [
    "the list of the item that is given a value",
    "int top(vector<int> a) { vector<int> m(a); for (int i = 1; i < 9; i++) m[i] = max(a[i - 1], a[i]); return m[8]; }",
    "max(m[i - 1], a[i])",
    "max(a[i + 1], a[i])",
  ],
  [
    "a clause that the condition's own sign joins",
    "int add(int i, int j, int k) { while (i > 0 || j > 0) { i--; j--; k--; } return k; }",
    "i > 0 || j > 0 || k > 0",
    "(i > 0 || j > 0) && k > 0",
  ],
  [
    "what the statement before has around it",
    "int far(int a, int b, int c, int d) { int x = abs(a - b); int y = c - d; return x + y; }",
    "int y = abs(c - d)",
    "int y = round(c - d)",
  ],
  [
    "another sign between comparisons of items",
    "bool peak(vector<int> a, int i) { return a[i] > a[i - 1] || a[i] > a[i + 1]; }",
    "a[i - 1] && a[i]",
    "a[i - 1] || a[i] - 1",
  ],
  [
    "the half behind a middle",
    "int at(vector<int> a, int x) { int lo = 0, hi = 9; int mid = hi / 2; if (a[mid] < x) { lo = mid; } return lo; }",
    "lo = mid + 1",
    "lo = hi",
  ],
  [
    "one more digit",
    "int read(string s) { int n = 0; for (char c : s) { n += c - '0'; } return n; }",
    "n = n * 10 + (c - '0')",
    "n *= c",
  ],
])("%s is likelier than another edit", async (_, program, likely, other) => {
  const [, entry = ""] = /(\w+)\(/.exec(program) ?? [];
  const edits = await editsIn("cpp", program, entry);
  const costOf = (text: string) => edits.find((one) => one.program.includes(text))?.cost ?? Number.NaN;
  expect(costOf(likely)).toBeLessThan(Number.isNaN(costOf(other)) ? Number.POSITIVE_INFINITY : costOf(other));
});

test("a parameter that a text reads is no unread one", async () => {
  const program = 'fn label(size: i32, all: i32) -> String {\n    let half = all / 2;\n    format!("{size} {half}")\n}';
  const edits = editsOf(
    await factsOf("rust", program, "label"),
    KNOWLEDGE.compiled.rust,
    literalsIn(""),
    KNOWLEDGE.priors,
    {},
  );
  expect(edits.map(({ operator }) => operator)).not.toContain("unread");
});

test("the last use of a name is exchanged later than one of two", async () => {
  const costIn = async (rest: string) => {
    const program = GO(
      `func Rest(size int, used int) int {\n\thalf := size / 2\n\trest := ${rest}\n\treturn rest + half*used\n}`,
    );
    const facts = await factsOf("go", program, "Rest");
    const edits = editsOf(facts, KNOWLEDGE.compiled.go, literalsIn(""), KNOWLEDGE.priors, {});
    const wanted = squeezed(program.replace("half*used", "size*used"));
    return edits.find((one) => squeezed(one.program) === wanted)?.cost ?? Number.NaN;
  };
  expect(await costIn("size - half")).toBeLessThan(await costIn("size - used"));
});

test("an edit that first reads a parameter is cheaper than others of its kind", async () => {
  const program = "bool inside(int day, int from, int to) {\n    return day >= from && day <= from;\n}\n";
  const costWith = async (text: string) => {
    const edits = await editsIn("cpp", text, "inside", { choice: { only: ["variable"] } });
    return edits.find(({ program }) => program.includes("day <= to"))?.cost ?? Number.NaN;
  };
  expect(await costWith(program)).toBeLessThan((await costWith(program.replace("{", "{ use(to);"))) - 1);
});

test("a call is also given an unread parameter of another kind", async () => {
  const program = "void keep(map<string, int>& counts, string name, int count) {\n    put(counts, name, name);\n}\n";
  const edits = await editsIn("cpp", program, "keep");
  expect(edits.some((one) => one.operator === "unread" && one.program.includes("put(counts, name, count)"))).toBe(true);
});
