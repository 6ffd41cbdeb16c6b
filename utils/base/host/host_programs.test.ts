/** Programs that mend starts outside of a box lie outside of every project, wherever the PATH leads. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { programWords, temporaryFolder } from "../../testing/command.ts";
import { DEEP } from "../../testing/repeats.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** All that mend starts here by its name. */
const NAMES = ["git", "python3", "bwrap", "cp", "rm", "chmod", "chown", "tar", "flock", "ps", "npm", "node"];

test("no program of the project is started, though the PATH names folders of it", DEEP, () =>
  expectNothingStarted("."),
);
test("nor from the project's own folder", DEEP, () => expectNothingStarted("p"));

/** @param from where mend is started, below the folder that holds the project `p` */
function expectNothingStarted(from: string): void {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const files = {
    "p/half.py": "def half(x):\n    return x / 3\n",
    "p/test_half.py": "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n",
  };
  for (const name of ["p/.venv/bin", "p/node_modules/.bin"]) mkdirSync(at(name), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  for (const place of ["p", "p/.venv/bin", "p/node_modules/.bin"])
    for (const name of NAMES)
      writeFileSync(at(`${place}/${name}`), `#!/bin/sh\necho ${name} >> ${at("started")}\nexit 1\n`, { mode: 0o755 });
  symlinkSync(at("p/.venv/bin"), at("linked"));
  const git = (...words: string[]) => spawnSync("git", words, { cwd: at("p"), stdio: "ignore" });
  git("init", "--quiet");
  const env = {
    ...process.env,
    PATH: [".", "", at("p/node_modules/.bin"), at("p/.venv/bin"), at("linked"), process.env.PATH].join(":"),
    VIRTUAL_ENV: at("p/.venv"),
  };
  const start = (file: string, args: string[], cwd: string) => {
    const [node, ...words] = programWords(file);
    return spawnSync(node, [...words, ...args], { cwd, env, encoding: "utf8" });
  };
  expect(start("mend doctor", [], at("p")).stdout).toMatch(/python +3\./);
  // The environment's interpreter does not tell what it is, so nothing is repaired, and nothing is started.
  const args = [at("p"), "--test", "python3 -m pytest -q", "--model", "search", "--time", "1s"];
  const fixed = start("mend fix", args, at(from));
  expect(fixed.stderr).toMatch(/does not start outside of its sandbox|test/);
  expect(existsSync(at("started")) ? readFileSync(at("started"), "utf8") : "").toBe("");
  spawnSync("git", [], { cwd: at("p"), env, stdio: "ignore" });
  expect(existsSync(at("started")), "the PATH leads there").toBe(true);
}

test("nothing but this module looks for programs on the PATH", () => {
  const sources = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /^(?:agent|api|cli|eval|examples|utils)\/.*\.ts$/.test(file) &&
      !/node_modules|\.test\.ts$|\/testing\/|^eval\/lab\//.test(file),
  );
  const bare = /\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync)\(\s*(["'`])/;
  expect(sources.filter((file) => bare.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});
