import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isInMemory, MEMORY, placeBeside, placeFor } from "./memory_place.ts";

const TMPDIR = process.env.TMPDIR;
beforeEach(() => {
  delete process.env.TMPDIR;
});
afterEach(() => {
  if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
});

const GB = 1024 ** 3;
const SMALL = { files: 5000, bytes: 10_000_000 };
const ROOM = { bytes: 8 * GB, entries: 1e6, machineBytes: 16 * GB };

test.each<[string, typeof SMALL, typeof ROOM | null, "memory" | "disk"]>([
  ["a small tree where there is room", SMALL, ROOM, "memory"],
  ["a tree of 200 MB", { files: 10, bytes: 200_000_000 }, ROOM, "disk"],
  ["a tree of 40,000 files", { files: 40_000, bytes: 1_000_000 }, ROOM, "disk"],
  ["the 64 MB that a container of Docker has", SMALL, { ...ROOM, bytes: 64 * 1024 ** 2 }, "disk"],
  ["a machine, or a limit, with 4 GB left", SMALL, { ...ROOM, machineBytes: 4 * GB }, "disk"],
  ["few files left", SMALL, { ...ROOM, entries: 100_000 }, "disk"],
  ["no file system in memory from which programs run", SMALL, null, "disk"],
])("%s", (_, tree, room, where) => {
  expect(placeFor(tree, room)).toBe(where === "memory" ? MEMORY : tmpdir());
});

test("where a user has said where temporary folders go, copies go there", () => {
  process.env.TMPDIR = "/var/tmp";
  expect(placeFor(SMALL)).toBe("/var/tmp");
  process.env.TMPDIR = MEMORY;
  expect(placeFor(SMALL)).toBe(MEMORY);
  expect(isInMemory(`${MEMORY}/mend-temporary-x/base`)).toBe(false);
});

test("more copies of a tree are made beside it", () => {
  expect(placeBeside(`${MEMORY}/mend-temporary-x/base`)).toBe(MEMORY);
  expect(placeBeside("/home/of/somebody")).toBe(tmpdir());
});
