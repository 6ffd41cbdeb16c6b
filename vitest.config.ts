import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{agent,utils,eval,examples}/**/*.test.ts"],
    // Most tests wait for processes of their own: one worker a core would leave the cores idle.
    maxWorkers: Math.max(3, availableParallelism()),
    // For a test that hangs: on a loaded machine one that starts commands takes minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tracing would delay every exit by more than a minute where there is no network.
    env: { LANGSMITH_TRACING: "false", LANGCHAIN_TRACING_V2: "false" },
  },
});
