/**
 * A few lines at the end of a terminal that are rewritten in place. Elsewhere (a pipe, a log, `TERM=dumb`) it shows
 * nothing.
 */

interface LiveRegion {
  readonly isShown: boolean;
  /** Whether it shows nothing now: something else was printed. */
  isEmpty(): boolean;
  /** Takes the place of what was shown before. Lines are cut to the width; control characters must be out of them. */
  show(lines: readonly string[]): void;
  /** Before anything else is printed on the terminal, be it on stdout or stderr. */
  clear(): void;
}

/** Whether lines may be rewritten in place: a person looks at a terminal that can. A log of CI keeps every line. */
export const isTerminal = (
  stream: NodeJS.WriteStream,
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean => stream.isTTY === true && env.TERM !== "dumb" && !env.CI;

/** @param others whose next write clears it first, so that nothing is printed into it */
export function liveRegion(
  stream: NodeJS.WriteStream = process.stderr,
  others: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr],
): LiveRegion {
  const isShown = isTerminal(stream);
  let rows = 0;
  let unwatch = () => {};
  const clear = () => {
    if (rows === 0) return;
    unwatch();
    stream.write(`\r${rows > 1 ? `\x1b[${rows - 1}A` : ""}\x1b[J`);
    rows = 0;
  };
  return {
    isShown,
    isEmpty: () => rows === 0,
    clear,
    show: (lines) => {
      if (!isShown || lines.length === 0) return;
      clear();
      const width = (stream.columns || 80) - 1;
      stream.write(lines.map((line) => cut(line, width)).join("\n"));
      rows = lines.length;
      unwatch = beforeWrites(new Set([stream, ...others]), clear);
    },
  };
}

/** Calls `act` before each write. @returns what puts an end to it */
function beforeWrites(streams: ReadonlySet<NodeJS.WriteStream>, act: () => void): () => void {
  const restore = [...streams].map((stream) => {
    const { write } = stream;
    stream.write = new Proxy(write, {
      apply: (target, self, args) => {
        act();
        return Reflect.apply(target, self, args);
      },
    });
    return () => {
      stream.write = write;
    };
  });
  return () => {
    for (const undo of restore) undo();
  };
}

/** The first characters of a line that fit, where one that is not Latin may be two columns wide. */
function cut(line: string, width: number): string {
  let taken = 0;
  let end = 0;
  for (const char of line) {
    taken += char > "\u02ff" && char !== "…" && char !== "·" ? 2 : 1;
    if (taken > width) break;
    end += char.length;
  }
  return line.slice(0, end);
}
