import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { mountSmallDisk } from "../../testing/small_disk.ts";
import { requireWritable, writeNamed } from "./users_file.ts";

test("a read-only file is refused, by root too", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.py");
  writeFileSync(file, "old\n");
  expect(() => requireWritable(file)).not.toThrow();
  chmodSync(file, 0o444);
  expect(() => requireWritable(file)).toThrow("is read-only");
});

test("a file is replaced through links, and keeps its rights", () => {
  using folder = temporaryFolder();
  const [file, link] = [join(folder.path, "a"), join(folder.path, "link")];
  writeFileSync(file, "old", { mode: 0o640 });
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  writeNamed(link, "new");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o640]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  writeNamed(join(folder.path, "fresh"), "x");
  expect(() => writeNamed(join(folder.path, "absent/b"), "x")).toThrow("there is no such folder");
  expect(readdirSync(folder.path).sort()).toEqual(["a", "fresh", "link"]);
});

test("a full disk leaves the old file", (context) => {
  using disk = mountSmallDisk(256);
  if (!disk) return context.skip("no file system can be mounted here");
  const file = join(disk.path, "out");
  writeNamed(file, "old");
  disk.fill(8192);
  expect(() => writeNamed(file, "x".repeat(100_000))).toThrow(/out cannot be written: /);
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(disk.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
