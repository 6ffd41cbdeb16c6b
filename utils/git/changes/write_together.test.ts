import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { DEEP } from "../../testing/repeats.ts";
import { type UsersChange, writeTogether } from "./write_together.ts";

const TSX = fileURLToPath(import.meta.resolve("tsx"));

function made() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at("a.py"), "old\n");
  return Object.assign(folder, { at });
}
const replaced = (path: string, before: string, after: string) => writeTogether([{ path, before, after }]);
const git = (cwd: string, ...args: string[]) =>
  spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8" });

test("the original stays beside the file, and an earlier copy stays too", async () => {
  using folder = made();
  writeFileSync(folder.at("a.py.orig"), "older\n");
  expect(await replaced(folder.at("a.py"), "old\n", "new\n")).toEqual([folder.at("a.py.orig.1")]);
  expect(readFileSync(folder.at("a.py"), "utf8")).toBe("new\n");
  expect(readFileSync(folder.at("a.py.orig.1"), "utf8")).toBe("old\n");
  expect(readFileSync(folder.at("a.py.orig"), "utf8")).toBe("older\n");
});

test("no copy where git has the file as it was, one where it has another", async () => {
  using folder = made();
  git(folder.path, "init", "-q");
  git(folder.path, "add", ".");
  git(folder.path, "commit", "-qm", "first");
  expect(await replaced(folder.at("a.py"), "old\n", "new\n")).toEqual([]);
  expect(await replaced(folder.at("a.py"), "new\n", "newer\n")).toEqual([folder.at("a.py.orig")]);
});

test("the filters that a repository names are not started", async () => {
  using folder = made();
  writeFileSync(folder.at(".gitattributes"), "* filter=own\n");
  git(folder.path, "init", "-q");
  git(folder.path, "add", ".");
  git(folder.path, "commit", "-qm", "first");
  const started = folder.at("started");
  git(folder.path, "config", "filter.own.clean", `echo x >> ${started}; cat`);
  // git looks into a file whose time is another.
  utimesSync(folder.at("a.py"), 1, 1);
  expect(await replaced(folder.at("a.py"), "old\n", "new\n")).toEqual([]);
  expect(existsSync(started)).toBe(false);
  git(folder.path, "status");
  expect(existsSync(started), "git alone starts them").toBe(true);
});

test("a file that changed meanwhile stays as it is", async () => {
  using folder = made();
  writeFileSync(folder.at("a.py"), "by hand\n");
  await expect(replaced(folder.at("a.py"), "old\n", "new\n")).rejects.toThrow("changed while it was being repaired");
  expect(readFileSync(folder.at("a.py"), "utf8")).toBe("by hand\n");
  expect(existsSync(folder.at("a.py.orig"))).toBe(false);
});

test("mode and owner stay", async () => {
  using folder = made();
  chmodSync(folder.at("a.py"), 0o754);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder.at("a.py"), 1234, 1235);
  await replaced(folder.at("a.py"), "old\n", "new\n");
  const { mode, uid, gid } = statSync(folder.at("a.py"));
  expect(mode & 0o777).toBe(0o754);
  if (isRoot) expect([uid, gid]).toEqual([1234, 1235]);
  expect(readFileSync(folder.at("a.py"), "utf8")).toBe("new\n");
});

test("a read-only file is refused, by root too", async () => {
  using folder = made();
  chmodSync(folder.at("a.py"), 0o444);
  await expect(replaced(folder.at("a.py"), "old\n", "new\n")).rejects.toThrow("is read-only");
  expect(readFileSync(folder.at("a.py"), "utf8")).toBe("old\n");
});

