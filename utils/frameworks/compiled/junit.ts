/** Tests of JUnit, by Maven and by JUnit's own console. */

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { tryForeignText } from "../../base/files/foreign_file.ts";
import { findProgram } from "../../base/host/host_programs.ts";
import { ancestors, within } from "../../base/host/project_root.ts";
import { oneOf } from "../../base/text/patterns.ts";
import { mavenInstallation, SYSTEM_MAVEN, toolchain } from "../../languages/java/toolchain.ts";
import { boxesMayRead } from "../../languages/toolchains.ts";
import type { Project } from "../../project/project.ts";
import type { CommandRequest, Framework, TestFile, TestResult } from "../framework.ts";
import { junitReport } from "../reports/junit.ts";
import { shellLine } from "./shell.ts";
import { recordingClassPaths } from "./warm.ts";

export const isJUnit = ({ path, text }: TestFile): boolean =>
  path.endsWith(".java") && /^import\s+(?:static\s+)?org\.junit\./m.test(text);

/** What runners write is gathered, also where tests fail. */
const GATHER = (where: string) => `code=$?; cat ${where} > "$REPORT" 2>/dev/null; exit "$code"`;
const CLASS = /^(.*)\.([^.]+)$/;

/** Java's folder, and what lies beside it that links of Debian lead to. */
export function javaFolders({ shared }: Project): { home: string; tool: string; readable: string[] } {
  const found = toolchain({ shared });
  if (found === null) throw new UserError("There is no javac on PATH: sudo apt install openjdk-17-jdk-headless.");
  const { home, version } = found;
  return { home, tool: `Java ${version} at ${home}`, readable: [home] };
}

/** Of many runs each is too short for a compiler that optimises: what Java takes besides, in its own variable. */
export const shortRun = ({ round }: CommandRequest, options = ""): Record<string, string> => {
  const all = [...(options === "" ? [] : [options]), ...(round === undefined ? [] : ["-XX:TieredStopAtLevel=1"])];
  return all.length === 0 ? {} : { JAVA_TOOL_OPTIONS: all.join(" ") };
};

/** Java takes one collector alone. */
const collectorFor = ({ round, args }: CommandRequest): string =>
  round === undefined || args.some((word) => /^-XX:\+Use\w+GC$/.test(word)) ? "" : "-XX:+UseSerialGC ";

/** `Class#method` of Maven's `-Dtest`. */
const mavenNames = (tests: readonly TestResult[]): string =>
  [
    ...new Set(
      tests.map(({ name }) =>
        name.replace(CLASS, (_, type: string, method: string) => `${type}#${method.replace(/[({[].*$/, "")}`),
      ),
    ),
  ].join(",");

const LOCAL = "-Dmaven.repo.local=";
/** In a folder where Maven put the parts of itself that every build needs. */
const MAVENS_OWN = "org/apache/maven";
const MOST_BYTES = 100_000;

/** Where Maven finds what it downloaded: as the command, the project or the user's settings say. */
function repositoryFor({ root, folder, modules }: Project, args: readonly string[]): string {
  const namedIn = (words: readonly string[]) => words.findLast((word) => word.startsWith(LOCAL))?.slice(LOCAL.length);
  const named = namedIn(args) ?? modules;
  if (named !== undefined) return resolve(folder, named);
  const place = ancestors(folder).find((path) => within(root, path) && existsSync(join(path, ".mvn")));
  const { text } = tryForeignText(root, join(place ?? folder, ".mvn/maven.config"), MOST_BYTES);
  const own = namedIn((text ?? "").split(/\s+/))?.replaceAll(/\$\{user\.home\}/g, homedir());
  const settings = join(homedir(), ".m2/settings.xml");
  const usual = /<localRepository>\s*(.+?)\s*</.exec(existsSync(settings) ? readFileSync(settings, "utf8") : "")?.[1];
  if (own === undefined) return usual?.replaceAll(/\$\{user\.home\}/g, homedir()) ?? join(homedir(), ".m2/repository");
  const path = resolve(folder, own);
  // A project may be anybody's, and what it runs sees this folder.
  if (existsSync(join(path, MAVENS_OWN))) return path;
  throw new UserError(
    `.mvn/maven.config names ${path} as Maven's repository, which holds no ${MAVENS_OWN}: mend shows no other folder ` +
      "to a project's programs. Run mvn test once, or name another one with -Dmaven.repo.local=FOLDER.",
  );
}

