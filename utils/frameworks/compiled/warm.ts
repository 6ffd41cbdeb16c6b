/**
 * Keeps what a build of Java gave (`warm/class_paths.py`) behind the first run of its tests, so that a search compiles
 * one source by itself and runs the tests in a process that stays (`warm/Warm.java`).
 */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPython, findSharedPython } from "../../base/host/python.ts";
import { compileRunner } from "../../languages/java/toolchain.ts";
import { once, readableFolder } from "../../languages/prepared.ts";
import type { Line } from "./shell.ts";

const SOURCES = fileURLToPath(new URL("./warm", import.meta.url));
const RECORDER = join(SOURCES, "class_paths.py");
/** Of this process; it goes with it. */
const runnerFolder = readableFolder("warm-java");
const compiled = new Map<string, () => Promise<void>>();

/** Compiles the runner, which is ours, or takes what was kept of it. @throws Error where Java's own compiler fails */
function prepared(home: string): Promise<void> {
  const prepare =
    compiled.get(home) ?? once(() => compileRunner(home, { name: "warm-java", sources: SOURCES, runnerFolder }));
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
