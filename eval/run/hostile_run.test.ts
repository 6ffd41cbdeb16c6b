import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../utils/base/data/errors.ts";
import { requireOwnFiles } from "../../utils/base/files/write_inside.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { isLeftover, openArchive, removeLeftovers } from "../meta/archive/archive.ts";
import { createRunList } from "../pages/runs/run_list.ts";
import { writeMadeUpRun } from "../pages/testing/made_up_run.ts";
import { loadRun, readTrajectory } from "./load_run.ts";
import { isRunning, lockRun } from "./lock.ts";
import { Manifest, readManifest } from "./manifest.ts";
import { trajectoryFile } from "./results.ts";
import { openRun } from "./store.ts";

const SECRET = "the key of the user\n";

function made() {
  const outer = temporaryFolder();
  const secret = join(outer.path, "secret");
  writeFileSync(secret, SECRET);
  const runs = join(outer.path, "runs");
  const run = join(runs, "r");
  writeMadeUpRun(run, { tasks: 2 });
  return Object.assign(outer, { secret, runs, run, at: (name: string) => join(run, name) });
}

/** What somebody may have put in the place of a file. */
const PLANTED: [string, (path: string, secret: string) => void][] = [
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a link to an endless device", (path) => symlinkSync("/dev/zero", path)],
  ["a link to a secret", (path, secret) => symlinkSync(secret, path)],
  ["a folder", (path) => mkdirSync(path)],
  [
    "a huge file",
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 40);
    },
  ],
];

test.each(PLANTED)("%s in the place of a run's file is named, and the other runs are still listed", (_what, plant) => {
  using folder = made();
  writeMadeUpRun(join(folder.runs, "good"), { tasks: 1 });
  for (const name of ["manifest.json", "results.jsonl", "session.json"]) {
    rmSync(folder.at(name), { force: true });
    plant(folder.at(name), folder.secret);
    const said = messageOf(() => loadRun(folder.run));
    expect(said).toContain(folder.at(name));
    expect(said).not.toContain("key of");
    const listed = createRunList(folder.runs)();
    expect(listed.map((entry) => [entry.name, entry.state]).sort()).toEqual([
      ["good", "complete"],
      ["r", "unreadable"],
    ]);
    rmSync(folder.at(name), { recursive: true });
    writeMadeUpRun(folder.run, { tasks: 2 });
  }
});

test.each(PLANTED)("%s in the place of a trajectory or of the lock is passed over", (_what, plant) => {
  using folder = made();
  const sample = { task_id: "Python/0", attempt: 0 };
  const trajectory = folder.at(`trajectories/${trajectoryFile(sample)}`);
  rmSync(trajectory, { force: true });
  plant(trajectory, folder.secret);
  const read = readTrajectory(folder.run, sample);
  expect("missing" in read && read.missing).toMatch(/trajectories/);
  plant(folder.at("lock"), folder.secret);
  expect(isRunning(folder.run)).toBe(false);
});

test("a run is not gone on with where a link in it would lead what is written elsewhere", () => {
  for (const name of ["lock", "results.jsonl", "trajectories", "session.json", "summary.json", "trajectories/x.json"]) {
    using folder = made();
    const manifest = readManifest(folder.run, Manifest);
    if (!manifest) throw new Error("no manifest");
    rmSync(folder.at(name), { recursive: true, force: true });
    symlinkSync(name === "trajectories" ? folder.path : folder.secret, folder.at(name));
    expect(() => openRun(folder.runs, "r", manifest), name).toThrow(
      `${folder.at(name)} is a link, through which nothing is written`,
    );
    expect(readFileSync(folder.secret, "utf8")).toBe(SECRET);
    // Its lock was given back.
    rmSync(folder.at(name));
    lockRun(folder.run)();
  }
});

test("a second name of a file elsewhere is not written to", () => {
  for (const name of ["lock", "results.jsonl"]) {
    using folder = made();
    const manifest = readManifest(folder.run, Manifest);
    if (!manifest) throw new Error("no manifest");
    rmSync(folder.at(name), { force: true });
    linkSync(folder.secret, folder.at(name));
    expect(() => openRun(folder.runs, "r", manifest)).toThrow("is a second name of another file");
    expect(readFileSync(folder.secret, "utf8")).toBe(SECRET);
  }
});

test("what a killed self-edit run left is removed, and links in it do not matter", () => {
  using folder = temporaryFolder();
  const outside = join(folder.path, "outside");
  const run = join(folder.path, "run");
  const at = (name: string) => join(run, name);
  mkdirSync(outside);
  writeFileSync(join(outside, "kept"), "");
  for (const name of ["workspace/agent", "builds/abc/start", "builds/abc.1.draft/src", "traces"])
    mkdirSync(at(name), { recursive: true });
  for (const name of ["workspace/out", "builds/abc.1.draft/node_modules", "builds/node_modules", "seed"])
    symlinkSync(outside, at(name));
  requireOwnFiles(run, isLeftover);
  removeLeftovers(run);
  expect(
    execFileSync("find", [".", "-mindepth", "1"], { cwd: run, encoding: "utf8" }).trim().split("\n").sort(),
  ).toEqual(["./builds", "./builds/abc", "./builds/abc/start", "./traces"]);
  expect(readFileSync(join(outside, "kept"), "utf8")).toBe("");
  symlinkSync(outside, at("recordings"));
  expect(() => requireOwnFiles(run, isLeftover)).toThrow("recordings is a link");
});

test("an archive of agents that somebody else made starts none of its programs", async () => {
  using folder = temporaryFolder();
  const source = join(folder.path, "source");
  const marker = join(folder.path, "started");
  mkdirSync(join(source, "agent"), { recursive: true });
  writeFileSync(join(source, "agent/main.ts"), "export {};\n");
  const first = await openArchive(folder.path);
  const { sha } = await first.commit(source, { parent: null, message: "one", ordinal: 0 });
  const repository = join(folder.path, "agents.git");
  const filter = `[filter "x"]\n\tsmudge = touch ${marker}; cat\n\tclean = touch ${marker}; cat\n`;
  writeFileSync(join(repository, "config"), readFileSync(join(repository, "config"), "utf8") + filter);
  mkdirSync(join(repository, "info"), { recursive: true });
  writeFileSync(join(repository, "info/attributes"), "* filter=x\n");
  const again = await openArchive(folder.path);
  await again.checkout(sha, join(folder.path, "out"));
  await again.treeOf(source);
  expect(readFileSync(join(folder.path, "out/agent/main.ts"), "utf8")).toBe("export {};\n");
  expect(() => readFileSync(marker)).toThrow("ENOENT");
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return error instanceof Error ? error.message : "";
  }
  throw new Error("nothing was refused");
}
