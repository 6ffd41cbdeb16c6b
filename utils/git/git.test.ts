import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../testing/command.ts";
import { DEEP } from "../testing/repeats.ts";
import { GitError, git, gitSucceeds } from "./git.ts";

const AUTHOR = {
  GIT_AUTHOR_NAME: "T",
  GIT_AUTHOR_EMAIL: "t@a.b",
  GIT_COMMITTER_NAME: "T",
  GIT_COMMITTER_EMAIL: "t@a.b",
};

function repository() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("work"));
  git(at("work"), ["init", "--quiet"]);
  writeFileSync(at("work/a.py"), "old\n");
  git(at("work"), ["add", "."]);
  git(at("work"), ["commit", "--quiet", "-m", "first"], { env: AUTHOR });
  return Object.assign(folder, { at, work: at("work") });
}

test("starts neither the file monitor nor the hooks that a repository's own configuration names", () => {
  using folder = repository();
  const { at, work } = folder;
  const program = at("program");
  writeFileSync(program, `#!/bin/sh\necho started >> ${at("started")}\n`);
  chmodSync(program, 0o755);
  mkdirSync(at("hooks"));
  for (const hook of ["post-index-change", "reference-transaction", "pre-commit", "post-commit"])
    writeFileSync(at(`hooks/${hook}`), readFileSync(program), { mode: 0o755 });
  git(work, ["config", "core.fsmonitor", program]);
  git(work, ["config", "core.hooksPath", at("hooks")]);
  git(work, ["config", "core.pager", program]);

  writeFileSync(at("work/a.py"), "new\n");
  expect(git(work, ["status", "--porcelain"])).toBe(" M a.py\n");
  git(work, ["ls-files", "--others", "--exclude-standard"]);
  git(work, ["add", "."]);
  git(work, ["commit", "--quiet", "-m", "second"], { env: AUTHOR });
  git(work, ["update-ref", "refs/heads/other", "HEAD"]);
  expect(git(work, ["log", "--format=%s"])).toBe("second\nfirst\n");
  expect(existsSync(at("started"))).toBe(false);

  spawnSync("git", ["update-ref", "refs/heads/another", "HEAD"], { cwd: work });
  expect(existsSync(at("started")), "git alone starts them").toBe(true);
});

test("starts no filter, and takes a path for no pattern", () => {
  using folder = repository();
  const { at, work } = folder;
  for (const kind of ["clean", "smudge", "process"])
    git(work, ["config", `filter.a.b c.${kind}`, `echo started >> ${at("started")}; cat`]);
  git(work, ["config", "filter.a.b c.required", "true"]);
  writeFileSync(at("work/.gitattributes"), '* filter="a.b c"\n*.py filter=plain\n');
  git(work, ["config", "filter.plain.clean", `echo started >> ${at("started")}; cat`]);
  writeFileSync(at("work/a.py"), "new\n");
  writeFileSync(at("work/*.py"), "star\n");
  git(work, ["add", "."]);
  git(work, ["status"]);
  git(work, ["apply"], { input: "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-new\n+newer\n" });
  git(work, ["checkout-index", "--all", "--force"]);
  git(work, ["archive", "HEAD"]);
  expect(git(work, ["ls-files", "--", "*.py"])).toBe("*.py\n");
  expect(readFileSync(at("work/a.py"), "utf8")).toBe("new\n");
  expect(existsSync(at("started"))).toBe(false);
  writeFileSync(at("work/a.py"), "newest\n");
  spawnSync("git", ["add", "."], { cwd: work });
  expect(existsSync(at("started")), "git alone starts them").toBe(true);
  git(work, ["config", "filter.x=y.clean", "cat"]);
  expect(() => git(work, ["add", "."])).toThrow(/the filter "x=y" cannot be left out/);
});

test("nothing is fetched: a repository names the programs that would do it", () => {
  using folder = repository();
  const { at, work } = folder;
  const tree = git(work, ["rev-parse", "HEAD^{tree}"]).trim();
  for (const [name, value] of Object.entries({
    "core.repositoryformatversion": "1",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.url": "ssh://nowhere/a",
    "protocol.allow": "always",
    "protocol.ssh.allow": "always",
    "core.sshCommand": `echo >> ${at("started")};false`,
  }))
    git(work, ["config", name, value]);
  rmSync(at(`work/.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`));
  expect(() => git(work, ["read-tree", "HEAD"])).toThrow(GitError);
  expect(existsSync(at("started"))).toBe(false);
  spawnSync("git", ["ls-tree", "HEAD"], { cwd: work });
  expect(existsSync(at("started")), "git alone starts it").toBe(true);
});

test("an error is git's own words, with the repository and the command", () => {
  using folder = repository();
  const failed = () => git(folder.work, ["show", "nowhere:a.py"]);
  expect(failed).toThrow(GitError);
  expect(failed).toThrow(/work: git show: fatal: .*nowhere/);
  expect(gitSucceeds(folder.work, ["rev-parse", "--verify", "--quiet", "nowhere"])).toBe(false);
  expect(gitSucceeds(folder.work, ["rev-parse", "--verify", "--quiet", "HEAD"])).toBe(true);
});

test("the user's configuration counts, but where a result must not depend on it", () => {
  using folder = repository();
  writeFileSync(folder.at("config"), "[user]\n\tname = Someone\n");
  vi.stubEnv("GIT_CONFIG_GLOBAL", folder.at("config"));
  try {
    expect(git(folder.work, ["config", "user.name"])).toBe("Someone\n");
    expect(() => git(folder.work, ["config", "user.name"], { isolated: true })).toThrow(GitError);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("the repository that a hook's variables name is not taken for the one asked for", () => {
  using folder = repository();
  using other = repository();
  vi.stubEnv("GIT_DIR", other.at("work/.git"));
  try {
    expect(git(folder.work, ["rev-parse", "--absolute-git-dir"]).trim()).toMatch(new RegExp(`^${folder.path}/`));
  } finally {
    vi.unstubAllEnvs();
  }
});

test("no other module of the product starts git", () => {
  const others = ["agent", "build", "eval", "fix", "utils"].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: "utf8" })
      .map((name) => `${room}/${name}`)
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !/\/(?:testing|fixtures|node_modules)\//.test(name))
      .filter((name) => /(?:exec|spawn|run|hostProgram)\w*\(\s*"git"/i.test(readFileSync(name, "utf8"))),
  );
  expect(others).toEqual(["utils/git/git.ts"]);
});

test("a pipe among the files of a repository ends git in time, with what may be wrong", DEEP, () => {
  using folder = repository();
  rmSync(join(folder.work, ".git/info/exclude"), { force: true });
  mkdirSync(join(folder.work, ".git/info"), { recursive: true });
  spawnSync("mkfifo", [join(folder.work, ".git/info/exclude")]);
  expect(() => git(folder.work, ["status", "--porcelain"], { seconds: 1 })).toThrow(
    /git status: it did not end within 1 seconds: is a file of \.git a pipe/,
  );
});
