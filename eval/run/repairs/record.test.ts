import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadRun, readTrajectory } from "../load_run.ts";
import { removeOldest, repairsFolder } from "./folder.ts";

const FILES = {
  "half.py": "def half(x):\n    return x * 2\n",
  "test_half.py": "from half import half\n\nassert half(4) == 2\nassert half(10) == 5\n",
};
const REPAIR = ["half.py", "--model", "search"];

/** Repairs in a repository of its own, with a state folder that is not its user's. */
function repairs(files = FILES) {
  const repository = makeRepository(files);
  const state = temporaryFolder();
  const env = { MEND_NO_STORE: "", XDG_STATE_HOME: state.path };
  return {
    repository,
    runs: join(state.path, "mend/runs"),
    command: (name: string, args: string[], more: Record<string, string> = {}) =>
      run(`mend ${name}`, args, repository.path, { ...env, ...more }),
    [Symbol.dispose]: () => {
      repository[Symbol.dispose]();
      state[Symbol.dispose]();
    },
  };
}

test(
  "a repair is kept outside of the user's tree, as a run with its diff, its tests and every turn",
  DEEP,
  async () => {
    using own = repairs();
    const { stderr } = await own.command("repair", REPAIR);
    const [name = ""] = readdirSync(own.runs);
    const folder = join(own.runs, name);
    const last = stderr.trimEnd().split("\n").slice(-3);
    expect(last).toEqual([
      `kept in ${folder}; mend report --last shows every turn`,
      `to apply this patch: git apply ${folder}/1.patch`,
      "the other patches are in the same folder, from 2.patch",
    ]);
    expect(readdirSync(own.repository.path).sort()).toEqual([".git", "half.py", "test_half.py"]);
    expect(statSync(folder).mode & 0o077).toBe(0);
    const { manifest, results } = loadRun(folder);
    expect(results).toMatchObject([{ task_id: "half.py", passed: true, stop: "answered" }]);
    expect(manifest.decides.samples).toEqual(["half.py#0"]);
    const read = readTrajectory(folder, { task_id: "half.py", attempt: 0 });
    expect(read).toMatchObject({ trajectory: { steps: expect.arrayContaining([expect.anything()]), verified: true } });
    const report = await own.command("report", ["--last", "--json"]);
    expect(JSON.parse(report.stdout), report.stderr).toMatchObject({ file: join(folder, "report.html"), samples: 1 });
    const outcome = JSON.parse(readFileSync(join(folder, "outcome.json"), "utf8"));
    expect(outcome).toMatchObject({ outcome: "suggestion", diff: expect.stringContaining("+    return x / 2") });
  },
);

test(
  "--no-store and MEND_NO_STORE keep nothing, and where nothing was tried there is nothing to keep",
  DEEP,
  async () => {
    using own = repairs();
    await own.command("repair", [...REPAIR, "--no-store"]);
    await own.command("repair", REPAIR, { MEND_NO_STORE: "1" });
    writeFileSync(own.repository.at("half.py"), "def half(x):\n    return x / 2\n");
    expect((await own.command("repair", REPAIR)).stderr).toContain("the tests already pass");
    expect(existsSync(own.runs)).toBe(false);
    expect(await own.command("report", ["--last"])).toMatchObject({
      exitCode: 2,
      stderr: `error: No repair is kept in ${own.runs} yet: mend repair and mend fix keep theirs there.\n`,
    });
  },
);

test(
  "the command that it prints applies what was shown, and nothing where the file changed meanwhile",
  DEEP,
  async () => {
    using own = repairs();
    const { stdout, stderr } = await own.command("repair", REPAIR);
    const [, command = ""] = /^to apply this patch: (.*)$/m.exec(stderr) ?? [];
    const [, shown = ""] = /^\+(?!\+)(.*)$/m.exec(stdout) ?? [];
    const apply = () => execFileSync("sh", ["-c", command], { cwd: own.repository.path, stdio: "pipe" });
    const changed = "def half(x):\n    return 2 * x\n";
    writeFileSync(own.repository.at("half.py"), changed);
    expect(apply).toThrow("patch does not apply");
    expect(readFileSync(own.repository.at("half.py"), "utf8")).toBe(changed);
    writeFileSync(own.repository.at("half.py"), FILES["half.py"]);
    apply();
    expect(readFileSync(own.repository.at("half.py"), "utf8")).toBe(`def half(x):\n${shown}\n`);
  },
);

test("a folder that cannot be written costs no repair", DEEP, async () => {
  using own = repairs();
  writeFileSync(own.repository.at("taken"), "");
  const { exitCode, stdout, stderr } = await own.command("repair", REPAIR, {
    XDG_STATE_HOME: own.repository.at("taken"),
  });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("+    return x / 2")]);
  expect(stderr).toMatch(/^not kept for mend report: .*taken/m);
});

test("a model that fails is kept with why, and no key", DEEP, async () => {
  using own = repairs();
  const args = ["half.py", "--model", "openai:none", "--max-iterations", "1", "--timeout", "5"];
  // It is there before the tests run, and fails then.
  await using server = await startFakeOpenAI({ reply: () => ({ status: 401 }) });
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "sk-never-to-be-kept" };
  const { exitCode } = await own.command("repair", args, env);
  expect(exitCode).toBe(2);
  const [name = ""] = readdirSync(own.runs);
  const files = readdirSync(join(own.runs, name), { recursive: true, encoding: "utf8" });
  const texts = files.map((file) => join(own.runs, name, file)).filter((path) => statSync(path).isFile());
  const all = texts.map((path) => readFileSync(path, "utf8")).join("\n");
  expect(all).toContain('"error"');
  expect(all).not.toContain("never-to-be-kept");
});

test("the oldest go, by number and by size, and the newest stays", () => {
  using folder = temporaryFolder();
  for (const name of ["1", "2", "3", "4"]) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, "text"), "x".repeat(100_000));
  }
  expect(removeOldest(folder.path, { runs: 3, bytes: 1e9 })).toBe(1);
  expect(readdirSync(folder.path).sort()).toEqual(["2", "3", "4"]);
  expect(removeOldest(folder.path, { runs: 100, bytes: 250_000 })).toBe(1);
  expect(readdirSync(folder.path).sort()).toEqual(["3", "4"]);
  expect(removeOldest(folder.path, { runs: 100, bytes: 1 })).toBe(1);
  expect(readdirSync(folder.path)).toEqual(["4"]);
});

test("a relative XDG_STATE_HOME is passed over, as its specification says", () => {
  expect(repairsFolder({ XDG_STATE_HOME: "/s" })).toBe("/s/mend/runs");
  for (const value of ["state", "", undefined])
    expect(repairsFolder({ XDG_STATE_HOME: value })).toMatch(/^\/.*\.local\/state\/mend\/runs$/);
});