export const maven: Framework = {
  name: "mvn",
  language: "java",
  recognises: (tests, { folder }) => isJUnit(tests) && existsSync(join(folder, "pom.xml")),
  commands: /^(?:\.\/mvnw|mvnw?)(?=\s)/,
  command: async (request) => {
    const program = findProgram("mvn");
    if (program === undefined) throw new UserError("There is no mvn on PATH: sudo apt install maven.");
    const { home, tool, readable } = javaFolders(request.project);
    const own = repositoryFor(request.project, request.args);
    const installation = mavenInstallation(program);
    const local = existsSync(own) ? [own] : [];
    if (local.length > 0 && !boxesMayRead(own, request.project.shared))
      throw new UserError(
        `${own} is root's alone, and in a box root's commands run as another user: chmod -R o+rX ${own}, or ` +
          "name a copy with -Dmaven.repo.local=FOLDER.",
      );
    const options = local.map((folder) => `${LOCAL}${folder}`);
    const args = [...options, ...request.args.filter((word) => !word.startsWith(LOCAL))];
    const line = {
      line: [
        // What it downloaded before is all that there is, and is read where it lies.
        "mvn -o -B -ntp -Dstyle.color=never -Daether.enhancedLocalRepository.trackingFilename=none " +
          '-DtrimStackTrace=true "$@" > "$BUILD/said" 2>&1',
        'code=$?; [ "$code" = 0 ] || grep -E "(ERROR|FATAL)[]]" "$BUILD/said" | grep -vE "Help 1. ' +
          'http|[Rr]e-run Maven|following articles|ERROR. *$" | head -40 >&2',
        'find . -path "*/surefire-reports/*.xml" -exec cat {} + > "$REPORT"',
        'grep -q "<testcase" "$REPORT" || rm -f "$REPORT"',
        'exit "$code"',
      ].join("\n"),
      env: { JAVA_HOME: home, ...shortRun(request) },
      tool,
      programs: [join(home, "bin"), join(installation, "bin")],
      readable: [...readable, installation, ...SYSTEM_MAVEN, ...local],
    };
    return shellLine({ ...request, args }, await recordingClassPaths(line, home, "surefire"));
  },
  select: (tests, args) => [
    `-Dtest=${mavenNames(tests)}`,
    "-DfailIfNoTests=false",
    "-Dsurefire.failIfNoSpecifiedTests=false",
    ...args.filter((word) => !word.startsWith("-Dtest=")),
  ],
  parseResults: (text) => (text.includes("<testcase") ? junitReport(text, "class") : null),
};

/** What follows `java` up to the console, with its class path; the console's own options behind it. */
const LAUNCHER = oneOf(
  /org\.junit\.platform\.console\.ConsoleLauncher/,
  /(?:-jar\s+)\S*junit-platform-console-standalone\S*\.jar/,
);
const CONSOLE = new RegExp(`^java(?<flags>(?:\\s+\\S+)*?\\s+${LAUNCHER})(?=\\s|$)`);

/** Options of the console that say which tests run. */
const CHOOSES = /^(?:--(?:scan|select|include|exclude)[\w-]*(?:=.*)?|-[cmpounNte])$/;

export const junitConsole: Framework = {
  name: "junit",
  language: "java",
  recognises: () => false,
  commands: CONSOLE,
  command: async (request) => {
    const { home, tool, readable } = javaFolders(request.project);
    const line = {
      tool,
      line: [
        'rm -rf "$BUILD/reports"',
        `java ${collectorFor(request)}"$@" --reports-dir="$BUILD/reports" --disable-banner --details=none >&2`,
        GATHER('"$BUILD"/reports/*.xml'),
      ].join("\n"),
      env: { JAVA_HOME: home, ...shortRun(request) },
      programs: [join(home, "bin")],
      readable: [...readable, "/usr/share/java"],
    };
    return shellLine(request, await recordingClassPaths(line, home, 'console "$@"'));
  },
  select: (tests, args) => {
    const methods = tests.map(
      ({ name }) => `--select-method=${name.replace(CLASS, (_, type: string, method: string) => `${type}#${method}`)}`,
    );
    const isValue = (word: string, i: number) => !word.startsWith("-") && CHOOSES.test(args[i - 1] ?? "");
    const kept = args.filter((word, i) => !CHOOSES.test(word) && !isValue(word, i));
    return [...kept, ...new Set(methods)];
  },
  parseResults: (text) => (text.includes("<testsuite") ? junitReport(text, "class") : null),
};
