/** Commands in the pages of documentation are there and have the options that they are given. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { COMMANDS } from "../eval/cli/table.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** What is built or written by a run holds copies of them. */
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|runs|dist)\//;
const PAGES = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".md") && !SKIPPED.test(path),
);

/** Files that stand for a command of the table. */
const DOORS: Record<string, string> = { "eval/pass1.ts": "eval", "eval/meta_loop.ts": "improve" };
const COMMAND =
  /(?:npx tsx (?:eval\/cli\/main\.ts ([a-z]+)|(\S+\.ts))|^mend ((?:models )?[a-z]+))((?: [^|&>#;\n]*)?)/gm;

interface Written {
  page: string;
  /** Of the table; null for a file that is none of its commands. */
  name: string | null;
  file: string | null;
  options: string[];
}

/** What stands in the fences of a page, lines that go on joined. */
function commandsIn(page: string): Written[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter(
    ([, language]) => !language || language === "sh",
  );
  const codes = fences.map(([, , code = ""]) => code.replace(/\\\n\s*/g, ""));
  return codes.flatMap((code) =>
    [...code.matchAll(COMMAND)].map(([, given, file = null, installed, rest = ""]) => {
      const command = given ?? installed;
      const known = file?.match(/^eval\/cli\/commands\/(\w+)\.ts$/)?.[1] ?? (file ? DOORS[file] : command);
      const options = [...rest.matchAll(/ --([a-z][a-z-]*)/g)].map(([, option = ""]) => option);
      return { page, name: known ?? null, file, options };
    }),
  );
}

const written = PAGES.flatMap(commandsIn);

test("the pages name commands of the table and files, and most of both", () => {
  expect(new Set(written.flatMap(({ name }) => name ?? [])).size).toBeGreaterThan(10);
  expect(written.filter(({ file }) => file !== null && !existsSync(join(ROOT, file)))).toEqual([]);
});

test.each(written.filter(({ name }) => name !== null))("$page: $name has $options", async ({ name, options }) => {
  const row = COMMANDS[name ?? ""];
  expect(row, `there is no command ${name}`).toBeDefined();
  const { command } = (await row?.load()) ?? { command: { options: {} } };
  expect([...Object.keys(command.options), "help"]).toEqual(expect.arrayContaining(options));
});
