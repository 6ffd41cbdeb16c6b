import { execFileSync, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { DEEP } from "../../testing/repeats.ts";
import { UserError } from "../data/errors.ts";
import { ForeignFileError, readForeign, readForeignText, readNamedText, tryForeignText } from "./foreign_file.ts";
import { isFolder, statOf } from "./stat.ts";
import { insidePath, openInside, replaceInside } from "./write_inside.ts";

const SECRET = "the key of the user\n";

function made() {
  const outer = temporaryFolder();
  const root = join(outer.path, "project");
  const at = (name: string) => join(root, name);
  mkdirSync(root);
  writeFileSync(join(outer.path, "secret"), SECRET);
  return Object.assign(outer, { root, at, secret: join(outer.path, "secret") });
}

/** The problem that is reported for the file. */
function refused(root: string, name: string, mostBytes?: number): string {
  const found = tryForeignText(root, name, mostBytes);
  if (found.text !== null) throw new Error(`it was read: ${found.text.slice(0, 100)}`);
  expect(found.problem).toBeInstanceOf(UserError);
  expect(found.problem.message).not.toContain("key of");
  return found.problem.message;
}

test("a plain file is read, by its name and by its whole path, also where the root is a link", () => {
  using folder = made();
  writeFileSync(folder.at("a.py"), "x = 1\n");
  symlinkSync(folder.root, join(folder.path, "linked"));
  expect(readForeignText(folder.root, "a.py")).toBe("x = 1\n");
  expect(readForeignText(folder.root, folder.at("a.py"))).toBe("x = 1\n");
  expect(readForeignText(join(folder.path, "linked"), "./a.py")).toBe("x = 1\n");
  expect([...readForeign(folder.root, "a.py")]).toEqual([...Buffer.from("x = 1\n")]);
});

test("links within the root are followed; those that lead out are not, whichever part of the path they are", () => {
  using folder = made();
  mkdirSync(folder.at("src"));
  writeFileSync(folder.at("src/a.py"), "x = 1\n");
  symlinkSync("src", folder.at("lib"));
  symlinkSync("../secret", folder.at("package.json"));
  symlinkSync(folder.path, folder.at("up"));
  symlinkSync("package.json", folder.at("twice"));
  expect(readForeignText(folder.root, "lib/a.py")).toBe("x = 1\n");
  for (const name of ["package.json", "up/secret", "lib/../up/secret", "twice", "../secret", folder.secret])
    expect(refused(folder.root, name)).toMatch(/secret|package\.json|twice/);
  expect(refused(folder.root, "package.json")).toBe(
    `${folder.at("package.json")} leads out of ${folder.root}, so it is not read.`,
  );
});

test("a folder whose name begins like the root's is not the root", () => {
  using folder = made();
  mkdirSync(`${folder.root}_private`);
  writeFileSync(`${folder.root}_private/a.py`, SECRET);
  symlinkSync(`${folder.root}_private`, folder.at("a"));
  expect(refused(folder.root, "a/a.py")).toContain("leads out of");
});

test("pipes, sockets, devices and folders are named and not opened", async () => {
  using folder = made();
  execFileSync("mkfifo", [folder.at("pipe")]);
  mkdirSync(folder.at("folder"));
  const server = createServer();
  await new Promise<void>((done) => server.listen(folder.at("socket"), done));
  symlinkSync("/dev/zero", folder.at("zero"));
  expect(refused(folder.root, "pipe")).toBe(`${folder.at("pipe")} is a pipe; a file is needed.`);
  expect(refused(folder.root, "socket")).toContain("is a socket; a file is needed.");
  expect(refused(folder.root, "folder")).toContain("is a folder; a file is needed.");
  expect(refused(folder.root, "zero")).toContain("leads out of");
  expect(refused("/dev", "zero")).toBe("/dev/zero is a device; a file is needed.");
  await new Promise((done) => server.close(done));
});

test("no more than the limit is read, also of a file that says that it is empty", () => {
  using folder = made();
  writeFileSync(folder.at("ten"), "0123456789");
  writeFileSync(folder.at("sparse"), "");
  truncateSync(folder.at("sparse"), 2 ** 40);
  expect(readForeignText(folder.root, "ten", 10)).toBe("0123456789");
  expect(refused(folder.root, "ten", 9)).toContain("is larger than");
  expect(refused(folder.root, "sparse")).toBe(`${folder.at("sparse")} is larger than 64 MB, so it is not read.`);
  expect(readForeignText("/proc/self", "status")).toContain("Name:");
  expect(refused("/proc/self", "status", 20)).toContain("is larger than");
});

test("a missing file has another problem than one that must not be read", () => {
  using folder = made();
  writeFileSync(folder.at("a.py"), "x = 1\n");
  symlinkSync("nothing", folder.at("dangling"));
  symlinkSync("loop", folder.at("loop"));
  const isMissing = (name: string) => {
    const found = tryForeignText(folder.root, name);
    return found.text === null && found.problem.isMissing;
  };
  expect(["b.py", "a.py/b.py", "dangling", "no/folder"].map(isMissing)).toEqual([true, true, true, true]);
  expect(["loop", "a\0b", "n".repeat(5000)].map(isMissing)).toEqual([false, false, false]);
  expect(refused(folder.root, "loop")).toContain("is a link that leads to itself.");
  expect(refused(folder.root, "n".repeat(5000)).length).toBeLessThan(400);
  expect(() => readForeign(join(folder.path, "no root"), "a.py")).toThrow(ForeignFileError);
});

test("a name cannot drive the terminal", () => {
  using folder = made();
  const said = refused(folder.root, "\x1b[2Ja\nb");
  for (const char of ["\x1b", "\n"]) expect(said).not.toContain(char);
});

test("nothing is written through a link, to a second name, or to anything but a file", () => {
  using folder = made();
  symlinkSync(folder.secret, folder.at("report.html"));
  symlinkSync(folder.path, folder.at("trajectories"));
  symlinkSync("nowhere", folder.at("dangling"));
  execFileSync("mkfifo", [folder.at("pipe")]);
  linkSync(folder.secret, folder.at("lock"));
  for (const name of ["report.html", "trajectories/secret", "dangling", "../secret"]) {
    expect(() => replaceInside(folder.root, name, "lost")).toThrow(/is a link|does not lie in/);
    expect(() => openInside(folder.root, name)).toThrow(/is a link|does not lie in/);
  }
  expect(() => insidePath(folder.root, "trajectories")).toThrow("is a link");
  expect(() => openInside(folder.root, "pipe")).toThrow("is of another kind");
  expect(() => openInside(folder.root, "lock")).toThrow("is a second name of another file");
  expect(readFileSync(folder.secret, "utf8")).toBe(SECRET);
});

test("a file that is replaced takes the place of a second name, and no draft leads elsewhere", () => {
  using folder = made();
  linkSync(folder.secret, folder.at("page"));
  symlinkSync(folder.secret, `${folder.at("page")}.${process.pid}.tmp`);
  replaceInside(folder.root, "page", "new");
  expect(readFileSync(folder.at("page"), "utf8")).toBe("new");
  expect(readFileSync(folder.secret, "utf8")).toBe(SECRET);
  expect(dirname(insidePath(folder.root, folder.at("page")))).toBe(folder.root);
});

test(
  "a file that the user named may be a link or a pipe of the shell, and not a pipe that may never be written",
  DEEP,
  () => {
    using folder = made();
    writeFileSync(folder.at("a.jsonl"), "1\n");
    symlinkSync(folder.secret, folder.at("linked"));
    symlinkSync("loop", folder.at("loop"));
    execFileSync("mkfifo", [folder.at("pipe")]);
    expect(readNamedText(folder.at("a.jsonl"))).toBe("1\n");
    expect(readNamedText(folder.at("linked"))).toBe(SECRET);
    expect(() => readNamedText(folder.at("pipe"))).toThrow(`${folder.at("pipe")} is a pipe; a file is needed.`);
    expect(() => readNamedText("/dev/zero")).toThrow("/dev/zero is a device; a file is needed.");
    expect(() => readNamedText(folder.at("loop"))).toThrow("is a link that leads to itself.");
    expect(() => readNamedText(folder.at("a.jsonl"), 1)).toThrow("is larger than");
    const module = fileURLToPath(new URL("./foreign_file.ts", import.meta.url));
    const script = `import("${module}").then(({ readNamedText }) => console.log(readNamedText(process.argv[1], 1000)))`;
    const shell = (words: string) =>
      spawnSync("bash", ["-c", `"$NODE" --import tsx -e '${script}' ${words}`], {
        encoding: "utf8",
        cwd: fileURLToPath(new URL("../../../", import.meta.url)),
        env: { ...process.env, NODE: process.execPath },
      });
    expect(shell("<(echo from the shell)").stdout).toBe("from the shell\n\n");
    expect(shell("<(yes)").stderr).toContain("is larger than");
  },
);

test("there is nothing where a path cannot lead", () => {
  using folder = made();
  symlinkSync("loop", folder.at("loop"));
  const paths = ["loop", "loop/x", "n".repeat(300), "nothing/x", "../secret/x"].map(folder.at);
  expect(paths.map(statOf)).toEqual([null, null, null, null, null]);
  expect([folder.root, folder.secret, folder.at("loop")].map(isFolder)).toEqual([true, false, false]);
});
