/**
 * Keeps what a build of Java gave (`warm/class_paths.py`) behind the first run of its tests, so that a search compiles
 * one source by itself and runs the tests in a process that stays (`warm/Warm.java`).
 */

import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fillFromCache, textsIn, versionOf } from "../../base/files/compiled_parts.ts";
import { findPython, findSharedPython } from "../../base/host/python.ts";
import { once, readableFolder } from "../../languages/prepared.ts";
import type { Line } from "./shell.ts";

const SOURCES = fileURLToPath(new URL("./warm", import.meta.url));
const RECORDER = join(SOURCES, "class_paths.py");
const OPTIONS = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-proc:none", "-nowarn"];
const COMPILE_TIMEOUT_MS = 600_000;

/** Of this process; it goes with it. */
const runnerFolder = readableFolder("warm-java");
const compiled = new Map<string, () => Promise<void>>();

/** Compiles the runner, which is ours, or takes what was kept of it. @throws Error where Java's own compiler fails */
function prepared(home: string): Promise<void> {
  const javac = join(home, "bin", "javac");
  const sources = readdirSync(SOURCES).filter((name) => name.endsWith(".java"));
  const compile = async () => {
    const files = sources.map((name) => join(SOURCES, name));
    await promisify(execFile)(javac, [...OPTIONS, "-d", runnerFolder(), ...files], {
      timeout: COMPILE_TIMEOUT_MS,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
    });
  };
  const madeOf = [versionOf(javac), OPTIONS, textsIn(SOURCES)];
  const prepare =
    compiled.get(home) ?? once(() => fillFromCache({ name: "warm-java", madeOf }, runnerFolder(), compile));
  compiled.set(home, prepare);
  return prepare();
}

/**
 * Appends what records the class paths to the line. It prints nothing and keeps the exit code.
 * @param home Java's folder
 * @param runner shell words for `class_paths.py`: where it finds the class paths
 */
export async function recordingClassPaths(line: Line, home: string, runner: string): Promise<Line> {
  await prepared(home);
  const python = await findSharedPython(await findPython());
  return {
    ...line,
    line: [
      `run_tests() {\n${line.line}\n}`,
      '( run_tests "$@" ); code=$?',
      'if [ -s "$REPORT" ] && [ ! -e "$BUILD/java" ]; then',
      `  "$PYTHON" -S -B "$RECORDER" ${runner} > /dev/null 2>&1`,
      'fi; exit "$code"',
    ].join("\n"),
    env: { ...line.env, PYTHON: python.executable, RECORDER, WARM: runnerFolder() },
    readable: [...(line.readable ?? []), dirname(RECORDER), runnerFolder(), ...python.prefixes],
  };
}
