import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const FOLDERS = ["agent", "utils", "eval", "examples", "cli", "build", "api"];
const TESTS = `{${FOLDERS}}/**/*.test.ts`;
/** Long checks of what another test checks in small; `npm run test:slow`. */
const SLOW = `{${FOLDERS}}/**/*.slow.test.ts`;
/** For a test that hangs. No test is judged by it: a busy machine may take many times as long as an idle one. */
const HANGS_MS = 3_600_000;

/** What a test file says that changes its process for those that come after it. */
const CHANGES_PROCESS =
  /\bvi\.(?:mock|spyOn|stub|useFake)|\bprocess\.env\.\w+ = |delete process\.env|\bprocess\.(?:chdir|umask)\(/;
/** These have a process each. The others share some, which spares each file a second for loading LangChain. */
const alone = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
)
  .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
  .filter((file) => CHANGES_PROCESS.test(readFileSync(file, "utf8")));

/** Small files that take long; most of it is not counted as the time of a test. They would begin last, one core idle. */
const LONG = ["agent/models/search/engine.test.ts"];

/** Vitest's order, by size or by how long they took, but for these. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) =>
      project.name === "alone" ? 0 : LONG.some((file) => moduleId.endsWith(file)) ? 1 : 2;
    return [0, 1, 2].flatMap((wanted) => sorted.filter((file) => rank(file) === wanted));
  }
}

export default defineConfig(({ mode }) => ({
  // Modules under test start the programs that are compiled for tests, as those of the package start theirs.
  define: { "import.meta.built": "process.env.MEND_TEST_PROGRAMS" },
  test: {
    projects:
      mode === "slow"
        ? [{ extends: true, test: { name: "slow", include: [SLOW] } }]
        : [
            { extends: true, test: { name: "alone", include: alone, exclude: [SLOW] } },
            {
              extends: true,
              test: {
                name: "together",
                include: [TESTS],
                exclude: [SLOW, "**/node_modules/**", ...alone],
                isolate: false,
              },
            },
          ],
    globalSetup: "build/testing/programs.ts",
    // Most tests wait for processes of their own: one worker a core would leave the cores idle.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongFirst },
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
