import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../testing/command.ts";
import { DEEP } from "../testing/repeats.ts";
import { gitCommits, textsOf } from "./git_history.ts";

function repository() {
  const folder = temporaryFolder();
  const path = join(folder.path, "repository");
  mkdirSync(path);
  const git = (args: readonly string[], input = "", env: Record<string, string> = {}) =>
    execFileSync("git", ["-C", path, "-c", "user.name=T", "-c", "user.email=t@a.b", ...args], {
      input,
      encoding: "utf8",
      env: { ...process.env, ...env },
    }).trim();
  git(["init", "--quiet"]);
  const commit = (files: Record<string, string>, message: string | Buffer, date = "2026-01-02T03:04:05 +0130") => {
    writeFiles(path, files);
    git(["add", "--all"]);
    writeFileSync(join(folder.path, "message"), message);
    const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    git(["commit", "--quiet", "--cleanup=verbatim", "-F", join(folder.path, "message")], "", dates);
    return git(["rev-parse", "HEAD"]);
  };
  return Object.assign(folder, { repository: path, git, commit });
}

test("a commit says what it is: names with line ends and tabs, dates with zones, messages in other encodings", () => {
  using folder = repository();
  const names = ["a\n1\t1\tb.py", "--output=x", ":(exclude)a.py", "b\tc.py", `${"0".repeat(40)}`];
  const before = Object.fromEntries(names.map((name) => [name, "old\n"]));
  folder.commit(before, "first");
  folder.git(["config", "i18n.commitEncoding", "ISO-8859-1"]);
  const after = Object.fromEntries(names.map((name) => [name, "old\nnew\n"]));
  const sha = folder.commit(after, Buffer.from("Für alle\n\nauthor Nobody <> 1 +0000\n", "latin1"));
  const [commit] = [...gitCommits(folder.repository)];
  expect(commit).toMatchObject({
    sha,
    date: "2026-01-02T03:04:05+01:30",
    message: "Für alle\n\nauthor Nobody <> 1 +0000",
  });
  expect(commit?.changed.map(({ path, lines }) => [path, lines]).sort()).toEqual(names.map((name) => [name, 1]).sort());
  const texts = textsOf(folder.repository, commit?.changed.flatMap(({ after }) => after ?? []) ?? [], 1000);
  expect([...texts.values()]).toEqual(["old\nnew\n"]);
});

test("links and submodules are no files, and a commit that changes nothing is one", () => {
  using folder = repository();
  folder.commit({ "a.py": "a = 1\n" }, "first");
  folder.git(["commit", "--quiet", "--allow-empty", "-m", "nothing"]);
  execFileSync("ln", ["-sf", "/etc/passwd", join(folder.repository, "a.py")]);
  folder.commit({}, "Fix by a link");
  const [link, nothing] = [...gitCommits(folder.repository)];
  expect(link?.changed).toMatchObject([{ path: "a.py", before: expect.any(String), after: null }]);
  expect(nothing).toMatchObject({ message: "nothing", changed: [] });
});

test(
  "a history of more commits than are looked at together comes whole, the newest first, and ends at a date",
  DEEP,
  () => {
    using folder = repository();
    const lines = Array.from({ length: 450 }, (_, i) => {
      return `commit refs/heads/main\ncommitter T <t@a.b> ${1_700_000_000 + i} +0000\ndata 5\nfix ${i % 10}\nM 644 inline a.py\ndata 3\n${100 + i}\n`;
    });
    folder.git(["fast-import", "--quiet"], lines.join(""));
    folder.git(["symbolic-ref", "HEAD", "refs/heads/main"]);
    const asked = folder.git(["rev-list", "--max-parents=1", "--min-parents=1", "HEAD"]).split("\n");
    expect([...gitCommits(folder.repository)].map(({ sha }) => sha)).toEqual(asked);
    const since = new Date(1_700_000_440_000);
    expect([...gitCommits(folder.repository, { since })].map(({ sha }) => sha)).toEqual(asked.slice(0, 10));
  },
);
