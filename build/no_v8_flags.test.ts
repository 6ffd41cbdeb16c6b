import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./options.ts";

test("no part of the product sets flags of V8 or keeps compiled code itself", () => {
  const found = ["agent", "fix", "utils", "eval"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|(?:^|\/)(?:lab|testing)\//.test(file))
      .filter((file) =>
        /setFlagsFromString|cachedData|createCachedData/.test(readFileSync(join(ROOT, folder, file), "utf8")),
      ),
  );
  expect(found).toEqual([]);
});
