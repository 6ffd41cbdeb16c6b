import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { engineSource } from "../../../utils/search/bundle.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";

const TESTS = fileURLToPath(new URL("edits_test.py", import.meta.url));

test(
  "functions of every kind do the same while their expressions are watched, and what these give is seen",
  DEEP,
  () => {
    const { stdout, stderr } = spawnSync("python3", [TESTS], {
      encoding: "utf8",
      input: engineSource(),
    });
    expect(stderr).toBe("");
    expect(stdout).toBe("ok\n");
  },
);
