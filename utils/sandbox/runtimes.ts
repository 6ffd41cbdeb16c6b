/**
 * Interpreters beside Python's own: how a confined process and a judge of each start. Both get their program as an
 * argument, so a job's user needs to read no file of ours.
 */

import { readFileSync, realpathSync } from "node:fs";
import type { LanguageName } from "../languages/names.ts";

export interface Runtime {
  /** Replaces the confined process. Its channel is descriptor 3. */
  candidate: string[];
  /** Runs trusted tests; two descriptors follow: the candidate's channel, and where the verdict goes. */
  judge: string[];
  /** The interpreter itself. */
  executable: string;
}

/** Few threads, whatever the machine has: they count against the limits. No settings of the system: jobs cannot read them. */
const NODE_FLAGS = ["--v8-pool-size=1", "--openssl-config=/dev/null"];

const source = (names: readonly string[]): string => {
  const parts = names.map((name) => readFileSync(new URL(`javascript/${name}.js`, import.meta.url), "utf8"));
  // In a function: a program may use the same names.
  return `(() => {\n${parts.join("\n")}\n})();`;
};

function node(memoryMb: number): Runtime {
  const executable = realpathSync(process.execPath);
  const start = [executable, ...NODE_FLAGS, `--max-old-space-size=${memoryMb}`, "-e"];
  return {
    executable,
    candidate: [...start, source(["wire", "values", "candidate"])],
    judge: [...start, source(["wire", "values", "judge"]), "--"],
  };
}

/** By language; Python is the server's own and needs none. */
export const runtimes = (memoryMb: number): Record<Exclude<LanguageName, "python">, Runtime> => ({
  javascript: node(memoryMb),
});
