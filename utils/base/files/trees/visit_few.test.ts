/** Small trees of others: nothing outside of them is reached, whatever lies in them. */

import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/command.ts";
import { removeFolder } from "./remove_folder.ts";
import { visitFew } from "./visit_few.ts";

function makeTree(files: number) {
  const folder = temporaryFolder();
  const [outside, inside] = ["outside", "inside"].map((name) => join(folder.path, name));
  mkdirSync(join(`${outside}`, "deep"), { recursive: true });
  writeFileSync(join(`${outside}`, "deep", "kept.txt"), "kept");
  mkdirSync(join(`${inside}`, "a/b"), { recursive: true });
  for (let i = 0; i < files; i += 1) writeFileSync(join(`${inside}`, "a", `${i}.txt`), "");
  symlinkSync(`${outside}`, join(`${inside}`, "a/link"));
  symlinkSync(join(`${outside}`, "deep/kept.txt"), join(`${inside}`, "a/b/link"));
  return { [Symbol.dispose]: () => folder[Symbol.dispose](), outside: `${outside}`, inside: `${inside}` };
}

test("what is in a folder is visited before it, and no link is entered", () => {
  using tree = makeTree(1);
  const kinds: string[] = [];
  const wasVisited = visitFew(tree.inside, (path, isFolder) => {
    expect(lstatSync(path).isDirectory()).toBe(isFolder);
    kinds.push(`${path.split("/").at(-1)}${isFolder ? "/" : ""}`);
  });
  expect([wasVisited, kinds.toSorted()]).toEqual([true, ["0.txt", "a/", "b/", "link", "link"]]);
  expect(kinds.indexOf("b/")).toBeLessThan(kinds.indexOf("a/"));
});

test("a link in place of the folder, more than few, and what cannot be visited are left to a program", () => {
  using tree = makeTree(1);
  expect(visitFew(join(tree.inside, "a/link"), () => expect.fail("visited"))).toBe(false);
  expect(visitFew(join(tree.inside, "nothing"), () => expect.fail("visited"))).toBe(false);
  const refused = visitFew(tree.inside, () => {
    throw new Error("refused");
  });
  expect(refused).toBe(false);
  using large = makeTree(300);
  expect(visitFew(large.inside, () => {})).toBe(false);
});

test.each([3, 300])("a folder of %s files is removed with its links, and nothing that these lead to", (files) => {
  using tree = makeTree(files);
  // A name that is no UTF-8.
  execFileSync("sh", ["-c", 'touch "$(printf "b\\377d")"'], { cwd: join(tree.inside, "a") });
  removeFolder(tree.inside);
  expect(existsSync(tree.inside)).toBe(false);
  expect([readdirSync(tree.outside), readFileSync(join(tree.outside, "deep/kept.txt"), "utf8")]).toEqual([
    ["deep"],
    "kept",
  ]);
});
