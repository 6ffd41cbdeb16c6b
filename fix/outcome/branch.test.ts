// @module-tag deep

import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import type { FileChange } from "../project/patch.ts";
import { makeRepository } from "../testing/repositories.ts";
import { commitToBranch, requireNewBranch } from "./branch.ts";

const FILES = {
  "a.py": "old\n",
  "conftest.py": "import pytest\n",
  "windows.py": "one\r\ntwo\r\n",
  "run.sh": "#!/bin/sh\n",
  'odd "é" name.py': "odd\n",
};
const EDIT: FileChange = { file: "a.py", before: "old\n", after: "new\n" };

/** As `mend fix` does: what is tested lies in a copy. */
function commit(repository: ReturnType<typeof makeRepository>, changes: readonly FileChange[], root = repository.path) {
  using base = makeTemporaryFolder("base");
  cpSync(root, base.path, { recursive: true, verbatimSymlinks: true, filter: (path) => !/\.git$/.test(path) });
  return commitToBranch(root, "repair", { base: base.path, changes, message: "repaired\n" });
}

test("the commit holds what was tested, whatever the files are called and hold", () => {
  using repository = makeRepository(FILES);
  chmodSync(repository.at("run.sh"), 0o755);
  repository.git("commit", "-qam", "run");
  commit(repository, [
    EDIT,
    { file: "windows.py", before: "one\r\ntwo\r\n", after: "one\r\nthree" },
    { file: "run.sh", before: "#!/bin/sh\n", after: "", mode: { before: "100755", after: "100755" } },
    { file: 'odd "é" name.py', before: "odd\n", after: null },
    { file: "new/b c.py", before: null, after: "" },
    { file: "new/tool", before: null, after: "x", mode: { before: "100755", after: "100755" } },
  ]);
  expect(
    repository.git("diff", "--raw", "--no-renames", "main", "repair").replace(/ [0-9a-f]{7,} [0-9a-f]{7,} /g, " "),
  ).toBe(
    [
      ":100644 100644 M\ta.py",
      ":000000 100644 A\tnew/b c.py",
      ":000000 100755 A\tnew/tool",
      ':100644 000000 D\t"odd \\"\\303\\251\\" name.py"',
      ":100755 100755 M\trun.sh",
      ":100644 100644 M\twindows.py\n",
    ].join("\n"),
  );
  expect(repository.git("show", "repair:windows.py")).toBe("one\r\nthree");
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("where git keeps other line ends than the files have, the commit has git's", () => {
  using repository = makeRepository({ ...FILES, ".gitattributes": "windows.py text eol=crlf\n" });
  commit(repository, [{ file: "windows.py", before: "one\r\ntwo\r\n", after: "one\r\nthree\r\n" }]);
  expect(repository.git("show", "repair:windows.py")).toBe("one\nthree\n");
});

describe("no branch is made", () => {
  const refuses = (repository: ReturnType<typeof makeRepository>, changes: readonly FileChange[], says: RegExp) => {
    expect(() => commit(repository, changes)).toThrow(says);
    expect(repository.git("branch", "--list", "repair")).toBe("");
  };

  test("of names that smuggle: a name with a newline is no part of a patch", () => {
    using repository = makeRepository(FILES);
    const smuggled = "a.txt\n--- a/conftest.py\n+++ b/conftest.py\n@@ -1 +1 @@\n-import pytest\n+import evil\n";
    refuses(repository, [EDIT, { file: smuggled, before: null, after: "x" }], /is refused: its name has control/);
    refuses(repository, [EDIT, { file: "sub/.GIT", before: null, after: "gitdir: x" }], /is refused: it is git's own/);
  });

  test.each([
    ["changed", (at: (name: string) => string) => appendFileSync(at("conftest.py"), "import other\n")],
    ["gone", (at: (name: string) => string) => rmSync(at("conftest.py"))],
    ["made executable", (at: (name: string) => string) => chmodSync(at("conftest.py"), 0o755)],
  ])("where a file that the patch leaves alone is %s: it was tested so, and would not be committed so", (_, change) => {
    using repository = makeRepository(FILES);
    change(repository.at);
    refuses(repository, [EDIT], /^conftest\.py differs from the last commit/);
    expect(() => requireNewBranch(repository.path, "repair"), "before anything is spent").toThrow("conftest.py");
  });

  test("where the file is not in the last commit as it was tested", () => {
    using repository = makeRepository(FILES);
    writeFileSync(repository.at("untracked.py"), "x\n");
    refuses(repository, [{ file: "untracked.py", before: "x\n", after: "y\n" }], /untracked\.py is not in the last/);
  });

  /** Another repository of the user, and a folder that came from somebody else. */
  const two = () => ({ users: makeRepository(FILES), download: makeRepository(FILES) });

  test.each([
    ["a file", (git: string, users: string) => writeFileSync(git, `gitdir: ${users}/.git\n`)],
    ["a link", (git: string, users: string) => symlinkSync(join(users, ".git"), git)],
    [
      "a folder whose branches are the other's",
      (git: string, users: string) => {
        mkdirSync(git);
        for (const [name, text] of [
          ["commondir", `${users}/.git`],
          ["HEAD", "ref: refs/heads/main"],
        ] as const)
          writeFileSync(join(git, name), `${text}\n`);
      },
    ],
    [
      "a file that names a folder which names it in return, with the other's branches",
      (git: string, users: string) => {
        const own = join(git, "../worktrees/own");
        mkdirSync(own, { recursive: true });
        writeFileSync(git, `gitdir: ${own}\n`);
        for (const [name, text] of [
          ["commondir", `${users}/.git`],
          ["HEAD", "ref: refs/heads/main"],
          ["gitdir", git],
        ] as const)
          writeFileSync(join(own, name), `${text}\n`);
      },
    ],
    [
      "a folder with the other's branches behind a link",
      (git: string, users: string) => {
        cpSync(join(users, ".git"), git, { recursive: true });
        rmSync(join(git, "refs/heads"), { recursive: true });
        symlinkSync(join(users, ".git/refs/heads"), join(git, "refs/heads"));
      },
    ],
    [
      "a folder whose log is a file of the user",
      (git: string, users: string) => {
        cpSync(join(users, ".git"), git, { recursive: true });
        mkdirSync(join(git, "logs/refs/heads"), { recursive: true });
        symlinkSync(join(users, "a.py"), join(git, "logs/refs/heads/repair"));
      },
    ],
  ])("in a repository that is not that of the folder: .git is %s", (_, lead) => {
    const { users, download } = two();
    using _users = users;
    using _download = download;
    rmSync(download.at(".git"), { recursive: true });
    lead(download.at(".git"), users.path);
    expect(() => commit(download, [EDIT])).toThrow(/--write/);
    expect(users.git("branch", "--list", "repair")).toBe("");
    expect(users.git("status", "--porcelain")).toBe("");
  });
});

test("a work tree of several and a checked out submodule are the repository's own", () => {
  using repository = makeRepository(FILES);
  using place = makeTemporaryFolder("worktree");
  repository.git("worktree", "add", "-q", join(place.path, "two"), "-b", "two");
  commit(repository, [EDIT], join(place.path, "two"));
  expect(repository.git("show", "repair:a.py")).toBe("new\n");
  using inner = makeRepository({ "b.py": "x\n" });
  repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "inner");
  repository.git("commit", "-qam", "inner");
  using base = makeTemporaryFolder("base");
  writeFileSync(join(base.path, "b.py"), "x\n");
  const changes = [{ file: "b.py", before: "x\n", after: "y\n" }];
  commitToBranch(repository.at("inner"), "repair", { base: base.path, changes, message: "m" });
  const shown = execFileSync("git", ["show", "repair:b.py"], { cwd: repository.at("inner"), encoding: "utf8" });
  expect(shown).toBe("y\n");
});

test("where git keeps the repository elsewhere (--separate-git-dir), it is named as the folder's own first, as the sentence says", () => {
  using repository = makeRepository(FILES);
  using place = makeTemporaryFolder("separate");
  repository.git("init", "-q", `--separate-git-dir=${join(place.path, "kept")}`);
  const said = (() => {
    try {
      commit(repository, [EDIT]);
    } catch (error) {
      return String(error);
    }
    return "";
  })();
  const command = /`git (.*)`/.exec(said)?.[1]?.split(" ") ?? [];
  execFileSync("git", command);
  commit(repository, [EDIT]);
  expect(repository.git("show", "repair:a.py")).toBe("new\n");
});
