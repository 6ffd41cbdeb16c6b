/** Tasks of the lab that take a moment, with visible tests. */

/** Rows of functions with one wrong sign: the first `plain` have one sign, the others four. */
export function signsRows(count: number, plain: number): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const terms = i < plain ? [i + 1] : [i + 1, 2 * i + 30, 3 * i + 100, 5 * i + 400];
    const body = (wrong: number) => terms.map((term, at) => ` ${at === wrong ? "-" : "+"} ${term}`).join("");
    const value = (x: number) => terms.reduce((sum, term) => sum + term, x);
    const declaration = "def f(x):\n";
    return {
      task_id: `Signs/${i}`,
      entry_point: "f",
      instruction: `Add ${terms.join(", ")} to x.`,
      declaration,
      prompt: `${declaration}    """ Add ${terms.join(", ")} to x. """\n`,
      buggy_solution: `    return x${body(i % terms.length)}\n`,
      canonical_solution: `    return x${body(-1)}\n`,
      example_test: `assert f(1) == ${value(1)}\n`,
      test: `assert f(2) == ${value(2)}\nassert f(-7) == ${value(-7)}\n`,
      bug_type: "operator misuse",
    };
  });
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
