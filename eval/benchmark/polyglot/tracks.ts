/** How the tests of an exercise are run, by its track. A new track is its row. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "../../../utils/base/host/host_programs.ts";
import type { Framework, TestReport } from "../../../utils/frameworks/framework.ts";
import { frameworkNamed } from "../../../utils/frameworks/registry.ts";
import { cargoReport } from "../../../utils/frameworks/reports/cargo.ts";
import { goReport } from "../../../utils/frameworks/reports/go.ts";
import { junitReport } from "../../../utils/frameworks/reports/junit.ts";
import { shellCommand } from "../../../utils/frameworks/shell_command.ts";
import { standardCache } from "../../../utils/languages/go/standard_cache.ts";
import { toolchain as goToolchain } from "../../../utils/languages/go/toolchain.ts";
import { toolchain } from "../../../utils/languages/java/toolchain.ts";
import { toolchain as rustToolchain } from "../../../utils/languages/rust/toolchain.ts";
import type { Project } from "../../../utils/project/project.ts";
import type { TestCommand } from "../../../utils/project/test_command.ts";
import type { Exercise } from "./exercise.ts";

/** What a run left. */
export interface TestOutput {
  /** Text of the file that the command was to write; null where there is none. */
  report: string | null;
  stdout: string;
}

export interface Track {
  /** As its folder is called. */
  name: string;
  /** What is missing on this machine, and the command that brings it; null where nothing is. Absent: nothing can be. */
  missing?(): string | null;
  /** Has tests that wait to be switched on run. Absent: none wait. */
  switchedOn?(test: string): string;
  /** @param results absolute path of the file for the report, @throws UserError where something is not installed */
  command(exercise: Exercise, request: { project: Project; results: string }): Promise<TestCommand>;
  /** What a file of tests holds where there is a test in it. */
  test: RegExp;
  /** Null where the run ended before it could tell. */
  report(told: TestOutput): TestReport | null;
  /** True where packages of npm's registry are needed. */
  npm?: true;
  /** True where the Python that runs them needs pytest. */
  pytest?: true;
}

function framework(name: string): Pick<Track, "command" | "report"> {
  const known = (): Framework => {
    const found = frameworkNamed(name);
    if (!found) throw new Error(`${name} is not a known framework`);
    return found;
  };
  return {
    command: ({ tests }, request) => known().command({ ...request, args: testFiles(tests) }),
    report: ({ report }) => (report === null ? null : known().parseResults(report)),
  };
}

const testFiles = (tests: Exercise["tests"]): string[] =>
  Object.keys(tests).filter((file) => /(?:_test\.py|\.spec\.js)$/.test(file));

/** A line for the shell, in which `$REPORT` is the file for the report. */
async function shell(project: Project, results: string, line: string, env: Record<string, string> = {}) {
  const command = await shellCommand(project, ["sh", "-c", line]);
  return { ...command, env: { ...command.env, ...env, REPORT: results } };
}

/** The same with the programs of a toolchain before all others. */
async function shellWith(root: string, ...[project, results, line, env]: Parameters<typeof shell>) {
  const command = await shell(project, results, `export PATH="$TOOLS/bin:$PATH" && ${line}`, { ...env, TOOLS: root });
  return { ...command, readable: [...command.readable, root] };
}

/** Programs of the system: a box shows no others. */
const inSystem = (program: string): boolean => /^\/usr\/(?:local\/)?bin\//.test(programPath(program));
const programPath = (program: string): string =>
  ["/usr/local/bin", "/usr/bin"].map((folder) => join(folder, program)).find((path) => existsSync(path)) ??
  findProgram(program) ??
  "";

const lacks = (programs: readonly string[], install: string): string | null => {
  const missing = programs.filter((program) => !inSystem(program));
  return missing.length === 0 ? null : `there is no ${missing.join(", no ")} in /usr/bin: ${install}`;
};

const JARS = [
  ...["junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params"],
  ...["junit-platform-commons", "junit-platform-engine", "junit-platform-launcher", "junit-platform-console"],
  ...["junit-platform-reporting", "opentest4j", "opentest4j-reporting-events", "opentest4j-reporting-schema"],
  ...["apiguardian-api", "picocli", "univocity-parsers", "assertj-core", "byte-buddy"],
];
/** Only some exercises need it. */
const JSON_JAR = "com.android.json";
const jar = (name: string) => `/usr/share/java/${name}.jar`;

const CRATES = "/usr/share/cargo/registry";
const CARGO_SETTINGS = [
  ...["[source.crates-io]", 'replace-with = "system"', "[source.system]", `directory = "${CRATES}"`],
  ...["[net]", "offline = true", ""],
].join("\\n");

const python: Track = {
  name: "python",
  test: /def test/,
  pytest: true,
  ...framework("pytest"),
};

