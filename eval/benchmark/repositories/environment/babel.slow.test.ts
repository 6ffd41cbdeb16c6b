/** A real project of jest and Babel: what its settings name in short is there, and what nothing declares is added. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository } from "../../../../fix/testing/repositories.ts";
import { run, temporaryFolder } from "../../../../utils/testing/command.ts";

const HEAD = 'import { half, twice } from "../rates";\n\n';
const TESTS = `${HEAD}test("twice", () => expect(twice(2)).toBe(4));\n`;
const FILES = {
  "package.json": JSON.stringify({
    scripts: { test: "jest" },
    devDependencies: {
      ...{ "@babel/core": "^7.20.0", "@babel/preset-env": "^7.20.0", "babel-jest": "^29.0.0", jest: "^29.0.0" },
      eslint: "^8.0.0",
    },
    babel: {
      presets: [["@babel/env", { targets: { node: "current" } }]],
      plugins: ["@babel/proposal-throw-expressions"],
    },
  }),
  "src/rates.js": "export const half = (x) => x / 3;\nexport const twice = (x) => x + x;\n",
  "src/__tests__/rates.test.js": TESTS,
};

test("jest with Babel, installed as it was when the row was made; a plugin that nothing declares is added", async () => {
  using made = makeRepository(FILES);
  using folder = temporaryFolder();
  const row = {
    ...{ instance_id: "o__r-1", repo: "o/r", base_commit: made.git("rev-parse", "HEAD").trim() },
    patch: made.patchTo({ "src/rates.js": FILES["src/rates.js"].replace("x / 3", "x / 2") }),
    test_patch: made.patchTo({
      "src/__tests__/rates.test.js": `${TESTS}test("half", () => expect(half(4)).toBe(2));\n`,
    }),
    ...{ problem_statement: "a third", FAIL_TO_PASS: ["half"], PASS_TO_PASS: ["twice"], created_at: "2023-06-01" },
    mend: { language: "js", framework: "jest", test_files: ["src/__tests__/rates.test.js"] },
  };
  writeFileSync(join(folder.path, "tasks.jsonl"), JSON.stringify(row));
  made.git("clone", "--quiet", ".", join(folder.path, "clones/o/r"));
  const given = [
    "--dataset",
    join(folder.path, "tasks.jsonl"),
    "--repositories",
    join(folder.path, "clones"),
    "--gold",
  ];
  const env = { XDG_CACHE_HOME: join(folder.path, "cache") };
  const first = await run("eval/pass1.ts", [...given, "--prepare"], folder.path, env);
  expect({ exitCode: first.exitCode, last: first.lines.at(-1) }, first.stderr).toMatchObject({
    exitCode: 0,
    last: { num: 1, successes: 1 },
  });
  expect(first.stderr).toMatch(
    /o__r-1: its tests ask for '@babel\/plugin-proposal-throw-expressions', which the package @babel\/plugin-\S+ has/,
  );
  const second = await run("eval/pass1.ts", given, folder.path, env);
  expect(second.lines.at(-1), second.stderr).toMatchObject({ num: 1, successes: 1 });
});