describe("several files: all of them or none", () => {
  /** All that is below a folder, with what it holds. */
  const contents = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => [name, lstatSync(join(folder, name))] as const)
        .map(([name, found]) => [name, found.isFile() ? readFileSync(join(folder, name), "utf8") : "not a file"]),
    );
  const several = (at: (name: string) => string): UsersChange[] => [
    { path: at("a.py"), before: "old\n", after: "new\n" },
    { path: at("gone.py"), before: "gone\n", after: null },
    { path: at("made/of/new.py"), before: null, after: "made\n", executable: true },
  ];
  const madeSeveral = () => {
    const folder = made();
    writeFileSync(folder.at("gone.py"), "gone\n");
    return folder;
  };

  test("where nothing is in the way, all", async () => {
    using folder = madeSeveral();
    const backups = await writeTogether(several(folder.at));
    expect(backups).toEqual([folder.at("a.py.orig"), folder.at("gone.py.orig")]);
    expect(contents(folder.path)).toEqual({
      "a.py": "new\n",
      "a.py.orig": "old\n",
      "gone.py.orig": "gone\n",
      made: "not a file",
      "made/of": "not a file",
      "made/of/new.py": "made\n",
    });
    expect(statSync(folder.at("made/of/new.py")).mode & 0o100).toBe(0o100);
  });

  type At = (name: string) => string;
  type InTheWay = [name: string, put: (at: At) => UsersChange, says: RegExp];
  const over = (put: (path: string) => void) => (at: At) => {
    put(at("b.py"));
    return { path: at("b.py"), before: null, after: "" };
  };
  const belowNothing = (at: At) => {
    symlinkSync("/nowhere/x", at("b"));
    return { path: at("b/b.py"), before: null, after: "" };
  };
  test.each<InTheWay>([
    ["a file", over((path) => writeFileSync(path, "")), /changed while/],
    ["a folder", over((path) => mkdirSync(path)), /changed while/],
    ["a link", over((path) => symlinkSync("x", path)), /changed while/],
    ["a file in place of a folder", (at) => ({ path: at("a.py/b.py"), before: null, after: "" }), /cannot be written/],
    [
      "a link that leads nowhere, in place of a folder",
      belowNothing,
      /cannot be written: a folder on the way to it is gone, or a link/,
    ],
    [
      "a name that is too long",
      (at) => ({ path: at("b".repeat(300)), before: null, after: "" }),
      /cannot be written: .*longer/,
    ],
    [
      "a file that appears after the look: another change of the same name stands for it",
      (at) => ({ path: at("made/of/new.py"), before: null, after: "another" }),
      /is there already/,
    ],
    ["a file that is gone", (at) => ({ path: at("b.py"), before: "b", after: "c" }), /changed while/],
  ])("%s in the way: none, with a sentence", async (_, put, says) => {
    using folder = madeSeveral();
    const changes = [...several(folder.at), put(folder.at)];
    const before = contents(folder.path);
    await expect(writeTogether(changes)).rejects.toThrow(says);
    await expect(writeTogether(changes)).rejects.toThrow(/Nothing was written\.$/);
    expect(contents(folder.path)).toEqual(before);
  });

  test("a full disk: none", DEEP, async ({ skip }) => {
    // A file system of its own, as small as the box of bubblewrap makes it.
    const script = `
      import { writeTogether } from ${JSON.stringify(new URL("./write_together.ts", import.meta.url).href)};
      import { readdirSync, readFileSync, writeFileSync } from "node:fs";
      writeFileSync("/tmp/small/a.py", "old");
      try {
        await writeTogether([
          { path: "/tmp/small/a.py", before: "old", after: "new" },
          { path: "/tmp/small/b.py", before: null, after: "b".repeat(1_000_000) },
        ]);
      } catch (error) {
        console.log(error.message, readdirSync("/tmp/small").join(), readFileSync("/tmp/small/a.py", "utf8"));
      }`;
    const box = ["--dev-bind", "/", "/", "--size", "65536", "--tmpfs", "/tmp/small", "--"];
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "full.mts"), script);
    mkdirSync("/tmp/small", { recursive: true });
    if (spawnSync("bwrap", [...box, "true"]).status !== 0) return skip("bubblewrap makes no small file system here");
    const words = [process.execPath, "--import", TSX, join(folder.path, "full.mts")];
    const ran = spawnSync("bwrap", [...box, ...words], { encoding: "utf8" });
    expect(ran.stdout, ran.stderr).toBe(
      "/tmp/small/b.py cannot be written: the disk is full. Nothing was written. a.py old\n",
    );
  });

  test("what a killed process left goes with the next change, but for an original that is nowhere else", async () => {
    using folder = madeSeveral();
    const gone = spawnSync("true").pid;
    const left = (pid: number, ending: string) => folder.at(`.mend-${pid}-0123abcd-0.${ending}`);
    writeFileSync(left(gone, "new"), "half");
    linkSync(folder.at("gone.py"), left(gone, "old"));
    writeFileSync(folder.at(`.mend-${gone}-0123abcd-1.old`), "the only one");
    writeFileSync(left(1, "new"), "of one that runs");
    await replaced(folder.at("a.py"), "old\n", "new\n");
    expect(readdirSync(folder.path).filter((name) => name.startsWith(".mend-"))).toEqual([
      ".mend-1-0123abcd-0.new",
      `.mend-${gone}-0123abcd-1.old`,
    ]);
  });

  test("killed at any moment: no file is half, and the next change is made", DEEP, async () => {
    using folder = madeSeveral();
    const script = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      let left = Number(process.argv[2]);
      for (const name of ["writeFileSync", "linkSync", "renameSync", "rmSync", "mkdirSync", "copyFileSync"]) {
        const real = fs[name];
        fs[name] = (...given) => {
          if (left-- <= 0) process.kill(process.pid, "SIGKILL");
          return real(...given);
        };
      }
      syncBuiltinESMExports();
      const { writeTogether } = await import(${JSON.stringify(new URL("./write_together.ts", import.meta.url).href)});
      await writeTogether(JSON.parse(process.argv[3]));`;
    writeFileSync(folder.at("killed.mts"), script);
    const words = ["--import", TSX, folder.at("killed.mts")];
    for (const steps of [5, 9]) {
      writeFileSync(folder.at("a.py"), "old\n");
      writeFileSync(folder.at("gone.py"), "gone\n");
      const changes = JSON.stringify(several(folder.at).slice(0, 2));
      const ran = spawnSync(process.execPath, [...words, String(steps), changes], { encoding: "utf8" });
      expect(ran.signal, `${steps}: ${ran.stderr}`).toBe("SIGKILL");
      expect(["old\n", "new\n"]).toContain(readFileSync(folder.at("a.py"), "utf8"));
    }
    const now = readFileSync(folder.at("a.py"), "utf8");
    await replaced(folder.at("a.py"), now, "newest\n");
    expect(readFileSync(folder.at("a.py"), "utf8")).toBe("newest\n");
    expect(readdirSync(folder.path).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  test("a signal in the middle is heard when all are written", async () => {
    using folder = madeSeveral();
    const heard: string[] = [];
    const listen = () => heard.push(readFileSync(folder.at("a.py"), "utf8"));
    process.once("SIGINT", listen);
    const writing = writeTogether(several(folder.at));
    process.kill(process.pid, "SIGINT");
    await writing;
    process.off("SIGINT", listen);
    expect(heard).toEqual(["new\n"]);
    expect(existsSync(folder.at("gone.py"))).toBe(false);
  });
});
