/** The Go of the user: where it is, and the commands that compile and link by it. */

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fillFromCache, textsIn, versionOf } from "../../base/files/compiled_parts.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import { isOfProject, programsNamed } from "../../base/host/host_programs.ts";
import { once, readableFolder } from "../prepared.ts";
import type { RuntimeCommands } from "../runtime.ts";
import { boxesMayRead, cachedByPlace, outputOf } from "../toolchains.ts";
import { assertions } from "./assertions.ts";
import { FIRST, GOS_OWN, PROGRAM, SOLUTION, TOGETHER, VERSIONS } from "./sources.ts";

const run = promisify(execFile);

/** Sources of the packages that programs and tests are linked with, each after those that it imports. */
const SOURCES = fileURLToPath(new URL("./runner", import.meta.url));
const TESTIFY = ["github.com/stretchr/testify/assert", "github.com/stretchr/testify/require"];
/** What these are made of. */
const OF_TESTIFY = ["github.com/davecgh/go-spew/spew", "github.com/pmezard/go-difflib/difflib", "gopkg.in/yaml.v3"];
/**
 * By the folder that its archive is put into. The small `testing` and `assert` take the place of Go's own and testify.
 */
const PACKAGES: { source: string; also?: string[]; folder: string; path: string }[] = [
  { source: "wire", folder: "own", path: "mend/wire" },
  { source: "candidate", folder: "own", path: "mend/candidate" },
  { source: "judge", folder: "own", path: "mend/judge" },
  { source: "small_testing", folder: "light", path: "testing" },
  { source: "assert", folder: "light", path: TESTIFY[0] ?? "" },
  { source: "clones", folder: "versions", path: "mend/judge" },
  { source: "small_testing", folder: "versions", path: "testing" },
  { source: "in_process", also: ["judge/messages.go"], folder: "in_process", path: "mend/judge" },
  { source: "small_testing", folder: "in_process", path: "testing" },
];
const OPTIONS = ["-complete", "-pack"];
const PREPARING_TIMEOUT_MS = 600_000;
const ARCHITECTURES: Partial<Record<string, string>> = { x64: "amd64", arm64: "arm64", ia32: "386" };
/** Where systems keep packages of Go. */
const SYSTEM_PATH = "/usr/share/gocode";
/** Programs are small, and a collection costs more than the memory is worth. */
const FAST = "GOGC=off";

export interface Toolchain {
  /** GOROOT. */
  root: string;
  version: string;
  /** Folder of `compile` and `link`. */
  tools: string;
  /** `linux_amd64` */
  platform: string;
}

/** The toolchain that the user's shell takes: the first on PATH that boxes may read. Null if there is none. */
export const toolchain = cachedByPlace(({ folder, shared }): Toolchain | null => {
  const platform = `${process.platform}_${ARCHITECTURES[process.arch] ?? process.arch}`;
  for (const program of programsNamed("go")) {
    const root = (folder === undefined ? null : rootFor(program, folder)) ?? rootOf(program);
    const tools = root === null ? "" : join(root, "pkg/tool", platform);
    if (root === null || !existsSync(join(tools, "link")) || !boxesMayRead(root, shared)) continue;
    const version = /^go(\S+)/.exec(readFileSync(join(root, "VERSION"), "utf8"))?.[1] ?? "of unknown version";
    return { root, version, tools, platform };
  }
  return null;
});

function rootOf(program: string): string | null {
  const root = dirname(dirname(realpathSync(program)));
  const isRoot = process.env.GOROOT === undefined && existsSync(join(root, "VERSION"));
  return isRoot ? root : rootTold(program);
}

/** Go may take another version that a project's go.mod names, where that was downloaded before. */
const rootFor = (program: string, folder: string): string | null =>
  rootTold(program, folder, { GOTOOLCHAIN: process.env.GOTOOLCHAIN ?? "auto", GOPROXY: "off" });

function rootTold(program: string, folder?: string, variables: Record<string, string> = {}): string | null {
  try {
    const root = outputOf(program, ["env", "GOROOT"], folder, variables);
    return existsSync(join(root, "VERSION")) && !isOfProject(root) ? root : null;
  } catch {
    return null;
  }
}

/** Without a home folder Go keeps no telemetry: a relative HOME would put it into the current folder. */
export const environment = (cache = "off") => ({
  PATH: "/usr/bin:/bin",
  HOME: "",
  GOCACHE: cache,
  GOPATH: SYSTEM_PATH,
  GO111MODULE: "off",
  GOFLAGS: "",
  GOTOOLCHAIN: "local",
  GOPROXY: "off",
});

/** The compiler needs Go in its box; compiled programs need nothing. */
export const commands = (): RuntimeCommands => {
  const found = toolchain();
  return { executable: "", candidate: [], judge: [], readable: found ? [found.root] : [] };
};

/** How the files of `sources.ts` become an executable. */
export function steps(files: readonly string[], folder: string, everyProblem: boolean): string[][] {
  if (files.includes(VERSIONS)) {
    const path = searchPath(folder, ["versions", "light"]);
    return [compile("main", files, path, everyProblem ? ["-e"] : []), link(path)];
  }
  if (files.includes(PROGRAM)) {
    const path = searchPath(folder, files.includes(GOS_OWN) ? ["testify"] : []);
    return [compile("main", files, path), link(path)];
  }
  if (files.includes(FIRST)) return inProcessSteps(files, folder);
  const isProgram = files.includes(SOLUTION);
  const path = searchPath(folder, [...(isProgram ? [] : [files.includes(GOS_OWN) ? "testify" : "light"]), "own"]);
  const rest = files.filter((file) => file !== "main.go");
  if (rest.length === files.length) return [compile("main", files, path), link(path)];
  const inner = rest.length === 0 ? [] : [compile(isProgram ? "solution" : "tests", rest, path)];
  return [...inner, compile("main", ["main.go"], path), link(path)];
}

