/** A benchmark of your own: `mend eval --benchmark examples/own_benchmark.ts --model search`. */

import { createTask, type OwnBenchmark } from "../index.ts";

const MEDIAN = `def median(numbers):
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 0:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
`;

export const benchmark: OwnBenchmark = {
  name: "statistics",
  shown: "the buggy function and one assertion",
  tasks: [
    {
      id: "median",
      given: createTask({ code: MEDIAN, entryPoint: "median", tests: "assert median([5, 1, 3]) == 3" }),
      solution: MEDIAN.replace("== 0", "== 1"),
      // What a model wrote runs in the sandbox, and every case has to be right.
      score: async (program, { sandbox, signal }) => {
        const cases = [[1], [4, 2], [9, 3, 6], [1, 1, 8, 2]];
        const code = `${program}\nprint([median(numbers) for numbers in ${JSON.stringify(cases)}])`;
        const { stdout } = await sandbox.run({ code, timeoutMs: 5_000, signal });
        const found = stdout
          .trim()
          .replace(/^\[|\]$/g, "")
          .split(", ")
          .map(Number);
        return [1, 3, 6, 1.5].every((right, i) => found[i] === right);
      },
    },
  ],
};
