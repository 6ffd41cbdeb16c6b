/** A project may be anybody's: nothing of it is started outside of a box, and no box shows what its links lead to. */
// @module-tag ci

import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { openCommandBox } from "../sandbox/command/command_box.ts";
import type { Layer } from "../sandbox/types.ts";
import { programWords, temporaryFolder } from "../testing/command.ts";
import { workingLayers } from "../testing/needs.ts";
import { DEEP } from "../testing/repeats.ts";
import { copyProject, filesOf } from "./copy.ts";
import { outline } from "./outline.ts";
import { findProject, nodeModules, type Project } from "./project.ts";
import { hasPackage, projectPython, pythonFolders } from "./python_environment.ts";
import { RepositoryBox } from "./repository_box.ts";
import type { TestCommand } from "./test_command.ts";

/** A project, and beside it a folder of the user's that it is not to see. */
function made(files: Record<string, string>) {
  const folder = temporaryFolder({ "project/a.py": "a = 1\n", "user/secret.py": "secret\n", ...files });
  const at = (name: string) => join(folder.path, name);
  return Object.assign(folder, {
    at,
    project: findProject([at("project/a.py")]),
    started: () => existsSync(at("started")),
  });
}
const note = (at: (name: string) => string) => `echo x >> ${at("started")}`;
const noEnvironment = {};

const layers = await workingLayers();

/** Runs a command in a copy of the project. */
async function runIn(project: Project, command: (out: string) => Promise<TestCommand>, layer?: Layer) {
  const commands = await openCommandBox(layer ? { layer } : {});
  using copy = temporaryFolder();
  const { installed } = copyProject(filesOf(project.root, "all"), join(copy.path, "base"), commands.layer);
  using box = new RepositoryBox(commands, project, installed);
  return await box.run({ tree: join(copy.path, "base"), command, seconds: 20 });
}

test("an interpreter that is the project's own is not started", async () => {
  using folder = made({});
  const { at, project, started } = folder;
  mkdirSync(at("project/.venv/bin"), { recursive: true });
  writeFileSync(at("project/.venv/bin/python"), `#!/bin/sh\n${note(at)}\nexec python3 "$@"\n`);
  chmodSync(at("project/.venv/bin/python"), 0o755);
  await expect(projectPython(project, noEnvironment)).rejects.toThrow(/does not start outside of its sandbox/);
  writeFileSync(at("python.sh"), readFileSync(at("project/.venv/bin/python")), { mode: 0o755 });
  spawnSync("rm", [at("project/.venv/bin/python")]);
  symlinkSync(at("python.sh"), at("project/.venv/bin/python"));
  await expect(projectPython(project, noEnvironment)).rejects.toThrow(/does not start outside of its sandbox/);
  expect(started()).toBe(false);
  const activated = projectPython(project, { VIRTUAL_ENV: at("project/.venv") });
  await expect(activated).rejects.toThrow(/does not start outside of its sandbox/);
  const named = projectPython({ ...project, python: at("project/.venv/bin/python") }, noEnvironment);
  await expect(named).rejects.toThrow(/does not start outside of its sandbox/);
  expect(started()).toBe(false);
});

/** A program that looks like an interpreter, with what belongs to one beside it. */
function fakePython(at: (name: string) => string, prefix: string): string {
  mkdirSync(at(`${prefix}/bin`), { recursive: true });
  mkdirSync(at(`${prefix}/lib/python3.11/site-packages/pytest`), { recursive: true });
  const file = at(`${prefix}/bin/python3.11`);
  writeFileSync(file, `#!/bin/sh\n${note(at)}\nexec python3 "$@"\n`, { mode: 0o755 });
  return file;
}

test.each([
  ["beside the root", "tools", "project/.venv/bin/python"],
  ["in the folder above a submodule", "project/tools", "project/.venv/bin/python"],
  ["in a download without history", "project/x/tools", "project/x/venv/bin/python"],
])("a link to a program of the same download, %s, is started in boxes alone", async (_, prefix, link) => {
  using folder = made({ "project/x/b.py": "b = 1\n" });
  const { at, started } = folder;
  const file = fakePython(at, prefix);
  mkdirSync(dirname(at(link)), { recursive: true });
  symlinkSync(relative(dirname(at(link)), file), at(link));
  const project = { ...folder.project, folder: dirname(dirname(dirname(at(link)))) };
  const chosen = [undefined, at(link)].flatMap((python) => [{ ...project, python }]);
  for (const one of chosen) {
    const python = await projectPython(one, noEnvironment);
    expect(python).toMatchObject({ executable: at(link), version: "3.11", untried: true });
    expect(await hasPackage(python, "pytest")).toBe(true);
    expect((await outline("a.py", "def f(): pass\n", one)).definitions).toHaveLength(1);
  }
  expect(started()).toBe(false);
  // Without bubblewrap a copy lies at another path, where a link that leaves the root leads nowhere.
  if (!layers.includes("bwrap")) return;
  const { exitCode } = await runIn(project, async () => {
    const python = await projectPython(project, noEnvironment);
    return { argv: [python.executable, "-c", "raise SystemExit(7)"], env: {}, readable: pythonFolders(python) };
  });
  expect([exitCode, started()]).toEqual([7, false]);
});

