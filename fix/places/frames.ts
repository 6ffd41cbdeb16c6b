/** Places that a stack trace names. */

export interface Frame {
  /** As the trace has it. */
  file: string;
  line: number;
}

/** The innermost first: Python's traces end with it, those of V8 begin with it. */
export function framesIn(text: string): Frame[] {
  const found = [
    ...text.matchAll(
      /(?:File "([^"\n]+)", line (\d+))|(?:^|[\s(])((?:[\w@.-]+\/)*[\w@.-]+\.(?:py|[cm]?[jt]sx?)):(\d+)/gm,
    ),
  ].map(([, named, at, path, line]) => ({
    file: (named ?? path ?? "").replace(/^\.\//, ""),
    line: Number(at ?? line),
  }));
  const isPythonTrace = found.some(({ file }) => file.endsWith(".py"));
  return isPythonTrace ? found.reverse() : found;
}
