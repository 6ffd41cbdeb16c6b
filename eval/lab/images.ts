/**
 * `npx tsx eval/lab/images.ts --dataset ROWS --repositories BUNDLE`: an image for each Python row, in the layout of
 * SWE-bench's, from the environment that `--prepare` made. Then `mend eval --image 'localhost/mend-rows:{instance_id}'`
 * runs the rows where no registry of images is in reach.
 */

import "../../utils/program/own_tsconfig.ts";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { copyTree } from "../../utils/base/files/trees/copy_tree.ts";
import { git } from "../../utils/git/git.ts";
import { type Arguments, EXIT, runCommand } from "../../utils/program/cli.ts";
import { uvProgram } from "../../utils/project/packages/python/uv.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { ask, demand } from "../../utils/sandbox/container/engine.ts";
import { librariesOf, makeImage, podmanForTests } from "../../utils/testing/container_image.ts";
import { openRepositories } from "../benchmark/repositories/checkout.ts";
import { readRepositoryRows } from "../benchmark/repositories/rows.ts";
import { treeOf } from "../benchmark/repositories/task.ts";

const command = {
  usage: "--dataset ROWS --repositories PATH",
  summary: "Makes the images of Python rows from their prepared environments.",
  options: {
    dataset: { value: "FILE", help: "rows of SWE-bench" },
    repositories: { value: "PATH", help: "a git bundle or a folder of clones" },
  },
};

const ENVIRONMENT = "opt/miniconda3/envs/testbed";
const GIT = ["-c", "user.name=mend", "-c", "user.email=mend@localhost"];
/** Of tox, whose older versions install the project before they run its tests: the versions in SWE-bench's images. */
const TOX = { folder: "opt/tox", packages: ["tox==4.16.0", "tox-current-env==0.0.11"] };
/** Stands in for conda's own script. */
const ACTIVATE = [
  'export PATH="/opt/miniconda3/envs/$1/bin:$PATH"',
  'export LD_LIBRARY_PATH="/opt/miniconda3/envs/$1/lib"',
  "",
].join("\n");

async function main(args: Arguments<keyof typeof command.options>) {
  const engine = await podmanForTests();
  if (!engine) return EXIT.failed;
  const { made } = await readRepositoryRows(args.text("dataset") ?? "");
  using repositories = openRepositories(args.text("repositories") ?? "");
  const place = { repositories, protocol: "example", prepare: true, box: await openCommandBox() } as const;
  const isThere = async (name: string) => (await ask(engine, ["image", "inspect", name])).exitCode === 0;
  for (const row of made) {
    const name = `localhost/mend-rows:${row.id.toLowerCase()}`;
    if (await isThere(name)) continue;
    using tree = await treeOf(row, { ...place, say: (line) => console.error(line) }, false);
    const environment = realpathSync(join(tree.path, ".venv"));
    const python = realpathSync(join(environment, "bin", "python"));
    const base = `localhost/mend-rows-base:${basename(python)}`;
    const files = { "opt/miniconda3/bin/activate": ACTIVATE };
    if (!(await isThere(base))) await makeImage(engine, files, { name: base, more: (root) => addPython(root, python) });
    using folder = makeTemporaryFolder("row");
    fill(folder.path, { tree: tree.path, environment });
    const container = basename(folder.path).toLowerCase();
    await demand(engine, ["create", "--name", container, "--entrypoint", "sh", base]);
    await demand(engine, ["cp", `${folder.path}/.`, `${container}:/`]);
    await demand(engine, ["commit", "--quiet", container, name]);
    await demand(engine, ["rm", container]);
    console.log(name);
  }
  return EXIT.ok;
}

/** The interpreter and the libraries of this machine that it loads. */
function addPython(root: string, python: string): void {
  const environment = join(root, ENVIRONMENT);
  mkdirSync(environment, { recursive: true });
  copyTree(join(python, "../.."), environment);
  const library = join(environment, "lib", basename(python));
  const unused = readdirSync(library).filter((name) => /^(?:site-packages$|test$|config-)/.test(name));
  for (const name of unused) rmSync(join(library, name), { recursive: true });
  const loaded = readdirSync(join(environment, "lib"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.so(?:\.[\d.]+)?$/.test(name))
    .flatMap((name) => librariesOf(join(environment, "lib", name)))
    .filter((path) => path.startsWith("/lib") || path.startsWith("/usr/lib"));
  execFileSync("cp", ["-rL", "--parents", ...new Set(loaded), root]);
}

interface Parts {
  /** The project, with a link to its environment. */
  tree: string;
  environment: string;
}

/** Writes what a row's image has beside Python. */
function fill(root: string, { tree, environment }: Parts): void {
  const project = join(root, "testbed");
  mkdirSync(project);
  rmSync(join(tree, ".venv"));
  copyTree(tree, project);
  // As the harness of SWE-bench prepares Sphinx.
  const settings = join(project, "tox.ini");
  if (existsSync(settings))
    writeFileSync(settings, readFileSync(settings, "utf8").replace(/^(.*?)pytest/gm, "$1pytest -rA"));
  for (const words of [
    ["init", "--quiet"],
    ["add", "--all"],
    ["commit", "--quiet", "--message", "base"],
  ])
    git(project, [...GIT, ...words]);
  const [library = ""] = readdirSync(join(environment, "lib"));
  const packages = join(root, ENVIRONMENT, "lib", library, "site-packages");
  mkdirSync(packages, { recursive: true });
  copyTree(join(environment, "lib", library, "site-packages"), packages);
  writeFileSync(join(packages, "_project.pth"), "/testbed\n");
  const options = ["--quiet", "--only-binary", ":all:", "--python-version", library.slice(6)];
  const folder = join(root, TOX.folder);
  execFileSync(uvProgram(), ["pip", "install", ...options, "--target", folder, ...TOX.packages]);
  const programs = join(root, ENVIRONMENT, "bin");
  mkdirSync(programs, { recursive: true });
  const write = (name: string, code: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\nexec python ${code} "$@"\n`, { mode: 0o755 });
  write("pytest", "-m pytest");
  // The tests do not see these packages, as they would in PYTHONPATH.
  write("tox", `-c 'import sys; sys.path.insert(0, "/${TOX.folder}"); from tox.run import run; run()'`);
}

await runCommand(command, main);
