import { copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { mountSmallDisk } from "../../testing/small_disk.ts";
import { messageOf, refusedWrite, UserError } from "./errors.ts";

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return refusedWrite(error);
  }
  throw new Error("nothing was thrown");
}

test("on a full disk the file is named that cannot be written, not the one that is read", (context) => {
  using disk = mountSmallDisk(64);
  if (!disk) return context.skip();
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "agent"));
  writeFileSync(join(folder.path, "agent/main.ts"), Buffer.alloc(200_000, 1));
  const source = join(folder.path, "agent/main.ts");
  const copied = thrownBy(() => copyFileSync(source, join(disk.path, "copy.ts")));
  const tree = thrownBy(() => cpSync(join(folder.path, "agent"), join(disk.path, "seed"), { recursive: true }));
  for (const error of [copied, tree]) expect(error).toBeInstanceOf(UserError);
  expect(messageOf(copied)).toBe(`${join(disk.path, "copy.ts")} cannot be written: the disk is full.`);
  expect(messageOf(tree)).toBe(`${join(disk.path, "seed/main.ts")} cannot be written: the disk is full.`);
});

test("a name that is too long, or a link that leads to itself, is a sentence", () => {
  using folder = temporaryFolder();
  const long = join(folder.path, "n".repeat(300));
  const error = thrownBy(() => mkdirSync(long));
  expect(error).toBeInstanceOf(UserError);
  expect(messageOf(error)).toContain("the name is longer than names of files may be");
});
