import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { DEEP } from "../../testing/repeats.ts";
import { nameProblem } from "./names.ts";
import { patchBetween } from "./trees.ts";

const spellings = [
  ".git",
  ".GIT",
  ".Git",
  "git~1",
  "GIT~2",
  ".g\u200cit",
  "\ufeff.git",
  ".git ",
  ".git.",
  ".git. . ",
].concat([".git::$INDEX_ALLOCATION", ".git:stream", ".ｇｉｔ", ".g\u00adit"]);
const toldGit = [
  ".gitmodules",
  ".GitModules",
  "GITMOD~1",
  "gi7eba~1",
  ".gitattributes",
  ".gitattributes.",
  "sub/.gitmodules",
];
const controls = [
  "a\nb",
  "a\r.py",
  "a\tb",
  "a\u0000b",
  "a\u001b[2J",
  "a\u007fb",
  "a\u0085b",
  "a\u2028b",
  "py\u202etxt",
];
const noPaths = ["", "/etc/passwd", "a//b", "./a", "a/../b", "a/", "x".repeat(256), "é".repeat(200), "a/".repeat(2500)];

test.each([
  ...spellings.flatMap((name) => [
    name,
    `${name}/config`,
    `src/${name}`,
    `src/${name}/hooks/x`,
    `src\\${name}\\config`,
  ]),
  ...toldGit,
  ...controls,
  ...noPaths,
  "lone\ud800",
  "not UTF-8 \ufffd",
])("no change has the name %j", (name) => {
  expect(nameProblem(name)).not.toBeNull();
});

/** As people name files. */
const honest = [
  ".gitignore",
  ".github/x.py",
  "git.py",
  "src/git/x.py",
  "a.git/b.py",
  ".gitkeep",
  "gitmodules.py",
  "git~/x.py",
].concat(
  [
    "with blank.py",
    " lead.py",
    "it's.py",
    'say "hi".py',
    "back\\slash.py",
    "größe.py",
    "日本.py",
    "emoji😀.py",
    "a:b.py",
  ],
  ["-dash.py", "--- a.py", "b => c.py", "{x}.py", "$(x).py", "`x`.py", "#.py", 'a/b c/d"e.py', "x".repeat(255)],
);

test.each(honest)("honest: %j", (name) => {
  expect(nameProblem(name)).toBeNull();
});

describe("a patch", () => {
  const repository = () => {
    const folder = temporaryFolder();
    execFileSync("git", ["init", "-q"], { cwd: folder.path });
    return folder;
  };
  const apply = (cwd: string, patch: string, ...words: string[]) =>
    spawnSync("git", ["apply", ...words], { cwd, input: patch, encoding: "utf8" });

  test.each(["in a repository", "in a folder without one"])(
    "of files with odd names is applied by git %s",
    DEEP,
    (place) => {
      using folder = place === "in a repository" ? repository() : temporaryFolder();
      for (const name of honest) {
        mkdirSync(dirname(join(folder.path, name)), { recursive: true });
        writeFileSync(join(folder.path, name), `old ${name}\n`);
      }
      const file = (text: string) => ({ text, mode: "100644" as const });
      const changes = honest.map((name) => ({
        file: name,
        before: file(`old ${name}\n`),
        after: file(`new ${name}\n`),
      }));
      const ran = apply(folder.path, patchBetween(changes));
      expect(ran.stderr).toBe("");
      const texts = honest.map((name) => execFileSync("cat", ["--", name], { cwd: folder.path, encoding: "utf8" }));
      expect(texts).toEqual(honest.map((name) => `new ${name}\n`));
    },
  );

  test.each([
    ["CRLF", "a\r\nb\r\n", "a\r\nc\r\n"],
    ["mixed line ends", "a\r\nb\n\rc\r", "a\nb\r\n\rd\r"],
    ["no newline at the end", "a\nb", "a\nc"],
    ["a newline at the end that was not there", "a", "a\n"],
    ["what becomes empty", "a\n", ""],
    ["what was empty", "", "a\n"],
    ["a new empty file", null, ""],
    ["a new file", null, "a\n"],
    ["an empty file that goes", "", null],
    ["a file that goes", "a", null],
    ["a byte order mark and NUL", "\ufeffa\0\n", "\ufeffb\0\n"],
    ["lines that look like those of a patch", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n", "diff --git a/y b/y\n--- a/x\n-- \n"],
    ["form feed and U+2028", "a\fb\u2028c\n", "a\fb\u2028d\n"],
  ])("of %s gives the same bytes", DEEP, (_, before, after) => {
    using folder = repository();
    const path = join(folder.path, "x.txt");
    if (before !== null) writeFileSync(path, before);
    const file = (text: string | null) => (text === null ? null : { text, mode: "100644" as const });
    const patch = patchBetween([{ file: "x.txt", before: file(before), after: file(after) }]);
    expect(apply(folder.path, patch, "--whitespace=nowarn").stderr).toBe("");
    const shown = spawnSync("cat", ["x.txt"], { cwd: folder.path });
    if (after === null) expect(shown.status).toBe(1);
    else expect(shown.stdout.equals(Buffer.from(after))).toBe(true);
  });

  test("of what may be executed says so", () => {
    using folder = repository();
    writeFileSync(join(folder.path, "run"), "a\n", { mode: 0o644 });
    const patch = patchBetween([
      { file: "run", before: { text: "a\n", mode: "100644" }, after: { text: "a\n", mode: "100755" } },
    ]);
    expect(apply(folder.path, patch).stderr).toBe("");
    expect(execFileSync("stat", ["-c", "%a", "run"], { cwd: folder.path, encoding: "utf8" })).toBe("755\n");
  });

  test("holds no file with another name", () => {
    const file = { text: "", mode: "100644" as const };
    for (const name of [".git", "a/.GIT/config", "git~1", "../x", "/x"])
      expect(() => patchBetween([{ file: name, before: null, after: file }]), name).toThrow("is refused");
  });
});
