/** Installed packages in the box: what tools write beside them, in `node_modules`, is allowed and is dropped. */

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { vitest } from "../frameworks/javascript/vitest.ts";
import { openCommandBox } from "../sandbox/command/command_box.ts";
import type { Layer } from "../sandbox/types.ts";
import { temporaryFolder } from "../testing/command.ts";
import { modulesWith } from "../testing/modules.ts";
import { DEEP } from "../testing/repeats.ts";
import { copyProject, filesOf } from "./copy.ts";
import { repositoryProject } from "./project.ts";
import { RepositoryBox } from "./repository_box.ts";

const SETTINGS = {
  module: 'import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { globals: true } });\n',
  commonjs: 'module.exports = require("vitest/config").defineConfig({ test: { globals: true } });\n',
};

async function boxOf(layer: Layer) {
  return await openCommandBox({ layer }).catch((error: unknown) => String(error));
}

test.for<[Layer, keyof typeof SETTINGS, string]>([
  ["bwrap", "module", "vitest.config.ts"],
  ["bwrap", "commonjs", "vite.config.js"],
  ["landlock", "module", "vitest.config.mjs"],
])("%s: vitest bundles the settings of %s in %s", DEEP, async ([layer, type, settings], { skip }) => {
  const box = await boxOf(layer);
  if (typeof box === "string") return skip(box);
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("project"));
  writeFileSync(at("project/package.json"), JSON.stringify({ type, devDependencies: { vitest: "*" } }));
  writeFileSync(at(`project/${settings}`), SETTINGS[type]);
  writeFileSync(at("project/one.test.ts"), 'test("one", () => expect(1 as number).toBe(1));\n');
  symlinkSync(modulesWith("vitest") ?? "", at("project/node_modules"));
  const project = { ...repositoryProject(at("project"), box), target: at("project/one.test.ts") };
  const { installed } = copyProject(filesOf(project.root, "all"), at("copy"), layer);
  using runs = new RepositoryBox(box, project, installed);
  const ran = await runs.run({
    tree: at("copy"),
    command: (out) => vitest.command({ project, args: [], results: join(out, "report") }),
    seconds: 60,
  });
  expect(vitest.parseResults(ran.report("report") ?? ran.stderr)?.tests).toMatchObject([{ status: "passed" }]);
});

test("what a command writes into packages stays in its box", async ({ skip }) => {
  const box = await boxOf("bwrap");
  if (typeof box === "string") return skip(box);
  using folder = temporaryFolder();
  const modules = join(folder.path, "node_modules");
  mkdirSync(join(modules, ".cache/old"), { recursive: true });
  mkdirSync(join(modules, "hidden"));
  writeFileSync(join(modules, "hidden/secret"), "");
  writeFileSync(join(modules, "a.js"), "before\n");
  const inside = "/project/node_modules";
  const mounts = [
    { kind: "packages", inside, outside: modules },
    // Lies over a part of it, as what a box hides does.
    { kind: "scratch", inside: `${inside}/hidden` },
  ] as const;
  const run = (script: string) =>
    box.run({ mounts, start: () => ({ argv: ["sh", "-c", script], cwd: "/project/node_modules" }) });
  const wrote = await run("mkdir .vite-temp .cache/new && echo 1 > .cache/old/one && ls -A .cache/old hidden");
  expect(wrote).toMatchObject({ exitCode: 0, stdout: ".cache/old:\none\n\nhidden:\n", stderr: "" });
  const after = await run("cat a.js; ls -A . .cache/old hidden");
  expect(after.stdout).toBe("before\n.:\n.cache\na.js\nhidden\n\n.cache/old:\n\nhidden:\n");
  expect(existsSync(join(modules, ".vite-temp"))).toBe(false);
  expect(readFileSync(join(modules, "a.js"), "utf8")).toBe("before\n");
});
