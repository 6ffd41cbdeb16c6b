import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { protectedHash } from "./surface.ts";

test("the same code has one hash wherever it lies; another text or name, or one file less, has another", () => {
  using folder = temporaryFolder();
  const hashIn = (place: string, files: Readonly<Record<string, string>>) => {
    const utils = join(folder.path, place, "utils");
    mkdirSync(utils, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(utils, name), text);
    return protectedHash([utils, join(folder.path, place, "missing")]);
  };
  const first = hashIn("a", { "one.ts": "1", "two.ts": "2" });
  expect(hashIn("b", { "one.ts": "1", "two.ts": "2" })).toBe(first);
  expect(hashIn("c", { "one.ts": "1", "two.ts": "3" })).not.toBe(first);
  expect(hashIn("d", { "one.ts": "1", "too.ts": "2" })).not.toBe(first);
  expect(hashIn("e", { "one.ts": "1" })).not.toBe(first);
});
