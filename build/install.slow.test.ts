/** Installed from the registry as people do: several versions of Node.js, pnpm, globally, and below a workspace. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../utils/base/files/temporary.ts";
import { ROOT } from "./options.ts";
import { firstDay, mendOf } from "./testing/first_day.ts";
import { isRegistryReachable, pack } from "./testing/packed.ts";

/** What the self-edit loop needs beside mend. */
const PEERS = ["typescript@7.0.2", "@types/node@20.19.43"];

describe.skipIf(!isRegistryReachable())("mend installed", () => {
  let folder = "";
  let archive = "";
  beforeAll(() => {
    folder = makeTemporaryFolder("installed").path;
    archive = pack(folder).archive;
  });

  /** An empty project. */
  function makeProject(name: string): string {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "package.json"), JSON.stringify({ name: basename(name), private: true, type: "module" }));
    return path;
  }
  const say = (cwd: string, program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

  test.each(["20.19.0", "22", "24"])("with Node.js %s", async (version) => {
    const project = makeProject(`node-${version}`);
    // What the package `node` would fetch by an install script, which many people do not allow.
    const platform = `node-${process.platform}-${process.arch}`;
    say(project, "npm", "install", "--no-audit", archive, ...PEERS, `${platform}@${version}`);
    const node = join(project, "node_modules", platform, "bin/node");
    expect(say(project, node, "--version")).toMatch(new RegExp(`^v${version.split(".")[0]}\\.`));
    await firstDay(mendOf([node, join(project, "node_modules/mend/dist/cli/mend.js")], project), project);
  });

  test("by pnpm", async () => {
    const project = makeProject("pnpm");
    say(project, "npx", "--yes", "pnpm@10", "add", archive, ...PEERS);
    await firstDay(mendOf([join(project, "node_modules/.bin/mend")], project), project);
  });

  test("globally", async () => {
    const [project, prefix] = [makeProject("elsewhere"), join(folder, "global")];
    say(project, "npm", "install", "--global", "--prefix", prefix, archive, ...PEERS);
    await firstDay(mendOf([join(prefix, "bin/mend")], project), project);
  });

  test("from a git repository, where npm builds it", async () => {
    const [project, clone] = [makeProject("from-git"), join(folder, "mend.git")];
    say(folder, "git", "clone", "--quiet", "--bare", ROOT, clone);
    say(project, "npm", "install", "--no-audit", `git+file://${clone}`, ...PEERS);
    await firstDay(mendOf([join(project, "node_modules/.bin/mend")], project), project);
  });

  test("hoisted to the folder of a workspace", async () => {
    const root = makeProject("workspace");
    const member = makeProject("workspace/packages/member");
    const files = { workspaces: ["packages/member"], name: "workspace", private: true };
    writeFileSync(join(root, "package.json"), JSON.stringify(files));
    say(root, "npm", "install", "--workspace", "packages/member", archive, ...PEERS);
    expect(existsSync(join(member, "node_modules/mend"))).toBe(false);
    await firstDay(mendOf([join(root, "node_modules/.bin/mend")], member), member);
  });
});
