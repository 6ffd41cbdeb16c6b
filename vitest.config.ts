import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const FOLDERS = ["agent", "fix", "utils", "eval", "examples", "build"];
/** Long checks of what another test checks in small; `npm run test:slow`. */
const SLOW = `{${FOLDERS}}/**/*.slow.test.ts`;
/**
 * Tests that cost more have a tag, alone or by this line for a whole file: `ci` is left out of `npm test` and runs in
 * `npm run test:ci`, `deep` is left out of both and runs in `npm run test:deep`. `npx vitest run FILE` runs all of a file.
 */
const CI_FILE = /^\/\/ @module-tag ci$/m;
const DEEP_FILE = /^\/\/ @module-tag deep$/m;
const DEEP_TEST = /^import \{[^}]*\b(?:(?:ALSO_)?DEEP|describeLayers)\b/m;
/** For a test that hangs. No test is judged by it: a busy machine may take twenty times as long as an idle one. */
const HANGS_MS = 1_200_000;

/** Tests of models on this machine, and whether the library that runs these is there. */
const LOCAL_MODELS = /^(?:utils\/inference|agent\/models\/local|eval\/cli\/local)\//;
const hasLocalModels = existsSync(new URL("node_modules/@huggingface/transformers", import.meta.url));

/**
 * What a test file says that changes its process for those that come after it. What a test changes besides, an
 * `afterEach` or a `finally` of its puts back: a file of its own process costs a second more.
 */
const CHANGES_PROCESS = /\bvi\.mock\(|^process\.env\.|\bprocess\.(?:chdir|umask)\(|\bcallAsMend\(/m;
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
)
  .filter((file) => /(?<!\.slow)\.test\.ts$/.test(file) && !file.includes("node_modules"))
  .filter((file) => hasLocalModels || !LOCAL_MODELS.test(file))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

/**
 * What tests know of the mode; Vitest reads the rest of this file once more for each project, as for the mode `test`.
 */
const projectOf = (mode: string, name: string, more: { include: string[]; isolate?: false; testTimeout?: number }) => ({
  extends: true as const,
  test: { name, env: { MEND_TEST_MODE: mode }, maxWorkers: workersIn(mode), ...more },
});

/**
 * Most tests wait for processes of their own: one worker a core would leave the cores idle. Said to each project, as the
 * number for all would be that of the mode `test`.
 */
const workersIn = (mode: string): number => Math.max(mode === "deep" ? 6 : 4, availableParallelism());

/**
 * Two projects: what changes its process has one for each file. The others share some, which spares each file a second
 * for loading LangChain.
 */
function projectsOf(mode: string) {
  if (!hasLocalModels) console.warn("skipped: tests of models on this machine, which `npm run local-models` makes run");
  if (mode === "slow") return [projectOf(mode, "slow", { include: [SLOW], testTimeout: 3 * HANGS_MS })];
  const isWanted = (text: string) => {
    if (mode === "quick") return !DEEP_FILE.test(text) && !CI_FILE.test(text);
    if (mode === "ci") return !DEEP_FILE.test(text);
    return mode !== "deep" || DEEP_FILE.test(text) || DEEP_TEST.test(text);
  };
  const wanted = files.filter(({ text }) => isWanted(text));
  const paths = (changes: boolean) =>
    wanted.filter(({ text }) => CHANGES_PROCESS.test(text) === changes).map(({ path }) => path);
  return [
    projectOf(mode, "alone", { include: paths(true) }),
    projectOf(mode, "together", { include: paths(false), isolate: false }),
  ];
}

export default defineConfig(({ mode }) => ({
  // Modules under test start the programs that are compiled for tests, as those of the package start theirs.
  define: { "import.meta.built": "process.env.MEND_TEST_PROGRAMS" },
  // Examples name the library as a user does; so does tsconfig.json for tsx.
  resolve: { alias: { mend: fileURLToPath(new URL("index.ts", import.meta.url)) } },
  test: {
    // What a run transformed the next one reads: a sixth of the processor time of a file that does little.
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest-modules" },
    projects: projectsOf(mode),
    tags: [
      { name: "ci", description: "costs seconds: npm run test:ci" },
      { name: "deep", description: "costs much: npm run test:deep" },
    ],
    globalSetup: ["build/testing/programs.ts", "build/testing/light_python.ts"],
    setupFiles: ["build/testing/cost_log.ts", "build/testing/worker_end.ts"],
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    // Tracing would delay every exit by more than a minute where there is no network.
    env: {
      LANGSMITH_TRACING: "false",
      LANGCHAIN_TRACING_V2: "false",
      // Repairs of tests are not among those of who runs them.
      MEND_NO_STORE: "1",
    },
  },
}));
