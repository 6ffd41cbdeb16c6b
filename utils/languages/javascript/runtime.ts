/** Node.js, the one that runs mend, as a confined process and as a judge. */

import { readFileSync, realpathSync } from "node:fs";
import type { Runtime } from "../runtime.ts";
import { packagesForJobs } from "./packages.ts";

/** Few threads, whatever the machine has: they count against the limits. No settings of the system: jobs cannot read them. */
const FLAGS = ["--v8-pool-size=1", "--openssl-config=/dev/null"];

export const nodeRuntime: Runtime = {
  id: "node",
  title: "Node.js",
  version: process.versions.node,
  commands: (memoryMb) => {
    const executable = realpathSync(process.execPath);
    const start = [executable, ...FLAGS, `--max-old-space-size=${Math.floor(memoryMb)}`, "-e"];
    return {
      executable,
      candidate: [...start, source(["wire", "values", "require", "candidate"])],
      judge: [...start, source(["wire", "values", "require", "judge"])],
    };
  },
};

function source(names: readonly string[]): string {
  const parts = names.map((name) => readFileSync(new URL(`${name}.js`, import.meta.url), "utf8"));
  // In a function: a program may use the same names.
  return `(() => {\nconst PACKAGES = ${JSON.stringify(packagesForJobs())};\n${parts.join("\n")}\n})();`;
}
