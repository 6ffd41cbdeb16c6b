/** What a user may meet is found on the page of troubles. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messagesBySubject, quoted } from "./messages.ts";
import { ROOT } from "./options.ts";

const all = [...(await messagesBySubject()).values()].flatMap((messages) => [...messages]);

test("the page lists the messages of the source, but for a few that came since `npm run messages` was run last", () => {
  const page = readFileSync(join(ROOT, "docs/troubleshooting.md"), "utf8");
  const missing = all.filter((message) => !page.includes(`- ${quoted(message)}\n`));
  expect(all.length).toBeGreaterThan(200);
  expect(missing.slice(0, missing.length > all.length / 20 ? missing.length : 0)).toEqual([]);
});

test("a message is found in what it throws, returns by a condition, and keeps in a constant", () => {
  expect(all).toContain("Give --write or --branch, not both.");
  expect(all).toContain("--choose …: one edit passes: choose a number from 1 to ….");
  expect(all).toContain("The model gave no complete reply in time: raise the time limit.");
});
