/** What a command loads before it knows what it was asked for: a library less is a tenth of a second less. */

import { build } from "esbuild";
import { expect, test } from "vitest";
import { ROOT } from "./options.ts";

const COMMANDS = ["eval", "fix", "mine", "repair", "score"];
const ALL = [...COMMANDS, "compare", "export", "improve", "report", "view", "worker"];

test.each(COMMANDS)("mend %s starts without LangChain", async (name) => {
  expect((await librariesOf(name)).filter((library) => library.startsWith("@langchain/"))).toEqual([]);
});

test.each(ALL)("mend %s starts without esbuild", async (name) => {
  expect(await librariesOf(name)).not.toContain("esbuild");
});

/** What a command imports at its start, itself or by its modules. */
async function librariesOf(name: string): Promise<string[]> {
  const entry = `eval/cli/commands/${name}.ts`;
  const { metafile } = await build({
    ...{ absWorkingDir: ROOT, entryPoints: [entry], outdir: "unwritten", write: false, metafile: true },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", packages: "external", logLevel: "error" },
  });
  const first = new Set([entry]);
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
