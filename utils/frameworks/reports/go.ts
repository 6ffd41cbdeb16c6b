/** What `go test -json` writes. */

import { join, relative } from "node:path";
import { z } from "zod";
import { readJson } from "../../base/data/record.ts";
import { firstLines } from "../../base/text/text.ts";
import type { TestReport, TestResult } from "../framework.ts";
import { MOST_LINES, testReport } from "./test_report.ts";

const GoLine = z.looseObject({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});
const Place = z.object({ Folder: z.string() });
const Module = z.object({ Module: z.string(), Dir: z.string() });

interface TestEnd {
  status: TestResult["status"];
  title: string;
  packageName: string;
  output: string;
}

/**
 * Reads the output of `go test -json`, with the errors of packages that do not compile. A test with subtests is left
 * out if one of them has the same status.
 * @param named how tests are named: by `name` alone, or with the `package`, which is unique in a module. Leading lines
 * `{"Folder": PATH}` and `{"Module": NAME, "Dir": PATH}` say where the tests ran and where the modules are
 */
export function goReport(text: string, named: "name" | "package" = "name"): TestReport {
  const tests = new Map<string, TestEnd>();
  const others: string[] = [];
  const modules = new Map<string, string>();
  let folder = "";
  for (const row of text.split("\n")) {
    const line = readJson(row, GoLine);
    if (!line) {
      folder = readJson(row, Place)?.Folder ?? folder;
      const module = readJson(row, Module);
      if (module) modules.set(module.Module, relative(folder, module.Dir));
      if (row.trim() !== "" && !row.startsWith("{")) others.push(row);
      continue;
    }
    const { Action, Package = "", Test, Output = "" } = line;
    if (Test === undefined) {
      if (/^FAIL\t.*\[.* failed\]|^panic:|^\S+\.go:\d+/.test(Output)) others.push(Output.trim());
      continue;
    }
    const name = named === "package" ? `${Package}.${Test}` : Test;
    const known = tests.get(name) ?? { status: "error", title: Test, packageName: Package, output: "" };
    if (Action === "output") known.output += Output;
    if (Action === "pass" || Action === "fail" || Action === "skip")
      known.status = Action === "pass" ? "passed" : Action === "fail" ? "failed" : "skipped";
    tests.set(name, known);
  }
  const names = [...tests.keys()];
  const partsOf = (name: string) => names.filter((other) => other.startsWith(`${name}/`));
  const found = [...tests].flatMap(([name, { status, title, packageName, output }]): TestResult[] => {
    const parts = partsOf(name);
    // A whole that fails though all of its parts pass failed by itself.
    if (parts.length > 0 && parts.some((part) => tests.get(part)?.status === status)) return [];
    const said = withoutNoise(output.replace(/^\s*(?:=== \w+|--- \w+:).*\n?/gm, "")).trim();
    const file = named === "package" ? fileOf(output, packageName, modules) : undefined;
    const message = status === "passed" ? "" : firstLines(said, MOST_LINES);
    return [{ name, ...(named === "package" ? { title } : {}), status, message, ...(file ? { file } : {}) }];
  });
  const isBroken = others.some((line) => /^# |\[(?:build|setup) failed\]/.test(line));
  return testReport(
    found,
    isBroken || (found.length === 0 && others.length > 0) ? firstLines(others.join("\n"), MOST_LINES) : null,
  );
}

/** A panic without the frames of Go's own, and without addresses and numbers that differ in each run. */
const withoutNoise = (text: string): string =>
  text
    .replace(/^(?:(?:created by )?(?:testing|runtime)\.|panic\().*\n\t.*\n?/gm, "")
    .replace(/^goroutine \d+ .*\n/gm, "")
    .replace(/\(\{?0x[^)\n]*\)/g, "(…)")
    .replace(/ \+0x[0-9a-f]+$/gm, "");

/** The file of tests that a message names, from where the tests ran. @param modules their folders by name */
function fileOf(output: string, packageName: string, modules: ReadonlyMap<string, string>): string | undefined {
  const [, file] = /^\s*(?:\S*\/)?(\w[\w.-]*_test\.go):\d+/m.exec(output) ?? [];
  const found = [...modules].filter(([name]) => packageName === name || packageName.startsWith(`${name}/`));
  const [name, folder] = found.toSorted((a, b) => b[0].length - a[0].length)[0] ?? [];
  if (file === undefined || name === undefined || folder === undefined) return undefined;
  return join(folder, packageName.slice(name.length + 1), file);
}
