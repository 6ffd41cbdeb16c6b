/** What one run of the program tells: which edits and conditions change nothing, and what a missing return gives. */

import { expect, test } from "vitest";
import { openForTests } from "../../sandbox/testing/open.ts";
import { DEEP } from "../../testing/repeats.ts";
import { KNOWLEDGE } from "../testing/knowledge.ts";
import { printedInEngine, request, searchIn } from "./testing/searches.ts";

const sandbox = await openForTests();

/** What `code` gives of a search that has looked at a program and its edits: `search`, and `known(code, text)` of an edit by both. */
function looked<T>(program: string, tests: string, code: string): T {
  const task = JSON.stringify(request(program, tests));
  return JSON.parse(
    printedInEngine(`(async () => {
      const search = new Search(${task}, ${JSON.stringify(KNOWLEDGE.priors)}, { beat: new Int32Array(2), avoided: [], mustEnd: () => false });
      await search.begin();
      const singles = [...search.list.all()];
      await search.foresee(singles.length);
      const known = (code, text) => singles
        .filter(({ one }) => one.text === text && search.source.code(one.node) === code)
        .map(({ one }) => (search.foreseen.has(one) ? search.foreseen.get(one) : "unknown"));
      console.log(JSON.stringify(${code}));
    })();`),
  );
}

const SHARE = `function f(total, people) {
  const share = total / people;
  const rest = total % people;
  const isMuch = rest > 5;
  return isMuch ? [share, rest] : share;
}
`;

test("an edit that changes no value in a failing check, or raises at once in it, is not tried", DEEP, () => {
  const tests = "console.assert(f(9, 4) === 2);\nconsole.assert(f(11, 4) === 2);\n";
  const code = `[known("total", "Math.abs(total)"), known("total / people", "Math.floor(total / people)"), known("people", "share"), known("rest > 5", "rest >= 5")]`;
  const [same, right, early, unused] = looked<unknown[][]>(SHARE, tests, code);
  expect(new Set(same)).toEqual(new Set([null]));
  for (const one of right ?? []) expect(one).toContain('[["number 2"],["number 2"]]');
  // `share` cannot stand in its own value.
  expect(early).toHaveLength(1);
  expect(unused).toEqual([null]);
});

const MIDDLE = `function f(marks) {
  const kept = [...marks].sort((a, b) => a - b).slice(1, -1);
  return kept.reduce((sum, mark) => sum + mark, 0) * kept.length;
}
`;

test("asking stands beside counting steps at the same place", DEEP, async () => {
  const tests = "console.assert(f([6, 7, 9]) === 7);\nconsole.assert(f([8, 5, 8, 9, 10]) === 25 / 3);\n";
  const { programs } = await searchIn(sandbox, request(MIDDLE, tests));
  expect(programs[0]).toBe(MIDDLE.replace(" * kept", " / kept"));
});

const SORTED = `function f(list) {
  const first = list.sort((a, b) => a - b)[0];
  return [first, ...list];
}
`;

test("a copy is another value than what it is a copy of", DEEP, async () => {
  const tests = "console.assert(String(f([3, 1])) === '1,3,1');\nconsole.assert(String(f([2, 5, 1])) === '1,2,5,1');\n";
  const { programs } = await searchIn(sandbox, request(SORTED, tests, { keep: 50 }));
  expect(programs.some((text) => /(?:\[\.\.\.list\]|list\.slice\(\))\.sort|list\.toSorted/.test(text))).toBe(true);
});

const QUEUE = `let calls = 0;
const next = () => ++calls;
function f(queue, seen) {
  const one = queue.pop();
  seen.push(one);
  return [one, next(), queue.length, seen.length];
}
`;

test("nothing that changes a value is asked", DEEP, () => {
  const tests = "console.assert(String(f([1, 2], [])) === '1,1,1,1');\n";
  const asked = [
    "queue.shift()",
    "next()",
    "calls++",
    "queue.sort()",
    "(one = 3)",
    "new Date()",
    "queue.map((x) => seen.push(x))",
  ];
  const pure = [
    "queue[0]",
    "[...queue].sort()",
    "queue.slice().reverse()",
    "new Set(seen)",
    "queue.map((x) => x + one)",
  ];
  const code = `((ask) => [${JSON.stringify(asked)}, ${JSON.stringify(pure)}].map((texts) => texts.map((text) => ask.asked(text) !== null)))(new Asking(search.facts, search))`;
  expect(looked(QUEUE, tests, code)).toEqual([asked.map(() => false), pure.map(() => true)]);
});

const PAGES = `function f(pages) {
  const shown = [];
  for (const page of pages) {
    shown.push(page);
  }
  return shown;
}
`;

test("a condition that never holds in a failing check is not tried", DEEP, () => {
  const jumps = `singles.flatMap(({ one }) => (one.operator === "jump" ? [one.new.trim()] : []))`;
  const of = (list: string, kept: string) =>
    looked<string[]>(
      PAGES,
      `console.assert(String(f(${list})) === '${kept}');\nconsole.assert(f([]).length === 0);\n`,
      jumps,
    );
  const ones = of("[1, 2, 3]", "1,2");
  expect(ones).toContain("if (page > 1) continue;");
  expect(ones).not.toContain("if (page < 0) continue;");
  expect(of("[-1, 2, 3]", "2,3")).toContain("if (page < 0) continue;");
});

test.each([
  [
    "a product",
    "const across = Math.ceil(a / 3);\n  const along = Math.ceil(b / 3);",
    "across * along",
    "f(7, 5) === 6",
    "f(9, 2) === 3",
  ],
  [
    "an object",
    "const low = Math.min(a, b);\n  const high = Math.max(a, b);",
    "{ low, high }",
    "JSON.stringify(f(5, 2)) === JSON.stringify({ low: 2, high: 5 })",
    "f(1, 8).high === 8",
  ],
  [
    "a text of parts",
    "const hours = Math.floor(a / 60);\n  const minutes = String(a % 60).padStart(2, '0');",
    ["`$", "{hours}:$", "{minutes}`"].join(""),
    "f(95) === '1:35'",
    "f(605) === '10:05'",
  ],
])("a missing return is found by what the checks want: %s", DEEP, async (_, body, wanted, ...checks) => {
  const program = `function f(a, b) {\n  ${body}\n}\n`;
  const tests = checks.map((one) => `console.assert(${one});\n`).join("");
  const { programs } = await searchIn(sandbox, request(program, tests));
  expect(programs[0]).toBe(program.replace("\n}\n", `\n  return ${wanted};\n}\n`));
});
