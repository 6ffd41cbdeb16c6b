import { expect, test } from "vitest";
import { prepareRepository } from "../../../fix/attempts/prepare.ts";
import { patched } from "../../../fix/project/patch.ts";
import { ByChance } from "../../../fix/testing/by_chance.ts";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { differenceTo } from "./score_patch.ts";

type Ends = ConstructorParameters<typeof ByChance>[1];

test("a patch is overfit where a test differs each time, and not where it did so once, by chance", DEEP, async () => {
  using repository = makeRepository({
    "lib.cjs": "exports.sum = (a, b) => a - b;\n",
    "test.cjs": `const { test } = require("node:test");\ntest("is quick", () => {});\ntest("adds", () => {});\n`,
  });
  const box = await openCommandBox();
  using prepared = await prepareRepository({
    ...{ box, path: repository.path, test: "node --test test.cjs", issue: "sum subtracts" },
    ...{ environment: {}, testSeconds: 60 },
  });
  const { base, suite } = prepared;
  const change = (after: string) => ({ file: "lib.cjs", before: "exports.sum = (a, b) => a - b;\n", after });
  using developer = patched(base, [change("exports.sum = (a, b) => a + b;\n")]);
  const difference = async (ends: Ends) => {
    const { project, plan } = suite;
    using chance = new ByChance({ box, project, plan, installed: new Map(), environment: {}, seconds: 60 }, ends);
    const patch = { source: [change("exports.sum = (a, b) => b + a;\n")], tests: [], updated: [], dropped: [] };
    return await differenceTo(developer.path, patch, { suite: chance, base });
  };
  // Twice with the developer's patch, then in turn with the answer and the developer's.
  expect(await difference({ "is quick": ["passed", "passed", "failed", "passed", "passed"] })).toBeNull();
  expect(await difference({ "is quick": ["passed", "passed", "failed", "failed", "failed"] })).toBeNull();
  const differs = ["failed", "passed"] as const;
  expect(await difference({ "is quick": ["passed", "passed", ...differs, ...differs, "failed"] })).toBe(
    "is quick failed",
  );
});
