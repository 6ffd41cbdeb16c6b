import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { bugsIn, KINDS, withBugs } from "./bugs.ts";

const PYTHON = `def other():
    return 1

def best(names, limit):
    """The longest."""
    found = "é"
    for name in names:
        if not name or len(name) > limit and name < found:
            continue
        found = max(name.strip(), found)
        limit += 1 - 0
    return found
`;

const SCRIPT = `const other = () => 1;
function best(names, limit) {
  let found = "é";
  for (const name of names) {
    if (!name || (name.length > limit && name < found)) continue;
    found = longest(name.trim(), found);
    limit += 1 - 0;
  }
  return String(found);
}
`;

const single = KINDS.filter((kind) => kind !== "two");

test.each([
  ["best.py", PYTHON, { start: 4, end: 12 }, 8],
  ["best.js", SCRIPT, { start: 2, end: 10 }, 5],
])("bugs of every kind are planted in one function of %s, on lines that are named", (file, text, lines, line) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, file), text);
  const all = new Set(Array.from({ length: 20 }, (_, i) => i));
  const found = bugsIn(folder.path, { file, ...lines }, all);
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(single));
  const texts = text.split("\n");
  for (const bug of found) {
    const now = withBugs(text, [bug]).split("\n");
    expect(now).not.toEqual(texts);
    expect(now.slice(0, lines.start - 1)).toEqual(texts.slice(0, lines.start - 1));
  }
  for (const { start } of bugsIn(folder.path, { file, ...lines }, new Set([line])))
    expect(text.slice(0, start).split("\n")).toHaveLength(line);
});

test("two bugs at once are both there", () => {
  const bugs = [
    { kind: "name", start: 0, end: 1, text: "xy" },
    { kind: "name", start: 4, end: 5, text: "" },
  ];
  expect(withBugs("a + b", bugs)).toBe("xy + ");
});
