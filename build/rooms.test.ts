/** The rooms of the house: imports go one way, `agent/` is what an agent runs; a folder and a line can be read at once. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listedFiles } from "../agent/process/improve_prompts.ts";
import { git } from "../utils/git/git.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FILES = git(ROOT, ["ls-files"])
  .split("\n")
  .filter((file) => existsSync(join(ROOT, file)));
const MODULES = FILES.filter((file) => /\.tsx?$/.test(file));
const isOfTests = (file: string) => /\.test\.tsx?$|_test\.py$|(?:^|\/)(?:testing|fixtures|hostile)\//.test(file);

/** The lowest first: a room imports from itself and from those before it. */
const FLOORS = ["utils", "agent", "fix", "eval"];
const floorOf = (file: string) => FLOORS.indexOf(file.split("/")[0] ?? "");
const isProduct = (file: string) => (floorOf(file) !== -1 || file.startsWith("build/")) && !isOfTests(file);

test("a line of product code has at most 120 characters, in strings and comments too", () => {
  const long = FILES.filter((file) => isProduct(file) && /\.(?:tsx?|[cm]?js|py)$/.test(file)).flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, at) => ([...line].length > 120 ? [`${file}:${at + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

test("no product code touches a private name of LangChain or LangGraph, patches a library, or sets flags of V8", () => {
  const isPrivate =
    /__pregel|["'`]lc:|\.getNode\s*=|^\s*[A-Z]\w*\.prototype\.\w+\s*=[^=]|setFlagsFromString|[cC]achedData/m;
  const touching = FILES.filter((file) => isProduct(file) && /\.tsx?$/.test(file)).filter((file) =>
    isPrivate.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(touching).toEqual([]);
});

/** Modules of the project that a file imports, for their types too. */
function importsOf(file: string): string[] {
  const named = readFileSync(join(ROOT, file), "utf8").matchAll(/(?:\bfrom\s+|\bimport\(\s*|^import\s+)"(\.[^"]+)"/gm);
  return [...named].map(([, path = ""]) => normalize(join(dirname(file), path)));
}

test("imports go one way, in tests too", () => {
  const upward = MODULES.filter((file) => floorOf(file) !== -1).flatMap((file) =>
    importsOf(file)
      .filter((imported) => floorOf(imported) === -1 || floorOf(imported) > floorOf(file))
      .map((imported) => `${file} → ${imported}`),
  );
  expect(upward).toEqual([]);
});

test("agent/ is exactly what an agent runs: everything in it is reached from its main file", () => {
  const reached = new Set<string>();
  const left = ["agent/main.ts"];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    left.push(...importsOf(file));
  }
  const unreached = MODULES.filter((file) => file.startsWith("agent/") && !isOfTests(file) && !reached.has(file));
  expect(unreached).toEqual([]);
});

test("an editor's first prompt lists at most 80 files", () => {
  expect(listedFiles(FILES).length).toBeLessThanOrEqual(80);
});

/** What is left of arrows where ends and beginnings are taken away again and again: circles, and what lies between two. */
function circlesIn(arrows: ReadonlyMap<string, Iterable<string>>): string[] {
  const left = new Map([...arrows].map(([from, to]) => [from, [...to].filter((one) => one !== from)]));
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    const named = new Set([...left.values()].flat());
    for (const [from, to] of left) if (!named.has(from) || !to.some((one) => left.has(one))) left.delete(from);
  }
  return [...left.keys()];
}

test("no file imports from one that imports from it, by way of others too", () => {
  const own = MODULES.filter((file) => !isOfTests(file));
  expect(circlesIn(new Map(own.map((file) => [file, importsOf(file)])))).toEqual([]);
});

/**
 * The rooms of a floor and, for each, the rooms that it imports from. A room is a folder; the files beside the folders
 * are one more, and those of them that no file of the floor imports (entry points) another.
 */
function roomsOf(floor: string): Map<string, Set<string>> {
  const files = MODULES.filter((one) => one.startsWith(`${floor}/`) && !isOfTests(one));
  const imported = new Set(files.flatMap(importsOf));
  const roomOf = (file: string) =>
    file.split("/").length > 2 ? file.split("/")[1] : imported.has(file) ? "" : "start";
  const rooms = new Map(files.map((file) => [roomOf(file) ?? "", new Set<string>()]));
  for (const file of files)
    for (const other of importsOf(file).filter((one) => one.startsWith(`${floor}/`) && !isOfTests(one)))
      if (roomOf(other) !== roomOf(file)) rooms.get(roomOf(file) ?? "")?.add(roomOf(other) ?? "");
  return rooms;
}

test.each(FLOORS)("%s: no room imports, by way of others, from one that imports from it", (floor) => {
  expect(circlesIn(roomsOf(floor))).toEqual([]);
});

test.each(FLOORS)("%s: arrows between rooms are fewer than two a room", (floor) => {
  const rooms = roomsOf(floor);
  const arrows = [...rooms.values()].reduce((sum, named) => sum + named.size, 0);
  expect(arrows).toBeLessThan(2 * rooms.size);
});

test("a folder has at most 15 files beside its tests", () => {
  const sizes = new Map<string, number>();
  for (const file of FILES.filter((one) => floorOf(one) !== -1 && !isOfTests(one) && !one.endsWith(".md")))
    sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  expect([...sizes].filter(([, size]) => size > 15)).toEqual([]);
});
