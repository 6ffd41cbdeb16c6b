/** `go test`: each test of each package, told by its own JSON. */

import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { standardCache } from "../../languages/go/standard_cache.ts";
import { toolchain } from "../../languages/go/toolchain.ts";
import { boxesMayRead } from "../../languages/toolchains.ts";
import type { Framework, TestResult } from "../framework.ts";
import { goReport } from "../reports/go.ts";
import { countedLine } from "./counted.ts";
import { exactly, without } from "./shell.ts";
import { storedLine } from "./test_programs.ts";

/** Modules that the user has downloaded; those of Debian lie in a GOPATH. */
const modules = (): string =>
  process.env.GOMODCACHE ?? join(process.env.GOPATH?.split(":", 1)[0] ?? join(homedir(), "go"), "pkg/mod");

/** A file of tests is compiled with the rest of its package, unless its other files are named, too. */
function packageOf(word: string, _: number, args: readonly string[]): string {
  if (!word.endsWith("_test.go") || args.some((one) => /(?<!_test)\.go$/.test(one))) return word;
  const folder = dirname(word);
  return isAbsolute(folder) || folder.startsWith(".") ? folder : `./${folder}`;
}

const LINE = [
  'export GOCACHE="$BUILD/go-cache" GOPATH="$BUILD/go"',
  '[ -z "$STANDARD" ] || [ -e "$GOCACHE" ] || cp -r "$STANDARD" "$GOCACHE"',
  'printf \'{"Folder":"%s"}\\n\' "$PWD" > "$REPORT"',
  // Several in a workspace, and none where packages lie in a GOPATH.
  'go list -m -f \'{"Module":"{{.Path}}","Dir":"{{.Dir}}"}\' >> "$REPORT" 2>/dev/null',
  'go test -json "$@" >> "$REPORT" 2>&1',
].join("\n");

/** What passes is tested once more with what `go vet` says. */
const STARTS = 'set -- -vet=off -exec "sh $BUILD/store.sh" "$@"';

/** Of files that a command names one by one. */
const NO_PACKAGE = "command-line-arguments";

/** Packages of tests; none where one has no name. */
function packagesOf(tests: readonly TestResult[]): string[] {
  const names = tests.map(({ name, title = name }) => name.slice(0, -title.length - 1));
  return names.some((name) => name === "" || name === NO_PACKAGE) ? [] : [...new Set(names)];
}

/** Options of `go test` that take no value behind a space. */
const SWITCHES = [
  ...["v", "a", "n", "x", "i", "c", "race", "msan", "asan", "cover", "short", "failfast", "json", "work"],
  ...["trimpath", "modcacherw", "linkshared", "buildvcs", "benchmem", "fullpath"],
];
const SWITCH = new RegExp(`^--?(?:${SWITCHES.join("|")}|test\\.\\w+)$|=`);

/** Arguments with these packages in place of those that they name. */
function ofPackages(packages: readonly string[], args: readonly string[]): string[] {
  if (packages.length === 0) return [...args];
  const end = args.findIndex((word) => /^--?args$/.test(word));
  const [ours, theirs] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)];
  const isValue = (i: number) => ours[i - 1]?.startsWith("-") === true && !SWITCH.test(ours[i - 1] ?? "");
  const options = ours.filter((word, i) => word.startsWith("-") || isValue(i));
  return [...options, ...packages, ...theirs];
}

export const goTest: Framework = {
  name: "go test",
  language: "go",
  recognises: ({ path }) => path.endsWith("_test.go"),
  commands: /^go\s+test(?=\s|$)/,
  takesFolders: true,
  command: async (request) => {
    const { folder, shared, modules: fetched } = request.project;
    const go = toolchain({ folder, shared });
    if (go === null) throw new UserError("There is no go on PATH: sudo apt install golang-go, or https://go.dev/dl.");
    const known = fetched ?? modules();
    const cache: Record<string, string> = boxesMayRead(known, shared) ? { GOMODCACHE: known } : {};
    const standard = await standardCache(go);
    const stored = storedLine(request, LINE, STARTS);
    return await countedLine(
      { ...request, args: request.args.map(packageOf) },
      {
        line: stored.line,
        env: { GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "", STANDARD: standard ?? "", ...cache, ...stored.env },
        tool: `Go ${go.version} at ${join(go.root, "bin/go")}`,
        programs: [join(go.root, "bin")],
        readable: [
          ...stored.readable,
          ...(standard === null ? [] : [standard]),
          go.root,
          ...Object.values(cache),
          "/usr/share/gocode",
        ],
      },
      "go",
    );
  },
  hooks: true,
  select: (tests, args) => [
    "-run",
    exactly(tests.map(({ name, title }) => (title ?? name).split("/", 1)[0] ?? "")),
    ...ofPackages(packagesOf(tests), without(args, /^--?run$/)),
  ],
  // Our own lines come first, the folder and the modules; then Go must have printed something.
  parseResults: (text) =>
    /^\{"Folder":".*"\}\n(?:\{"Module":.*\n)*[\s\S]*\S/.test(text) ? goReport(text, "package") : null,
};
