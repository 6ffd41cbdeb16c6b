// @module-tag deep
/** A folder's `tsconfig.json` leads no import of ours to files of that folder when tsx is started there. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { OWN_TSCONFIG, tsxEnvironment, tsxWords } from "../base/host/tsx.ts";
import { temporaryFolder } from "../testing/command.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TSX = join(ROOT, "node_modules/tsx/dist/cli.mjs");

/** A project whose settings name a program of its own for all libraries. */
function hostile() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("src"));
  writeFileSync(at("tsconfig.json"), JSON.stringify({ compilerOptions: { paths: { "*": [at("evil.ts")] } } }));
  const names = ["CommanderError", "Command", "Option", "z", "parse"];
  const exported = names.map((name) => `export class ${name} {}`).join("\n");
  writeFileSync(
    at("evil.ts"),
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(at("started"))}, "");\n${exported}\n`,
  );
  return Object.assign(folder, { at, started: () => existsSync(at("started")) });
}

test.each(["", "src"])("tsx in a project with settings of its own (%s): refused, and nothing of it runs", (inside) => {
  using folder = hostile();
  const start = (words: string[], env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [...words, join(ROOT, "eval/cli/main.ts"), "--version"], {
      cwd: folder.at(inside),
      encoding: "utf8",
      env,
    });
  for (const words of [[TSX], tsxWords()]) {
    const { status, stdout, stderr } = start(words, process.env);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^error: tsx reads [^\n]*tsconfig\.json[^\n]*TSX_TSCONFIG_PATH=[^\n]* npx tsx [^\n]*main\.ts[^\n]*\n$/,
    );
  }
  const told = start([TSX], tsxEnvironment());
  expect([told.status, told.stderr]).toEqual([0, ""]);
  expect(folder.started()).toBe(false);
});

test.each(["package.json", "tsconfig.json"])("`mend` of a clone reads no %s of the folder it is started in", (name) => {
  using folder = temporaryFolder();
  const start = () =>
    spawnSync(join(ROOT, "mend"), ["--version"], { cwd: folder.path, encoding: "utf8", timeout: 600_000 });
  writeFileSync(join(folder.path, name), '{"a": ');
  expect(start()).toMatchObject({ status: 0, stderr: "" });
  rmSync(join(folder.path, name));
  spawnSync("mkfifo", [join(folder.path, name)]);
  expect(start()).toMatchObject({ status: 0, stderr: "" });
});

test("without the refusal such a project's programs run", () => {
  using folder = hostile();
  writeFileSync(folder.at("program.ts"), 'import { z } from "zod";\nconsole.log(z);\n');
  spawnSync(process.execPath, [...tsxWords(), folder.at("program.ts")], { cwd: folder.path });
  expect(folder.started()).toBe(true);
});

test("every file that is run by itself looks first", () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /^(?:agent|api|build|cli|eval|examples|utils)\/.*(?<!\.test)\.ts$/.test(file) && !file.includes("node_modules"),
  );
  const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
  // What runs as it is built alone is never run by tsx.
  const run = files.filter(
    (file) => !/import\.meta\.built\b.*\)/.test(textOf(file)) && /^#!|^(?:\/\*\*| \*) `npx tsx/m.test(textOf(file)),
  );
  expect(run.length).toBeGreaterThan(20);
  const first = (file: string) => /^import .*$/m.exec(textOf(file))?.[0] ?? "";
  expect(
    run.filter((file) => !/^import "[./]*(?:utils\/)?(?:program\/)?own_tsconfig\.ts";$/.test(first(file))),
  ).toEqual([]);
  expect(existsSync(OWN_TSCONFIG)).toBe(true);
});
