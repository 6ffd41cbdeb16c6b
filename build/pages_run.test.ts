// @module-tag ci
/** What the pages of documentation show is what comes out: each page's files are written and its commands run, one after the other. */

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { programWords, temporaryFolder } from "../utils/testing/command.ts";
import { ROOT } from "./options.ts";
import { execute } from "./testing/packed.ts";
import { actionsOf, blocksOf, printed } from "./testing/page_blocks.ts";

const PAGES = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];
const RUN = PAGES.filter((page) => actionsOf(page).some(({ kind }) => kind === "command"));

/** A clone as the pages mean it: the examples, and `mend` on the PATH and in the folder. */
function clone() {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "--quiet", folder.path]);
  cpSync(join(ROOT, "examples/first"), join(folder.path, "examples/first"), { recursive: true });
  const words = programWords("eval/cli/main.ts")
    .map((word) => `'${word}'`)
    .join(" ");
  for (const name of ["mend", "bin/mend"]) {
    const file = join(folder.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(file, 0o755);
  }
  return Object.assign(folder, {
    environment: {
      PATH: `${join(folder.path, "bin")}:${process.env.PATH}`,
      NO_COLOR: "1",
      FORCE_COLOR: "0",
      HF_HUB_OFFLINE: "1",
      MEND_NO_STORE: "",
      XDG_STATE_HOME: join(folder.path, "state"),
    },
  });
}

test.each(RUN)("%s: what its commands print", async (page) => {
  using folder = clone();
  for (const action of actionsOf(page)) {
    if (action.kind === "file") {
      mkdirSync(dirname(join(folder.path, action.name)), { recursive: true });
      writeFileSync(join(folder.path, action.name), action.text);
      continue;
    }
    const ran = await execute(["bash", "-c", `exec 2>&1\n${action.words}`], folder.path, folder.environment);
    expect(ran.stdout, `${page}: ${action.words}`).toMatch(printed(action.prints));
  }
});

test("README: the first command repairs", async () => {
  using folder = clone();
  const [first] = blocksOf("README.md").filter(({ language }) => language === "sh");
  const [repair = "exit 99"] = /\.\/mend repair .*/.exec(first?.text ?? "") ?? [];
  const ran = await execute(["bash", "-c", repair], folder.path, folder.environment);
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\+ .*if amount < minimum\]$/m) });
});
