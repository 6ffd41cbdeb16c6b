/** How commands end: the same codes everywhere. */

/** 0 done, 1 the harness failed, 2 usage or input, 3 a budget is used up, 100 below `--min-pass`, 130 stopped by Ctrl-C. */
export const EXIT = { ok: 0, failed: 1, usage: 2, budget: 3, belowMinPass: 100, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
/** What a code means; empty for one that a command does not end with. */
export type Exits = Partial<Record<keyof typeof EXIT, string>>;

const USUAL: Exits = {
  ok: "done",
  failed: "incomplete, or mend itself failed",
  usage: "usage or input",
  interrupted: "stopped by Ctrl-C",
};

/** For the help of a command. */
export function exitsOf(own: Exits = {}): string {
  const told: Exits = { ...USUAL, ...own };
  const lines = Object.entries(EXIT).flatMap(([name, code]) => {
    const meaning = Object.entries(told).find(([known]) => known === name)?.[1];
    return meaning ? `  ${String(code).padEnd(5)}${meaning}` : [];
  });
  return `\nExit codes:\n${lines.join("\n")}`;
}
