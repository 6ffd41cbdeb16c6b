/** `go test`: each test of each package, told by its own JSON. */

import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { findProgram } from "../../base/host/host_programs.ts";
import type { Framework } from "../framework.ts";
import { goReport } from "../reports/go.ts";
import { countedLine } from "./counted.ts";
import { exactly, isOpen, without } from "./shell.ts";

/** Modules that the user has downloaded; those of Debian lie in a GOPATH. */
const modules = (): string =>
  process.env.GOMODCACHE ?? join(process.env.GOPATH?.split(":", 1)[0] ?? join(homedir(), "go"), "pkg/mod");

/** A file of tests is compiled with the rest of its package alone. */
function packageOf(word: string): string {
  if (!word.endsWith("_test.go")) return word;
  const folder = dirname(word);
  return isAbsolute(folder) || folder.startsWith(".") ? folder : `./${folder}`;
}

export const goTest: Framework = {
  name: "go test",
  language: "go",
  recognises: ({ path }) => path.endsWith("_test.go"),
  commands: /^go\s+test(?=\s|$)/,
  takesFolders: true,
  command: async (request) => {
    const go = findProgram("go");
    if (go === undefined)
      throw new UserError("There is no go on PATH: sudo apt install golang-go, or https://go.dev/dl.");
    const known = modules();
    const cache: Record<string, string> = isOpen(known) ? { GOMODCACHE: known } : {};
    const root = /^\/usr\/(?:local\/)?bin\//.test(go) ? [] : [dirname(go)];
    return await countedLine(
      { ...request, args: request.args.map(packageOf) },
      {
        line: [
          'export GOCACHE="$BUILD/go-cache" GOPATH="$BUILD/go"',
          'printf \'{"Module":"%s"}\\n\' "$(go list -m 2>/dev/null)" > "$REPORT"',
          'go test -json "$@" >> "$REPORT" 2>&1',
        ].join("\n"),
        env: { GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "", ...cache },
        programs: root,
        readable: [
          ...root.map((folder) => dirname(folder)),
          ...Object.values(cache),
          "/usr/share/gocode",
          "/usr/local/go",
        ],
      },
      "go",
    );
  },
  hooks: true,
  select: (tests, args) => [
    "-run",
    exactly(tests.map(({ name, title }) => (title ?? name).split("/", 1)[0] ?? "")),
    ...without(args, /^--?run$/),
  ],
  // The first line is ours, and the last of them tells of a package.
  parseResults: (text) => (/^\{"Module":".*"\}\n[\s\S]*\S/.test(text) ? goReport(text, "package") : null),
};
