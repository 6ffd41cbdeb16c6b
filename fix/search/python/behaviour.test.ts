import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { engineSource } from "../../../utils/search/bundle.ts";

const TESTS = fileURLToPath(new URL("behaviour_test.py", import.meta.url));

test("edits differ by what calls return, leave and throw; what cannot be seen is not compared", () => {
  const { status, stderr } = spawnSync("python3", [TESTS], {
    encoding: "utf8",
    input: engineSource(),
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
