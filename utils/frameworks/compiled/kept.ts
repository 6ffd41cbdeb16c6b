/** Programs of tests that run once for each edit: `keeping/keep.sh` keeps them, and they run without another build. */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandRequest } from "../framework.ts";

const KEEPER = fileURLToPath(new URL("./keeping/keep.sh", import.meta.url));

/** A line of the shell that runs tests, and what it needs. */
interface ShellLine {
  line: string;
  env: Record<string, string>;
  readable: string[];
}

/**
 * Around a line that runs tests, for the rounds of a request: in the first all that was kept before is dropped, in the
 * next ones programs that were kept for these arguments run by themselves, and their exit code alone counts.
 * @param line as it runs the tests where there are no rounds
 * @param starts words of the shell that make it start programs by `sh "$BUILD/keep.sh"`
 * @param isAll a condition of the shell behind it: whether these programs are all that it ran
 */
export function keptLine({ round }: CommandRequest, line: string, starts: string, isAll = "true"): ShellLine {
  if (round === undefined) return { line, env: {}, readable: [] };
  const lines = [
    'export KEEP="$BUILD/kept/$(printf "%s " "$@" | cksum | tr -d " ")"',
    ...(round === "first" ? ['rm -rf "$BUILD/kept"'] : [RUN_KEPT]),
    'mkdir -p "$KEEP" && cp "$KEEPER" "$BUILD/keep.sh"',
    starts,
    line,
    `code=$?; if ls "$KEEP"/*.sh > /dev/null 2>&1 && ${isAll}; then : > "$KEEP/whole"; fi; exit "$code"`,
  ];
  return { line: lines.join("\n"), env: { KEEPER }, readable: [dirname(KEEPER)] };
}

const RUN_KEPT = 'if [ -e "$KEEP/whole" ]; then for one in "$KEEP"/*.sh; do sh "$one" || exit 1; done; exit 0; fi';
