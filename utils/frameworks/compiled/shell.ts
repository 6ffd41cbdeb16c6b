/** Test runners of compilers, as lines of the shell. */

import type { TestCommand } from "../../project/test_command.ts";
import { BUILD } from "../../project/test_command.ts";
import type { CommandRequest } from "../framework.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
/** A build folder is of use where it was made: elsewhere what it holds names other folders. */
const SAME_PLACE =
  'if [ "$(cat "$BUILD/place" 2>/dev/null)" != "$BUILD $PWD" ]; then rm -rf "$BUILD"/*; echo "$BUILD ' +
  '$PWD" > "$BUILD/place"; fi';

/** A line of the shell that runs tests. */
export interface Line {
  /** In which `$REPORT` is the file for the report, `$BUILD` the folder for what is built and `"$@"` the arguments. */
  line: string;
  env?: Record<string, string>;
  /** Folders of programs, before those of the system. */
  programs?: readonly string[];
  readable?: readonly string[];
  /** The toolchain, with its version and path. */
  tool?: string;
}

export function shellLine(
  { results, args }: CommandRequest,
  { line, env, programs = [], readable = [], tool }: Line,
): TestCommand {
  return {
    argv: ["sh", "-c", `${SAME_PLACE}\n${line}`, "sh", ...args],
    env: { LC_ALL: "C.UTF-8", PATH: [...programs, PATH].join(":"), REPORT: results, BUILD, ...env },
    readable: [...programs, ...readable],
    builds: true,
    ...(tool !== undefined && { tool }),
  };
}

/** Arguments without an option that takes a value, `-x VALUE` or `-x=VALUE`. */
export function without(args: readonly string[], option: RegExp): string[] {
  return args.filter((word, i) => !option.test(word.split("=", 1)[0] ?? "") && !option.test(args[i - 1] ?? ""));
}

/** A regular expression for these texts and no others. */
export const exactly = (texts: Iterable<string>): string =>
  `^(${[...new Set(texts)].map((text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|")})$`;
