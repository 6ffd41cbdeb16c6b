import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { fillFromCache } from "./compiled_parts.ts";

function kept() {
  const { path } = temporaryFolder();
  const place = join(path, "cache");
  let [made, filled] = [0, 0];
  /** What a new folder holds after it was filled. */
  const fill = async (madeOf: unknown[] = ["1.0"], text = "compiled") => {
    const folder = join(path, String(filled++));
    mkdirSync(folder);
    const make = async () => {
      made++;
      mkdirSync(join(folder, "own"));
      writeFileSync(join(folder, "own", "part.o"), text);
    };
    await fillFromCache({ name: "cpp", madeOf }, folder, make, place);
    expect(readdirSync(folder)).toEqual(["own"]);
    expect(statSync(join(folder, "own")).mode & 0o777).toBe(0o755);
    return readFileSync(join(folder, "own", "part.o"), "utf8");
  };
  const all = join(place, "cpp");
  const only = () => join(all, readdirSync(all)[0] ?? "", "own", "part.o");
  return { fill, made: () => made, place, all, only };
}

test("what was made is taken the next time, and made anew for another compiler", async () => {
  const { fill, made, place } = kept();
  expect([await fill(), await fill(), made()]).toEqual(["compiled", "compiled", 1]);
  expect([await fill(["1.1"], "otherwise"), made()]).toEqual(["otherwise", 2]);
  expect([await fill(), made()]).toEqual(["compiled", 2]);
  // Other users cannot read it.
  expect(statSync(join(place, "cpp")).mode & 0o777).toBe(0o700);
});

test("what is damaged or not whole is made anew", async () => {
  const { fill, made, only } = kept();
  await fill();
  writeFileSync(only(), "cOmpiled");
  expect([await fill(), made()]).toEqual(["compiled", 2]);
  writeFileSync(only(), "");
  expect([await fill(), made()]).toEqual(["compiled", 3]);
  writeFileSync(join(only(), "../../sums.json"), "{");
  expect([await fill(), await fill(), made()]).toEqual(["compiled", "compiled", 4]);
  // Nothing is taken from elsewhere, nor put there.
  const sum = createHash("sha256").update("compiled").digest("hex");
  writeFileSync(join(only(), "../../part.o"), "compiled");
  writeFileSync(join(only(), "../../sums.json"), JSON.stringify({ "own/../part.o": sum }));
  expect([await fill(), made()]).toEqual(["compiled", 5]);
});

test("only the newest are kept, and where nothing can be kept all is made", async () => {
  const { fill, made, all, place } = kept();
  for (const version of ["1", "2", "3", "4", "5"]) await fill([version], version);
  expect(readdirSync(all)).toHaveLength(3);
  expect([await fill(["1"], "1"), made()]).toEqual(["1", 6]);
  const file = kept();
  writeFileSync(file.place, "");
  expect([await file.fill(), await file.fill(), file.made()]).toEqual(["compiled", "compiled", 2]);
  expect(existsSync(place)).toBe(true);
});

test("what cannot be made is not kept", async () => {
  const { fill, made, place } = kept();
  const refuse = fillFromCache(
    { name: "cpp", madeOf: ["1.0"] },
    place,
    () => Promise.reject(new Error("no compiler")),
    place,
  );
  await expect(refuse).rejects.toThrow("no compiler");
  expect([await fill(), made()]).toEqual(["compiled", 1]);
});
