/** `cargo test`, offline: each test of each target, told by what it prints. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { programsNamed } from "../../base/host/host_programs.ts";
import { toolchain } from "../../languages/rust/toolchain.ts";
import { boxesMayRead } from "../../languages/toolchains.ts";
import type { Project } from "../../project/project.ts";
import type { Framework } from "../framework.ts";
import { cargoReport } from "../reports/cargo.ts";
import { shellLine } from "./shell.ts";
import { storedLine } from "./test_programs.ts";

/** Crates that Debian has, where a project asks for such. */
const CRATES = "/usr/share/cargo/registry";

/** Cargo's own folder of the user, with the crates that are there. */
const home = (): string => process.env.CARGO_HOME ?? join(homedir(), ".cargo");

/** Cargo of the toolchain that the user's shell takes in a project. @throws UserError if there is none */
function cargoFor({ folder, shared }: Project): { cargo: string; version: string; root: string } {
  const found = toolchain({ folder, shared });
  const cargo = found && join(found.root, "bin/cargo");
  if (found && cargo && existsSync(cargo)) return { cargo, version: found.version, root: found.root };
  throw new UserError(
    programsNamed("cargo").length === 0
      ? "There is no cargo on PATH: sudo apt install cargo, or https://rustup.rs."
      : `No Rust on PATH has a cargo that programs in the box may read (found: ${programsNamed("cargo").join(", ")}).`,
  );
}

/** Settings of cargo that take crates from a folder, Debian's or mend's. `printf` writes line ends and folder. */
const SETTINGS = ["[source.crates-io]", 'replace-with = "system"', "[source.system]", 'directory = "%s"', ""].join(
  "\\n",
);

/** Environment variable: if set, cargo reports each compile error in one line. */
export const SHORT_MESSAGES = "MEND_SHORT_MESSAGES";

/** Cargo takes them once. Without the second it stops at the first target with a failing test. */
const OWN = ["--offline", "--no-fail-fast"];
/** With these it names no test. */
const QUIET = ["-q", "--quiet"];

/** The first of them that a project needs is where its crates are: the user's own, else those of the system. */
const LINE = [
  'export CARGO_HOME="$BUILD/cargo" CARGO_TARGET_DIR="$BUILD/target"',
  'mkdir -p "$CARGO_HOME"',
  'if [ -d "$CRATES" ] && [ ! -e "$CARGO_HOME/registry" ]; then ln -s "$CRATES" "$CARGO_HOME/registry"; fi',
  `if [ ! -d "$CRATES" ] && [ -d "$FOLDER" ]; then printf '${SETTINGS}' "$FOLDER" > "$CARGO_HOME/config.toml"; fi`,
  `cargo test ${OWN.join(" ")} \${${SHORT_MESSAGES}:+--message-format=short} "$@" > "$REPORT" 2>&1`,
].join("\n");

/** Cargo starts programs of tests by it; those in comments, which rustdoc does, are not. */
const STARTS = 'export "CARGO_TARGET_$(rustc -vV | sed -n "s/^host: //p" | tr a-z- A-Z_)_RUNNER=sh $BUILD/store.sh"';
const NO_DOC_TESTS = '! grep -A 2 "^ *Doc-tests " "$REPORT" | grep -q "^running [1-9]"';

export const cargoTest: Framework = {
  name: "cargo test",
  language: "rust",
  recognises: ({ path, text }) => path.endsWith(".rs") && /#\[(?:\w+::)?test\b/.test(text),
  commands: /^cargo\s+(?:t|test)(?=\s|$)/,
  command: async (request) => {
    const { cargo, version, root } = cargoFor(request.project);
    const { shared, modules } = request.project;
    const registry = join(home(), "registry");
    const isOwn = modules === undefined && boxesMayRead(registry, shared);
    const crates: Record<string, string> = isOwn ? { CRATES: registry } : { FOLDER: modules ?? CRATES };
    const args = request.args.filter((word) => ![...OWN, ...QUIET].includes(word));
    const stored = storedLine(request, LINE, STARTS, NO_DOC_TESTS);
    return shellLine(
      { ...request, args },
      {
        line: stored.line,
        env: {
          ...stored.env,
          CARGO_TERM_COLOR: "never",
          CARGO_NET_OFFLINE: "true",
          RUST_BACKTRACE: "0",
          // Without debug information they build and link faster.
          CARGO_PROFILE_DEV_DEBUG: "0",
          ...crates,
        },
        tool: `Rust ${version} at ${cargo}`,
        programs: [dirname(cargo)],
        readable: [...stored.readable, root, ...Object.values(crates)],
      },
    );
  },
  select: (tests, args) => {
    const at = args.indexOf("--");
    const [before, behind] = at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
    const options = before.filter(
      (word, i) =>
        word.startsWith("-") ||
        /^(?:-p|--package|--test|--features|-F|--bin|--example|--manifest-path)$/.test(before[i - 1] ?? ""),
    );
    return [...options, "--", "--exact", ...tests.map(({ name, title }) => title ?? name), ...behind];
  },
  parseResults: (text) =>
    /^(?:test result:|error|running \d+ tests?$)/m.test(text) ? cargoReport(text, "target") : null,
};
