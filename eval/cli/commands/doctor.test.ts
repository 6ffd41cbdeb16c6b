import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { modulesWith } from "../../../utils/testing/modules.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { CHECKS, type DoctorFinding, findNode, runChecks } from "../checks.ts";

/** What one check finds with these variables. */
async function finding(name: string, env: Record<string, string>): Promise<DoctorFinding> {
  const [found] = await runChecks(
    CHECKS.filter((check) => check.name === name),
    env,
  );
  if (!found) throw new Error(`no check ${name}`);
  return found;
}

test.each([
  ["18.20.0", "missing"],
  ["20.18.3", "missing"],
  ["20.19.0", "optional"],
  ["22.1.0", "works"],
  ["24.0.0", "works"],
])("Node.js %s: %s, and what is not right has its one step", (version, state) => {
  const found = findNode(version, "/usr/bin/node");
  expect([found.state, found.fix !== undefined]).toEqual([state, state !== "works"]);
});

test("a server that lists its models works; one that is not there, and none, have their one step", async () => {
  await using server = await startFakeOpenAI({ reply: () => ({ text: "" }), models: ["a", "b"] });
  expect(await finding("server", { OPENAI_BASE_URL: server.url })).toMatchObject({
    state: "works",
    text: expect.stringContaining("offers a, b"),
  });
  const gone = await finding("server", { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "sk-secret" });
  expect(gone).toMatchObject({ state: "optional", fix: expect.stringContaining("OPENAI_BASE_URL") });
  expect(JSON.stringify(gone)).not.toContain("sk-secret");
  expect(await finding("server", {})).toMatchObject({ state: "optional", fix: expect.stringContaining("export ") });
});

test("an empty cache of models has the command that fills it, or first the one that installs what runs them", async () => {
  using cache = temporaryFolder();
  const empty = await finding("local models", { HF_HOME: cache.path });
  const [text, fix] = modulesWith("@huggingface/transformers")
    ? [cache.path, "Qwen/Qwen2.5-Coder-1.5B-Instruct"]
    : ["@huggingface/transformers is not installed", "npm run local-models"];
  const expected = { text: expect.stringContaining(text), fix: expect.stringContaining(fix) };
  expect(empty).toMatchObject({ state: "optional", ...expected });
});

test("the disk, the sandbox and the self-edit loop are found as they are here", DEEP, async () => {
  expect(await finding("disk", {})).toMatchObject({ text: expect.stringMatching(/^\d+\.\d GB free in \//) });
  for (const name of ["sandbox", "self-edit"]) {
    const found = await finding(name, {});
    expect(found.text).toMatch(/bwrap|bubblewrap/);
    if (found.state !== "works") expect(found.fix).toContain("bubblewrap");
  }
});

test(
  "without Python mend cannot repair: exit code 1, and each finding that is missing says what to install",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const { exitCode, stdout } = await run("mend doctor", ["--json"], folder.path, {
      PATH: folder.path,
    });
    const { findings }: { findings: DoctorFinding[] } = JSON.parse(stdout);
    const missing = findings.filter(({ state }) => state === "missing");
    expect([exitCode, missing.map(({ name }) => name)]).toEqual([1, ["python", "sandbox"]]);
    for (const { fix } of missing) expect(fix).toContain("install");
    const loop = findings.find(({ name }) => name === "self-edit");
    expect([loop?.state, loop?.fix]).toEqual(["optional", missing[0]?.fix]);
    expect(findings.find(({ name }) => name === "java")).toEqual({
      name: "java",
      state: "optional",
      text: "not installed: mend cannot repair Java",
      fix: "`sudo apt install openjdk-17-jdk-headless`",
    });
  },
);

test("a Python that is too old is named with its version", DEEP, async () => {
  using folder = temporaryFolder();
  const bin = join(folder.path, "bin");
  mkdirSync(bin);
  const probe = JSON.stringify({
    executable: "/x",
    version: [3, 6, 1],
    packages: [],
    prefixes: [],
    machine: "m",
    release: "r",
  });
  writeFileSync(join(bin, "python3"), `#!/bin/sh\necho '${probe}'\n`, { mode: 0o755 });
  symlinkSync(process.execPath, join(bin, "node"));
  // A program in the folder around the current one would count as one of a project, which is not started.
  const elsewhere = join(folder.path, "elsewhere");
  mkdirSync(elsewhere);
  const { exitCode, stdout } = await run("mend doctor", [], elsewhere, {
    PATH: `${bin}:${dirname("/bin/sh")}`,
  });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/✗ python .*3\.6\.1.*3\.9.*\n +→ install Python/);
});
