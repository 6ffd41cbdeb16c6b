/** Gradle, offline: each test of each project of a build, told by the reports that its task `test` writes. */

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { tryForeignText } from "../../base/files/foreign_file.ts";
import { findProgram } from "../../base/host/host_programs.ts";
import { boxesMayRead } from "../../languages/toolchains.ts";
import type { Project } from "../../project/project.ts";
import type { Framework, TestResult } from "../framework.ts";
import { junitReport } from "../reports/junit.ts";
import { isJUnit, javaFolders, shortRun } from "./junit.ts";
import { shellLine, without } from "./shell.ts";
import { recordingClassPaths } from "./warm.ts";

const BUILD_FILES = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
const WRAPPER = "gradle/wrapper/gradle-wrapper.properties";
/** Java 17 asks for groups of the kernel, which a box does not show, once Gradle asks how much memory there is. */
const OPTIONS = "-XX:-UseContainerSupport";
const MOST_BYTES = 100_000;

/** Of the user: what Gradle downloaded before. */
const home = (): string => process.env.GRADLE_USER_HOME ?? join(homedir(), ".gradle");

/** The folder of the Gradle that a project's wrapper once downloaded; undefined where the project has no wrapper. */
function wrapped(folder: string): string | undefined {
  const { text } = tryForeignText(folder, join(folder, WRAPPER), MOST_BYTES);
  const [, name] = /^distributionUrl=.*\/([\w.-]+)\.zip\s*$/m.exec(text ?? "") ?? [];
  if (name === undefined) return undefined;
  const dists = join(home(), "wrapper/dists", name);
  const found = (existsSync(dists) ? readdirSync(dists) : [])
    .map((hash) => join(dists, hash, name.replace(/-(?:bin|all)$/, "")))
    .find((one) => existsSync(join(one, "bin/gradle")));
  if (found === undefined)
    throw new UserError(
      `The project's wrapper wants ${name}, which ${join(home(), "wrapper/dists")} does not hold, and nothing is ` +
        "downloaded here: run ./gradlew test once, or name another command, such as --test 'gradle test'.",
    );
  return found;
}

/** The folder of the Gradle that a command means. @throws UserError where it is not there, or root's alone */
function gradleFor({ folder, shared }: Project): string {
  const program = findProgram("gradle");
  const found = wrapped(folder) ?? (program === undefined ? undefined : dirname(dirname(realpathSync(program))));
  if (found === undefined)
    throw new UserError(
      "There is no gradle on PATH: sudo apt install gradle, or name JUnit's console: --test 'javac … && java -cp … " +
        "org.junit.platform.console.ConsoleLauncher …'.",
    );
  if (!boxesMayRead(found, shared))
    throw new UserError(
      `${found} is root's alone, and in a box root's commands run as another user: chmod -R o+rX it.`,
    );
  return found;
}

/**
 * For all projects of a build: runs tests though nothing changed, accepts a project without a matching test, and writes
 * class paths in the form that `warm/class_paths.py` reads.
 */
const SCRIPT = [
  "def tell = { task, kind, rows ->",
  '  def file = new File(System.getenv("BUILD"), "found/" + kind + task.path.replace(":", "_"))',
  "  file.parentFile.mkdirs()",
  '  file.setText(([kind] + rows).join("\\n"), "UTF-8")',
  "}",
  "allprojects {",
  "  tasks.withType(Test) {",
  "    outputs.upToDateWhen { false }",
  "    filter { setFailOnNoMatchingTests(false) }",
  "    doFirst { one -> tell(one, 'test', [one.workingDir, one.classpath.asPath, one.testClassesDirs.asPath] + " +
    "one.allJvmArgs.findAll { !it.contains('\\n') }) }",
  "  }",
  "  tasks.withType(JavaCompile) { doFirst { one -> tell(one, 'compile', [one.classpath.asPath]) } }",
  "}",
].join("\n");

/** Lines that say nothing of what is wrong. */
const NOISE =
  "^($|:|[*] |Picked up|Run with|FAILURE|BUILD|WARN|[oO]pen[jJ]|java[.]lang[.]|[[:blank:]]+at |[0-9]+ actionable)";

const LINE = [
  'export GRADLE_USER_HOME="$BUILD/gradle"',
  'mkdir -p "$GRADLE_USER_HOME"',
  `printf '%s\\n' "$SCRIPT" > "$BUILD/tests.gradle"`,
  'rm -rf "$BUILD/found"',
  // Reports of an earlier run, where the folder comes with some.
  'find . -path "*/test-results/*" -name "TEST-*.xml" -delete 2>/dev/null',
  'gradle --offline --no-daemon --console=plain --continue -I "$BUILD/tests.gradle" "$@" > "$BUILD/said" 2>&1',
  // What a compiler says follows the name of its task on one line.
  `code=$?; [ "$code" = 0 ] || sed "s|^:[^/ ]*/|/|" "$BUILD/said" | grep -vE '${NOISE}' | head -40 >&2`,
  'find . -path "*/test-results/*" -name "TEST-*.xml" -exec cat {} + > "$REPORT"',
  'grep -q "<testcase" "$REPORT" || rm -f "$REPORT"',
  'exit "$code"',
].join("\n");

/** `package.Class.method` without the arguments of one that has several. */
const filterOf = ({ name }: TestResult): string => name.replace(/[({[].*$/s, "");

export const gradle: Framework = {
  name: "gradle",
  language: "java",
  recognises: (tests, { folder }) => isJUnit(tests) && BUILD_FILES.some((file) => existsSync(join(folder, file))),
  commands: /^(?:\.\/gradlew|gradlew?)(?=\s)/,
  command: async (request) => {
    const { home: java, tool, readable } = javaFolders(request.project);
    const installation = gradleFor(request.project);
    const caches = join(home(), "caches");
    const known: Record<string, string> = boxesMayRead(caches, request.project.shared)
      ? { GRADLE_RO_DEP_CACHE: caches }
      : {};
    const line = {
      line: LINE,
      tool,
      env: { SCRIPT, JAVA_HOME: java, ...shortRun(request, OPTIONS), ...known },
      programs: [join(java, "bin"), join(installation, "bin")],
      readable: [...readable, installation, ...Object.values(known), "/usr/share/java", "/usr/share/maven-repo"],
    };
    return shellLine(request, await recordingClassPaths(line, java, "gradle"));
  },
  select: (tests, args) => [
    ...without(args, /^--tests$/),
    ...[...new Set(tests.map(filterOf))].flatMap((name) => ["--tests", name]),
  ],
  parseResults: (text) => (text.includes("<testcase") ? junitReport(text, "class") : null),
};
