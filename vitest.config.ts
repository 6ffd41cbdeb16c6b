import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const FOLDERS = "{agent,utils,eval,examples,cli,build,api}/**";
/** Long checks of what another test checks in small; `npm run test:slow`. */
const SLOW = `${FOLDERS}/*.slow.test.ts`;
/** For a test that hangs. No test is judged by it: a busy machine may take many times as long as an idle one. */
const HANGS_MS = 3_600_000;

export default defineConfig(({ mode }) => ({
  // Modules under test start the programs that are compiled for tests, as those of the package start theirs.
  define: { "import.meta.built": "process.env.MEND_TEST_PROGRAMS" },
  test: {
    include: [mode === "slow" ? SLOW : `${FOLDERS}/*.test.ts`],
    exclude: ["**/node_modules/**", ...(mode === "slow" ? [] : [SLOW])],
    globalSetup: "build/testing/programs.ts",
    // Most tests wait for processes of their own: one worker a core would leave the cores idle.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    // Tracing would delay every exit by more than a minute where there is no network.
    env: {
      LANGSMITH_TRACING: "false",
      LANGCHAIN_TRACING_V2: "false",
      ...(mode === "slow" ? { MEND_SLOW_TESTS: "1" } : {}),
    },
  },
}));
