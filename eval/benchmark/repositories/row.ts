/** Real fixes of real repositories, in the schemas of SWE-bench and Multi-SWE-bench. */

import { UserError } from "../../../utils/base/data/errors.ts";
import type { OtherRow } from "../row.ts";

export const repositories: OtherRow = {
  name: "repositories",
  about: {
    task: "an issue of a repository, in Python or JavaScript",
    size: "as many as its rows",
    shown: "issue and repository, no scoring tests",
    scores: "the developers' tests, in a fresh copy",
    licence: "each repository's own",
    source: "SWE-bench, Multi-SWE-bench, SWE-bench-java; rows of `mend mine`",
    dataset: "FILE.jsonl, with --repositories PATH (a git bundle or a folder of clones)",
  },
  known: {
    fields: [
      ["FAIL_TO_PASS", "test_patch"],
      ["fix_patch", "test_patch"],
    ],
  },
  open: async (rows, { repositories: path, openBox, ...options }) => {
    if (path === undefined)
      throw new UserError(`${rows} holds fixes of repositories: say with --repositories PATH where these are.`);
    const { openRepositoryBenchmark } = await import("./benchmark.ts");
    return await openRepositoryBenchmark({ ...options, rows, repositories: path, box: await openBox() });
  },
  unpacker: async (options) => (await import("./travel.ts")).openUnpacker(options),
};
