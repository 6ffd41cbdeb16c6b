import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";

test("a report into a folder that is not there names the folder; the demo's search costs nothing", DEEP, async () => {
  using folder = temporaryFolder();
  const options = ["--dataset", "builtin", "--few-shot-k", "0", "--model", "search"];
  const demo = await run("examples/demo_minimal.ts", ["--index", "0", ...options], folder.path);
  expect(demo.lines.at(-1)).toMatchObject({ pass: true, usage: { costUsd: 0 } });
  // The demo shows the search in one line and its edit, not the engine's program.
  expect(demo.stderr).toMatch(/^Search: \d+ edits tried, \d+ pass(es)?\n {4}line 5: .+ → .+ \(\w+\)$/m);
  expect(demo.stderr).not.toContain("Action: code_interpreter\n  code:\n    import json");
  await run("eval/pass1.ts", ["--num", "1", "--run", "one", ...options], folder.path);
  const out = join(folder.path, "absent", "x.html");
  const { exitCode, stderr } = await run("mend report", ["one", "--out", out], folder.path);
  expect([exitCode, stderr.trim()]).toEqual([2, `error: ${join(folder.path, "absent")}: there is no such folder.`]);
});
