/** What a command loads before it knows what it was asked for: a library less is a tenth of a second less. */

import { build } from "esbuild";
import { expect, test } from "vitest";
import { ROOT } from "./options.ts";

const COMMANDS = ["eval", "fix", "mine", "repair", "score"];
const ALL = [...COMMANDS, "compare", "export", "improve", "report", "view", "worker"];

const entryOf = (name: string): string => `eval/cli/commands/${name}.ts`;

/** What each module of all commands imports. */
const { metafile } = await build({
  ...{ absWorkingDir: ROOT, entryPoints: ALL.map(entryOf), outdir: "unwritten", write: false, metafile: true },
  ...{ bundle: true, splitting: true, format: "esm", platform: "node", packages: "external", logLevel: "error" },
});

test.each(COMMANDS)("mend %s starts without LangChain", (name) => {
  expect(librariesOf(name).filter((library) => library.startsWith("@langchain/"))).toEqual([]);
});

test.each(ALL)("mend %s starts without esbuild", (name) => {
  expect(librariesOf(name)).not.toContain("esbuild");
});

/** What a command imports at its start, itself or by its modules. */
function librariesOf(name: string): string[] {
  const first = new Set([entryOf(name)]);
  const libraries = new Set<string>();
  for (const file of first)
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind !== "import-statement") continue;
      if (external) libraries.add(path);
      else first.add(path);
    }
  expect(first.size).toBeGreaterThan(50);
  return [...libraries];
}
