import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Workspace } from "../../agent/tools/workspace.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { FileEdit } from "./findings.ts";
import { FolderEdits } from "./folder_edits.ts";

const edit = (from: number, to: number, old: string, text: string) =>
  FileEdit.parse({
    ...{ file: "lib/a.py", from, to, old, text, operator: "constant" },
    ...{ cost: 1 },
  });
const EDITS = [
  edit(2, 2, "b\n", "bb\n"),
  edit(2, 3, "b\nc\n", ""),
  edit(4, 4, "d", "d\ne"),
  edit(1, 1, "not there\n", "x\n"),
];

function inFolder(text: string) {
  const folder = makeTemporaryFolder("taken");
  const path = join(folder.path, "lib/a.py");
  mkdirSync(join(folder.path, "lib"));
  writeFileSync(path, text);
  const workspace = Workspace.ofAnyFiles(folder.path);
  const taken = new FolderEdits(workspace);
  taken.found(EDITS);
  return {
    workspace,
    taken,
    write: (now: string) => writeFileSync(path, now),
    read: () => readFileSync(path, "utf8"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test.each([
  ["plain", "a\nb\nc\nd", "a\nbb\nc\nd", "a\nd", "a\nb\nc\nd\ne"],
  ["with the line ends of Windows", "a\r\nb\r\nc\r\nd", "a\r\nbb\r\nc\r\nd", "a\r\nd", "a\r\nb\r\nc\r\nd\r\ne"],
])("each edit is made in place of the one before it: %s", (_, text, ...expected) => {
  using folder = inFolder(text);
  for (const [i, now] of expected.entries()) {
    expect(folder.taken.take(i + 1).status).toBe(`edit ${i + 1} is made`);
    expect(folder.read()).toBe(now);
  }
  expect([...folder.workspace.changed]).toEqual(["lib/a.py"]);
});

test("what a new search found is made beside what was taken before", () => {
  using folder = inFolder("a\nb\nc\nd");
  folder.taken.take(1);
  folder.taken.found([edit(3, 3, "c\n", "cc\n")]);
  folder.taken.take(1);
  expect(folder.read()).toBe("a\nbb\ncc\nd");
});

test("no edit of that number, and lines that are other ones now, are said and change nothing", () => {
  using folder = inFolder("a\nb\nc\nd");
  expect(folder.taken.take(9)).toMatchObject({ status: "refused", output: expect.stringContaining("no edit 9") });
  expect(folder.taken.take(4)).toMatchObject({ status: "refused", output: expect.stringContaining("changed since") });
  folder.taken.take(1);
  folder.write("a\nmine\nc\nd");
  expect(folder.taken.take(3)).toMatchObject({ status: "refused", output: expect.stringContaining("changed since") });
  expect(folder.read()).toBe("a\nmine\nc\nd");
});