const javascript: Track = {
  name: "javascript",
  test: /\b(?:x?test|it)(?:\.\w+)*\(/,
  switchedOn: (text) => text.replace(/\bxtest\(/g, "test("),
  npm: true,
  ...framework("jest"),
};

const go: Track = {
  name: "go",
  test: /^func (?:Test|Example)/m,
  missing: () => (goToolchain() ? null : "there is no go on PATH: apt-get install golang-go"),
  command: async (_, { project, results }) => {
    const found = goToolchain();
    const standard = found && (await standardCache(found));
    const line = `${GO_FOLDERS} && go test -json ./... > "$REPORT"`;
    const command = await shellWith(found?.root ?? "", project, results, line, {
      ...{ GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local", STANDARD: standard ?? "" },
    });
    return { ...command, readable: [...command.readable, ...(standard === null ? [] : [standard])] };
  },
  report: ({ report }) => (report === null ? null : goReport(report)),
};

const GO_FOLDERS =
  'export GOCACHE="$TMPDIR/go-cache" GOPATH="$TMPDIR/go" && { [ -z "$STANDARD" ] || cp -r "$STANDARD" "$GOCACHE"; }';

const rust: Track = {
  name: "rust",
  test: /#\[test\]/,
  missing: () =>
    (rustToolchain() ? null : "there is no cargo on PATH: apt-get install cargo") ??
    (existsSync(CRATES) ? null : "there are no crates: apt-get install librust-rand-dev librust-time-dev"),
  command: (_, { project, results }) => {
    const folders = 'export CARGO_HOME="$TMPDIR/cargo" CARGO_TARGET_DIR="$TMPDIR/target"';
    const settings = `mkdir -p "$CARGO_HOME" && printf '${CARGO_SETTINGS}' > "$CARGO_HOME/config.toml"`;
    const line = `${folders} && ${settings} && cargo test --offline -- --include-ignored`;
    return shellWith(rustToolchain()?.root ?? "", project, results, line, { CARGO_TERM_COLOR: "never" });
  },
  report: ({ stdout }) => cargoReport(stdout),
};

const cpp: Track = {
  name: "cpp",
  test: /TEST_CASE|SCENARIO/,
  missing: () => lacks(["g++"], "apt-get install g++ cmake"),
  command: ({ name }, { project, results }) => {
    const build = inSystem("cmake")
      ? `cmake -DEXERCISM_RUN_ALL_TESTS=1 -S . -B "$BUILD" > /dev/null && cmake --build "$BUILD" ` +
        `--target '${name}'`
      : `mkdir "$BUILD" && g++ ${WARNINGS} -std=c++17 -g -DEXERCISM_RUN_ALL_TESTS *.cpp test/tests-main.cpp ` +
        `-pthread -o "$BUILD/${name}"`;
    const line = `export BUILD="$TMPDIR/build" && { ${build}; } >&2 && "$BUILD/${name}" -r junit -o "$REPORT"`;
    return shell(project, results, line);
  },
  report: ({ report }) => (report === null ? null : junitReport(report)),
};
const WARNINGS = "-Wall -Wextra -Wpedantic -Werror";

const java: Track = {
  name: "java",
  test: /@(?:\w+)?Test\b/,
  missing: () => {
    if (!toolchain()) return "there is no javac: apt-get install default-jdk-headless";
    const lacking = JARS.map(jar).filter((file) => !existsSync(file));
    const install = "apt-get install junit5 libassertj-core-java";
    return lacking.length === 0 ? null : `there is no ${lacking.join(", ")}: ${install}`;
  },
  switchedOn: (text) => text.replace(/@Disabled\([^)]*\)\s*\n/g, ""),
  command: async (_, { project, results }) => {
    const home = toolchain()?.home ?? "";
    const path = [...JARS, JSON_JAR].map(jar).filter((file) => existsSync(file));
    const line = [
      'mkdir -p "$TMPDIR/classes"',
      '"$JAVA/bin/javac" -nowarn -proc:none -d "$TMPDIR/classes" -cp "$JARS" $(find . -name "*.java")',
      `{ "$JAVA/bin/java" -cp "$TMPDIR/classes:$JARS" ${LAUNCHER} >&2; code=$?; }`,
      'cat "$TMPDIR"/reports/*.xml > "$REPORT"',
      'exit "$code"',
    ].join(" && ");
    const command = await shell(project, results, line, { JAVA: home, JARS: path.join(":") });
    return { ...command, readable: [...command.readable, home, ...path.map((file) => dirname(file))] };
  },
  report: ({ report }) => (report === null ? null : junitReport(report)),
};

const LAUNCHER = [
  ...["org.junit.platform.console.ConsoleLauncher", '--scan-classpath "$TMPDIR/classes"'],
  ...['--reports-dir "$TMPDIR/reports"', "--disable-banner", "--details none"],
].join(" ");

export const TRACKS: readonly Track[] = [cpp, go, java, javascript, python, rust];
