/**
 * Programs of tests that run once for each edit: `test_programs/store.sh` stores them, and they run without another
 * build.
 */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandRequest } from "../framework.ts";

const STORE = fileURLToPath(new URL("./test_programs/store.sh", import.meta.url));

/** A line of the shell that runs tests, and what it needs. */
interface ShellLine {
  line: string;
  env: Record<string, string>;
  readable: string[];
}

/**
 * Around a line that runs tests, for the rounds of a request: in the first all that was stored before is dropped, in
 * the next ones programs that were stored for these arguments run by themselves, and their exit code alone counts.
 * @param line as it runs the tests where there are no rounds
 * @param starts words of the shell that make it start programs by `sh "$BUILD/store.sh"`
 * @param isAll a condition of the shell behind it: whether these programs are all that it ran
 */
export function storedLine({ round }: CommandRequest, line: string, starts: string, isAll = "true"): ShellLine {
  if (round === undefined) return { line, env: {}, readable: [] };
  const lines = [
    'export PROGRAMS="$BUILD/programs/$(printf "%s " "$@" | cksum | tr -d " ")"',
    ...(round === "first" ? ['rm -rf "$BUILD/programs"'] : [RUN_STORED]),
    'mkdir -p "$PROGRAMS" && cp "$STORE" "$BUILD/store.sh"',
    starts,
    line,
    `code=$?; if ls "$PROGRAMS"/*.sh > /dev/null 2>&1 && ${isAll}; then : > "$PROGRAMS/whole"; fi; exit "$code"`,
  ];
  return { line: lines.join("\n"), env: { STORE }, readable: [dirname(STORE)] };
}

const RUN_STORED =
  'if [ -e "$PROGRAMS/whole" ]; then for one in "$PROGRAMS"/*.sh; do sh "$one" || exit 1; done; exit 0; fi';