test("a virtual environment is recognized by its files, without running its startup code", DEEP, async () => {
  using folder = made({});
  const { at, project, started } = folder;
  execFileSync("python3", ["-m", "venv", "--without-pip", at("project/.venv")]);
  const python = await projectPython(project, noEnvironment);
  const asked = `import json, os, site, sys; print(json.dumps([sys.executable, [*filter(os.path.isdir, site.getsitepackages())]]))`;
  const real = execFileSync(at("project/.venv/bin/python"), ["-c", asked], { encoding: "utf8" });
  const [executable, folders]: [string, string[]] = JSON.parse(real);
  // One is a link to another.
  const once = (paths: string[]) => [...new Set(paths.map((path) => realpathSync(path)))];
  expect([executable, once(folders)]).toEqual([python.executable, once(python.packages)]);
  const [packages = ""] = python.packages;
  writeFileSync(join(packages, "evil.pth"), `import os; os.system(${JSON.stringify(note(at))})\n`);
  writeFileSync(join(packages, "sitecustomize.py"), `import os\nos.system(${JSON.stringify(note(at))})\n`);
  mkdirSync(join(packages, "pytest"));
  expect(await hasPackage(python, "pytest")).toBe(true);
  expect(await hasPackage(python, "flask")).toBe(false);
  expect((await outline("a.py", "def f(): pass\n", { ...project, python: undefined })).definitions).toHaveLength(1);
  expect(started()).toBe(false);
  execFileSync(at("project/.venv/bin/python"), ["-c", ""]);
  expect(started(), "the environment runs it by itself").toBe(true);
});

test("modules that lie in the present folder are not taken for Python's own", DEEP, () => {
  using folder = made({});
  const { at, started } = folder;
  for (const name of ["json.py", "importlib/__init__.py"]) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), `import os\nos.system(${JSON.stringify(note(at))})\n`);
  }
  spawnSync("python3", ["-c", "import json"], { cwd: folder.path });
  expect(started(), "Python takes them").toBe(true);
  spawnSync("rm", [at("started")]);
  const [node, ...words] = programWords("mend doctor");
  const doctor = spawnSync(node, words, { cwd: folder.path, encoding: "utf8" });
  expect(doctor.stdout).toMatch(/python +3\./);
  writeFileSync(at("test_a.py"), "from a import f\ndef test(): assert f() == 2\n");
  writeFileSync(at("a.py"), "def f():\n    return 1\n");
  const [program, ...repair] = programWords("mend repair");
  const repaired = spawnSync(program, [...repair, "a.py", "test_a.py", "--model", "search"], {
    cwd: folder.path,
    encoding: "utf8",
  });
  expect(repaired.stderr).toContain("test");
  expect(started()).toBe(false);
});

test("a link in the place of packages leads to packages or nowhere", async () => {
  using folder = made({ "kept/node_modules/p/index.js": "", "project/b/c.js": "" });
  const { at, project } = folder;
  symlinkSync(at("kept/node_modules"), at("project/b/node_modules"));
  expect(nodeModules(at("project/b"))).toContain(at("project/b/node_modules"));
  symlinkSync(at("user"), at("project/node_modules"));
  expect(() => nodeModules(project.folder)).toThrow(/does not look like installed packages/);
  expect(() => copyProject(filesOf(project.root, "all"), at("copy"), "bwrap")).toThrow(/does not look like installed/);
});

test("an environment's links show a box no folder beside its interpreter", DEEP, async () => {
  using folder = made({});
  const { at, project } = folder;
  execFileSync("python3", ["-m", "venv", "--without-pip", at("project/.venv")]);
  spawnSync("rm", ["-r", at("project/.venv/lib")]);
  symlinkSync(at("user"), at("project/.venv/lib"));
  const shown = pythonFolders(await projectPython(project, noEnvironment)).map((path) => realpathSync(path));
  expect(shown).not.toContain(realpathSync(at("user")));
  expect(shown).toContain(at("project/.venv/bin"));
});

test("a file that git's index names under a folder that is a link now is not copied", () => {
  using folder = made({ "project/keys/secret.py": "mine\n" });
  const { at, project } = folder;
  const git = (...words: string[]) => execFileSync("git", ["-C", project.root, ...words], { stdio: "ignore" });
  git("init", "--quiet");
  git("add", ".");
  spawnSync("rm", ["-r", at("project/keys")]);
  symlinkSync(at("user"), at("project/keys"));
  const { files } = copyProject(filesOf(project.root, "tracked"), at("copy"), "bwrap");
  expect(files).toContain("a.py");
  expect(files).not.toContain("keys/secret.py");
  if (files.includes("keys")) expect(readlinkSync(at("copy/keys"))).toBe(at("user"));
});

test.each(layers)("%s: a link or a pipe is not accepted as a report", async (layer) => {
  using folder = made({});
  // Where no pipe can be made, there is none.
  for (const command of [`ln -s ${folder.at("user/secret.py")} "$1"`, 'mkfifo "$1" || true']) {
    const start = async (out: string) => ({
      argv: ["sh", "-c", command, "sh", join(out, "report")],
      env: {},
      readable: [],
    });
    const { report, exitCode } = await runIn(folder.project, start, layer);
    expect([exitCode, report("report")]).toEqual([0, null]);
  }
});