/** The program, its tests and what runs them: each a package, or the first two one. */
function inProcessSteps(files: readonly string[], folder: string): string[][] {
  const path = searchPath(folder, ["in_process", "light", "own"]);
  const tests = files.filter((file) => file === "tests.go" || file === "list.go");
  const program = [SOLUTION, FIRST];
  const packages = files.includes(TOGETHER)
    ? [compile("solution", [...program, TOGETHER, ...tests], path)]
    : [compile("solution", program, path), compile("tests", tests, path)];
  return [...packages, compile("main", ["main.go"], path), link(path)];
}

/** Folders of archives, in which packages are looked for in turn. */
function searchPath(folder: string, names: readonly string[]): string[] {
  const { root, platform } = toolchain() ?? { root: "", platform: "" };
  return [".", ...[...names, "std"].map((name) => join(folder, name)), join(root, "pkg", platform)];
}

const tool = (name: string): string => join(toolchain()?.tools ?? "", name);

const compile = (
  name: string,
  files: readonly string[],
  path: readonly string[],
  options: readonly string[] = [],
): string[] => [
  ...[FAST, tool("compile"), ...options, "-p", name, "-complete", "-pack", "-nolocalimports", "-o", `${name}.a`],
  ...path.flatMap((one) => ["-I", one]),
  ...files,
];

const link = (path: readonly string[]): string[] => [
  ...[FAST, tool("link"), "-s", "-w", "-buildmode=exe", "-o", "program"],
  ...path.flatMap((one) => ["-L", one]),
  "main.a",
];

/** Temporary folder of this process. */
export const runnerFolder = readableFolder("go");

/** Compiles what programs are linked with, once: our runner, and testify if it is needed. */
export async function prepare(files: readonly string[]): Promise<void> {
  await prepareOwn();
  if (files.includes(GOS_OWN)) await prepareTestify();
}

/** Compiles the runner, or takes it from the cache. */
const prepareOwn = once(() => {
  const sources = [textsIn(SOURCES), assertions()];
  const madeOf = [toolchain()?.version, versionOf(tool("compile")), OPTIONS, PACKAGES, sources];
  return fillFromCache({ name: "go", madeOf }, runnerFolder(), compileRunner);
});

async function compileRunner(): Promise<void> {
  const { root, platform } = toolchain() ?? { root: "", platform: "" };
  // From Go 1.20 on the standard library comes as source alone.
  if (!existsSync(join(root, "pkg", platform, "fmt.a"))) await exportPackages(["std"], "std");
  for (const { source, also = [], folder: name, path } of PACKAGES) {
    const file = join(runnerFolder(), name, `${path}.a`);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    const there = searchPath(runnerFolder(), [name, "own"]).slice(1);
    const checks = join(runnerFolder(), "checks.go");
    if (source === "assert") writeFileSync(checks, assertions());
    const files = readdirSync(join(SOURCES, source)).map((one) => join(source, one));
    const sources = [...files, ...also].map((one) => join(SOURCES, one)).concat(source === "assert" ? checks : []);
    const options = ["-p", path, ...OPTIONS, "-trimpath", SOURCES, "-o", file];
    const words = [...options, ...there.flatMap((one) => ["-I", one]), ...sources];
    await run(tool("compile"), words, { timeout: PREPARING_TIMEOUT_MS, env: environment() });
  }
}

/** Builds testify, or takes it from the cache. If it is not installed, tests that need it fail with a compile error. */
const prepareTestify = once(async () => {
  const sources = [...TESTIFY, ...OF_TESTIFY].map((path) => join(SYSTEM_PATH, "src", path));
  if (!existsSync(sources[0] ?? "")) return;
  const madeOf = [toolchain()?.version, versionOf(tool("compile")), ...sources.map(versionOf)];
  const folder = join(runnerFolder(), "testify");
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  await fillFromCache({ name: "testify", madeOf }, folder, () => exportPackages(TESTIFY, "testify"));
});

/** Builds packages with all that they import, and copies their archives to a folder of the runner. */
async function exportPackages(packages: readonly string[], name: string): Promise<void> {
  using cache = makeTemporaryFolder("go-cache");
  const isStandard = name === "std" ? "" : "{{if not .Standard}}";
  const format = `${isStandard}{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}${isStandard && "{{end}}"}`;
  const go = join(toolchain()?.root ?? "", "bin/go");
  const { stdout } = await run(go, ["list", "-deps", "-export", "-f", format, ...packages], {
    timeout: PREPARING_TIMEOUT_MS,
    env: environment(cache.path),
    maxBuffer: 1 << 24,
  });
  for (const line of stdout.split("\n").filter((one) => one !== "")) {
    const at = line.indexOf("=");
    const file = join(runnerFolder(), name, `${line.slice(0, at)}.a`);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    copyFileSync(line.slice(at + 1), file);
  }
}
