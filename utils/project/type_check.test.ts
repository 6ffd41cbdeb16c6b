import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/command.ts";
import { modulesWith } from "../testing/modules.ts";
import { newTypeErrors, typeCheck } from "./type_check.ts";

test("an error is new where it was not there before, or not so often; a line that moved is none", () => {
  const before =
    "a.ts(3,5): error TS2322: Type 'x' is not assignable.\nb.ts(1,1): error TS1: one\nerror TS18003: No inputs\n";
  expect(newTypeErrors(before, before.replace("(3,5)", "(4,1)"))).toEqual([]);
  expect(newTypeErrors(before, `${before}a.ts(9,1): error TS2322: Type 'x' is not assignable.\n`)).toEqual([
    "a.ts, line 9: Type 'x' is not assignable. (TS2322)",
  ]);
  expect(newTypeErrors(before, "")).toEqual([]);
});

test("types are checked by the nearest tsconfig.json, with the project's own TypeScript, where both are there", ({
  skip,
}) => {
  const modules = modulesWith("typescript");
  if (modules === null) return skip("typescript is not installed");
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("src"));
  for (const name of ["src/a.ts", "b.ts", "c.js"]) writeFileSync(at(name), "");
  const project = { root: folder.path, folder: folder.path, target: at("src/a.ts"), shared: false };
  writeFileSync(at("src/tsconfig.json"), "{}");
  expect(typeCheck(project, at("src/a.ts"))).toBeNull();
  symlinkSync(modules, at("node_modules"));
  expect(typeCheck(project, at("src/a.ts"))?.argv).toContain(at("src/tsconfig.json"));
  expect(typeCheck(project, at("b.ts")), "no tsconfig.json above it").toBeNull();
  expect(typeCheck(project, at("c.js"))).toBeNull();
});
