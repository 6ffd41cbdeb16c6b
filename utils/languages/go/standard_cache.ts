/**
 * Go's cache with the packages that most tests import: each project begins with a copy, since Go from 1.20 on compiles
 * its standard library anew for an empty cache, which takes half a minute.
 */

import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fillFromCache, versionOf } from "../../base/files/compiled_parts.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import { readableFolder } from "../prepared.ts";
import { environment, type Toolchain } from "./toolchain.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 600_000;
const PACKAGES = [
  ...["bufio", "bytes", "context", "encoding/json", "errors", "fmt", "io", "math", "math/rand", "os", "path"],
  ...["path/filepath", "reflect", "regexp", "sort", "strconv", "strings", "sync", "testing", "time", "unicode/utf8"],
];

const folder = readableFolder("go-standard");
const made = new Map<string, Promise<string | null>>();

/** The folder of the cache; null where Go brings its packages compiled, or nothing could be made. */
export function standardCache(go: Toolchain): Promise<string | null> {
  const known = made.get(go.root) ?? makeCache(go).catch(() => null);
  made.set(go.root, known);
  return known;
}

async function makeCache({ root, version, tools, platform }: Toolchain): Promise<string | null> {
  if (existsSync(join(root, "pkg", platform, "fmt.a"))) return null;
  const cache = join(folder(), version);
  const madeOf = [version, versionOf(join(tools, "compile")), PACKAGES];
  await fillFromCache({ name: "go-standard", madeOf }, cache, () => compile(root, cache));
  return cache;
}

/** Tests of an empty package, as they run and as they are counted. */
async function compile(root: string, cache: string): Promise<void> {
  using project = makeTemporaryFolder("go-standard");
  const imports = PACKAGES.map((name) => `\t_ "${name}"\n`).join("");
  writeFileSync(join(project.path, "go.mod"), "module empty\n");
  writeFileSync(join(project.path, "empty.go"), "package empty\n");
  writeFileSync(join(project.path, "empty_test.go"), `package empty\n\nimport (\n${imports})\n`);
  const options = { cwd: project.path, timeout: TIMEOUT_MS, env: { ...environment(cache), GO111MODULE: "on" } };
  for (const counted of [[], ["-cover"]])
    await run(join(root, "bin/go"), ["test", "-vet=off", ...counted, "."], options);
}
