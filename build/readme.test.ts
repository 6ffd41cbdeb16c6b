/** Links of the pages of documentation lead to files and headings that are there; the first page stays short. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** What is built or written by a run holds copies of them. */
const SKIPPED = ["node_modules", ".git", "runs", "dist"].flatMap((name) => ["-o", "-name", name]).slice(1);
const find = ["(", ...SKIPPED, ")", "-prune", "-o", "-name", "README.md", "-print"];
const PAGES = execFileSync("find", [".", ...find], { cwd: ROOT, encoding: "utf8" })
  .trim()
  .split("\n");

/** As GitHub makes it of a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

function isBroken(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(file)) return true;
  if (heading === undefined) return false;
  return !readFileSync(file, "utf8")
    .split("\n")
    .some((line) => line.startsWith("#") && anchor(line.replace(/^#+ /, "")) === heading);
}

test.each(PAGES)("%s: every link leads somewhere", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !/^[a-z]+:/.test(link) && isBroken(page, link))).toEqual([]);
});

test("the first page is read in one sitting", () => {
  expect(readFileSync(join(ROOT, "README.md"), "utf8").split("\n").length).toBeLessThanOrEqual(151);
});
