/** Before all tests: compiles the programs that tests start as processes, so that a start costs a fifth of one by tsx. */

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { REQUIRE } from "../../utils/base/host/own_address.ts";
import { bundleOptions, OWN_ADDRESS, outsideLibraries, ROOT, scriptOptions } from "../options.ts";
import { buildPages } from "../page_files.ts";

/** Below the project, whose libraries the programs find from here. */
const CACHE = join(ROOT, "node_modules", ".cache", "mend-programs");
const SOURCES = ["agent", "build", "eval", "examples", "fix", "utils"];
const COMMAND = /^await runCommand\(/m;
/** Programs that are not command files. */
const OTHERS = [
  "eval/cli/main.ts",
  "eval/meta/testing/hostile/run.ts",
  "eval/testing/lock_contender.ts",
  "utils/base/files/temporary.ts",
  "utils/sandbox/sandbox.ts",
  "utils/sandbox/testing/hostile/hold_disk.ts",
  "utils/sandbox/testing/hostile/notes.ts",
  "utils/sandbox/testing/hostile/run.ts",
];

/** Programs that no run has used for so long are removed. */
const DAY_MS = 86_400_000;

/** Those that are one script, as `mend` is where it is installed; the others are modules. */
const IN_SCRIPT = /^eval\/(?:cli\/main\.ts|pass1\.ts|meta_loop\.ts)/;

/**
 * Vitest calls it. It leaves the address of the compiled programs in the environment, for `utils/testing/command.ts`, and
 * for modules under test as `import.meta.built`.
 */
export async function setup(project: TestProject): Promise<void> {
  await prepare();
  project.onTestsRerun(prepare);
}

async function prepare(): Promise<void> {
  const sources = readSources();
  const folder = join(CACHE, hashOf(sources));
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else await compile(sources, folder);
  process.env.MEND_TEST_PROGRAMS = pathToFileURL(`${folder}/`).href;
}

/** Paths from the root, and texts. */
function readSources(): Map<string, string> {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const wanted = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts")).sort();
  return new Map([...wanted, "package-lock.json"].map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
}

function hashOf(sources: ReadonlyMap<string, string>): string {
  // The programs name the project's folder: a copy of it compiles its own.
  const hash = createHash("sha256").update(ROOT);
  for (const [file, text] of sources) hash.update(`${file}\0${text}\0`);
  return hash.digest("hex").slice(0, 16);
}

/** Compiles beside `folder`, which is then there as a whole or not at all. */
async function compile(sources: ReadonlyMap<string, string>, folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  for (const path of readdirSync(CACHE).map((name) => join(CACHE, name)))
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true });
  const programs = [...[...sources].filter(([, text]) => COMMAND.test(text)).map(([file]) => file), ...OTHERS];
  const modules = programs.filter((file) => !IN_SCRIPT.test(file));
  const above = JSON.stringify(pathToFileURL(ROOT).href);
  const outdir = mkdtempSync(`${folder}-`);
  await build({
    ...bundleOptions(outdir, `const [built, above] = [new URL("../", import.meta.url).href, ${above}];`),
    entryPoints: [
      ...modules.map((file) => ({ in: file, out: file.slice(0, -3) })),
      // Where `utils/inference/engine_client.ts` looks for it.
      { in: "utils/inference/engine_process.ts", out: "engine_process" },
      { in: "build/testing/start.ts", out: "start" },
    ],
    external: outsideLibraries(),
    banner: { js: REQUIRE },
  });
  await build({
    ...scriptOptions(outdir, `const [built, above] = [new URL("./", ${OWN_ADDRESS}).href, ${above}];`),
    stdin: {
      contents: starterOf(programs.filter((file) => IN_SCRIPT.test(file))),
      resolveDir: ROOT,
      sourcefile: "commands",
    },
    entryNames: "commands",
    external: outsideLibraries(),
  });
  await buildPages(outdir);
  // Some tests run as another user.
  chmodSync(outdir, 0o755);
  if (existsSync(folder)) rmSync(outdir, { recursive: true });
  else renameSync(outdir, folder);
}

/** A script that loads the one of these files with which Node was started. */
const starterOf = (files: readonly string[]): string => `
import { relative } from "node:path";
const programs = { ${files.map((file) => `"${file}": () => import("./${file}")`).join(", ")} };
void programs[relative(${JSON.stringify(ROOT)}, process.argv[1])]();
`;
