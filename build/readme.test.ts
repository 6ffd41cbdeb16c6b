/** Links and paths in the pages of documentation lead to files and headings that are there; the first page stays short. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { blocksOf } from "./testing/page_blocks.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** What is built or written by a run holds copies of pages; texts for models are none. */
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|runs|dist)(?:\/|$)|(?:^|\/)prompts\//;
const FILES = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((path) => !SKIPPED.test(path));
const PAGES = FILES.filter((path) => path.endsWith(".md"));

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

/** Folders and files that belong to users, to their projects or to runs. */
const OF_OTHERS = new Set(
  "trajectories/ manifest.json runs/ models/ prefixes/ traces/ numpy/testing/ src/fixtures/ prices.json conftest.py hooks.py lib/run.js django/test/client.py generations.json eval_results.json preds.json json.py postcss.config.js pytest/".split(
    " ",
  ),
);
const SOURCE = /\.(?:tsx?|py|[cm]?js|md|json)$/;
const ROOMS = /^(?:agent|fix|utils|eval|build|examples|prompts|cli|api)\//;
/** `NAME`, `batch_N`: what the reader puts in. */
const BLANK = /(?:^|[/_])(?:[A-Z]{2,}|N)(?:[/._]|$)/;
/** A word that names a file or folder of this project, by its room or its ending. A dot alone in front is an ending, no name. */
const isPath = (word: string): boolean =>
  /^(?:\.\.\/)*\w[\w.-]*(?:\/[\w.-]+)*\/?$/.test(word) &&
  (ROOMS.test(word) || SOURCE.test(word) || word.endsWith("/")) &&
  !OF_OTHERS.has(word) &&
  (word === "README.md" || !BLANK.test(word));

/** Where a path of a page is: from the root, from the page's folder, or anywhere below that folder. */
function isThere(page: string, path: string): boolean {
  const file = path.replace(/\/$/, "");
  if (existsSync(join(ROOT, file)) || existsSync(join(ROOT, dirname(page), file))) return true;
  const below = dirname(page) === "." ? "" : `${dirname(page)}/`;
  return below !== "" && FILES.some((one) => one.startsWith(below) && one.endsWith(`/${file}`));
}

test.each(PAGES)("%s: every path in back quotes is there", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8").replace(/^```[\s\S]*?^```$/gm, "");
  const words = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, quoted = ""]) => quoted.split(/[\s:]+/));
  // Files that the reader of the page writes.
  const written = blocksOf(page).map(({ title }) => title);
  const isWritten = (word: string) => written.some((file) => file === word || file.endsWith(`/${word}`));
  expect(words.filter((word) => isPath(word) && !isThere(page, word) && !isWritten(word))).toEqual([]);
});

/** Of a page's prose, each as its words. */
function sentencesOf(page: string): string[][] {
  const prose = readFileSync(join(ROOT, page), "utf8")
    .replace(/^```[\s\S]*?^```$/gm, "\n\n")
    .replace(/<[^>]*>/g, "")
    .replace(/`[^`\n]*`/g, "code")
    .replace(/\]\([^)]*\)/g, "]");
  return prose.split(/[.!?](?:\s|$)|\n\n|^[-*] |[|·]|^#+ /m).map((sentence) => sentence.trim().split(/\s+/));
}

test("the first page is read in one sitting: 90 lines", () => {
  expect(readFileSync(join(ROOT, "README.md"), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(90);
  expect(sentencesOf("README.md").length).toBeGreaterThan(50);
});

const USERS_PAGES = PAGES.filter((page) => /^(?:README|CONTRIBUTING|docs\/[\w-]+)\.md$/.test(page));

test.each(USERS_PAGES)("%s: no sentence has more than 30 words", (page) => {
  const long = sentencesOf(page).filter((words) => words.length > 30);
  expect(long.map((words) => words.join(" "))).toEqual([]);
});

test("the page of troubles quotes messages as the source has them", () => {
  const source = FILES.filter((path) => (/\.ts$/.test(path) && !/\.test\.ts$/.test(path)) || path === "mend")
    .map((path) => readFileSync(join(ROOT, path), "utf8"))
    .join("\n");
  const page = readFileSync(join(ROOT, "docs/troubleshooting.md"), "utf8");
  const symptoms = [...page.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, quoted = ""]) => quoted.split("…").map((part) => part.trim())),
  );
  const parts = symptoms.filter((part) => part !== "" && part !== '"');
  expect(parts.length).toBeGreaterThan(15);
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});

test("README and docs/ are short, and free of phrases that readers read twice", () => {
  const texts = PAGES.filter((page) => /^(?:README|docs\/[\w-]+)\.md$/.test(page)).map((page) => ({
    page,
    text: readFileSync(join(ROOT, page), "utf8"),
  }));
  const words = texts.flatMap(({ text }) => text.split(/\s+/).filter((word) => word !== ""));
  expect(words.length).toBeLessThanOrEqual(9000);
  const phrases = /\b(?:is told|are told|whoever|nobody|of which|what becomes of)\b/gi;
  expect(
    texts.flatMap(({ page, text }) => [...text.matchAll(phrases)].map(([phrase]) => `${page}: ${phrase}`)),
  ).toEqual([]);
});

test("the changes of the next version fit 40 lines", () => {
  const [, next = ""] =
    /^## \[?Unreleased\]?[^\n]*\n(.*?)^## /ms.exec(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")) ?? [];
  expect(next.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(40);
  expect(next).toMatch(/^### (?:Added|Changed|Fixed)$/m);
});

/** Null if the project is not a clone with its whole history. */
function commitMessages(): string[] | null {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    if (git("rev-parse", "--is-shallow-repository") === "true") return null;
    return git("log", "--format=%s").split("\n");
  } catch {
    return null;
  }
}

const MESSAGES = commitMessages();

test.skipIf(MESSAGES === null)("each thing that can be added names one commit that did it", () => {
  const page = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const [, table = ""] = /^\| thing \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const rows = table.trimEnd().split("\n");
  const found = rows.map((row) => {
    const [, words = ""] = /`([^`]+)` \|$/.exec(row) ?? [];
    return [row.split("|")[1]?.trim(), MESSAGES?.filter((message) => words !== "" && message.includes(words)).length];
  });
  expect(found.length).toBeGreaterThanOrEqual(9);
  expect(found.filter(([, commits]) => commits !== 1)).toEqual([]);
});
