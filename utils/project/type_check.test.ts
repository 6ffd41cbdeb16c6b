import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/command.ts";
import { modulesWith } from "../testing/modules.ts";
import { newTypeErrors, typeCheck, uncheckedBecause } from "./type_check.ts";

test("an error is new where it was not there before, or not so often; a line that moved is none", () => {
  const before =
    "a.ts(3,5): error TS2322: Type 'x' is not assignable.\nb.ts(1,1): error TS1: one\nerror TS18003: No inputs\n";
  expect(newTypeErrors(before, before.replace("(3,5)", "(4,1)"))).toEqual([]);
  expect(newTypeErrors(before, `${before}a.ts(9,1): error TS2322: Type 'x' is not assignable.\n`)).toEqual([
    "a.ts, line 9: Type 'x' is not assignable. (TS2322)",
  ]);
  expect(newTypeErrors(before, "")).toEqual([]);
});

test("types are checked by the nearest tsconfig.json, with the project's own TypeScript or one from elsewhere", ({
  skip,
}) => {
  const modules = modulesWith("typescript");
  if (modules === null) return skip("typescript is not installed");
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("src/more"), { recursive: true });
  for (const name of ["src/a.ts", "b.ts", "c.js"]) writeFileSync(at(name), "");
  const project = { root: folder.path, folder: folder.path, target: at("src/a.ts"), shared: false };
  writeFileSync(at("src/tsconfig.json"), "{}");
  const config = at("src/tsconfig.json");
  expect(typeCheck(project, at("src/a.ts"), [])).toEqual({ configs: [config], command: null });
  const elsewhere = typeCheck(project, at("src/a.ts"), [modules])?.command?.(config);
  expect(elsewhere?.argv).toContain(join(modules, "typescript/bin/tsc"));
  expect(elsewhere?.readable, "the box shows it").toContain(modules);
  expect(typeCheck(project, at("src/a.ts"))?.command, "beside mend").not.toBeNull();
  symlinkSync(modules, at("node_modules"));
  const own = typeCheck(project, at("src/a.ts"), [modules])?.command?.(config);
  expect(own?.argv).toEqual(expect.arrayContaining([config, at("node_modules/typescript/bin/tsc")]));
  for (const name of ["app", "more/tsconfig"]) writeFileSync(at(`src/${name}.json`), "{}");
  writeFileSync(
    config,
    '{ "files": [], // none\n "references": [{ "path": "./app.json" }, { "path": "more" }, { "path": "no" }] }',
  );
  expect(typeCheck(project, at("src/a.ts"))?.configs).toEqual([
    config,
    at("src/app.json"),
    at("src/more/tsconfig.json"),
  ]);
  expect(typeCheck(project, at("b.ts")), "no tsconfig.json above it").toBeNull();
  expect(typeCheck(project, at("c.js"))).toBeNull();
});

test("a check that looks at no types says nothing of a file, and why", () => {
  const listed = "/lib/lib.d.ts\n/outside/project/src/a.ts\n";
  const because = (output: string) => uncheckedBecause(output, "src/a.ts", "tsconfig.json");
  expect(because(`src/a.ts(1,2): error TS2322: no.\n${listed}`)).toBeNull();
  expect(because("/lib/lib.d.ts\n/outside/project/src/ba.ts\n")).toBe("tsconfig.json does not take in src/a.ts");
  const option = "tsconfig.json(2,3): error TS5102: Option 'baseUrl' has been removed.";
  expect(because(`${option}\n${listed}`)).toBe(`the compiler goes no further than: ${option}`);
  expect(because(`error TS18003: No inputs were found.\n`)).toMatch(/no further than: error TS18003/);
  expect(because(`src/b.ts(1,1): error TS1005: ';' expected.\n${listed}`)).toMatch(/TS1005/);
});
