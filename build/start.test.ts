/** What a program loads at its start: a library less is a tenth of a second less. */

import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";
import { ROOT } from "./options.ts";

const COMMANDS = ["eval", "fix", "mine", "repair", "score"];
const ALL = [...COMMANDS, "compare", "export", "improve", "report", "view", "worker"];

const entryOf = (name: string): string => `eval/cli/commands/${name}.ts`;

const GRAPH = "agent/graph.ts";
const OPTIONS = {
  ...({
    absWorkingDir: ROOT,
    outdir: "unwritten",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
  } as const),
  ...({ format: "esm", platform: "node", packages: "external", logLevel: "error" } as const),
};

/** What each module of all commands imports. */
const { metafile } = await build({ ...OPTIONS, entryPoints: ALL.map(entryOf) });

test.each(COMMANDS)("mend %s starts without LangChain", (name) => {
  expect(librariesOf(name).filter((library) => library.startsWith("@langchain/"))).toEqual([]);
});

test.each(ALL)("mend %s starts without esbuild", (name) => {
  expect(librariesOf(name)).not.toContain("esbuild");
});

test("the graph loads at most 40 files of ours", async () => {
  const { metafile: loaded } = await build({ ...OPTIONS, entryPoints: [GRAPH] });
  expect(importedAtStart(GRAPH, loaded).files.size).toBeLessThanOrEqual(40);
});

function librariesOf(name: string): string[] {
  const { files, libraries } = importedAtStart(entryOf(name), metafile);
  expect(files.size).toBeGreaterThan(20);
  return [...libraries];
}

/** What a file imports when it is loaded, itself or by its modules. */
function importedAtStart(file: string, { inputs }: Metafile): { files: Set<string>; libraries: Set<string> } {
  const files = new Set([file]);
  const libraries = new Set<string>();
  for (const one of files)
    for (const { path, kind, external } of inputs[one]?.imports ?? [])
      if (kind === "import-statement") (external ? libraries : files).add(path);
  return { files, libraries };
}
