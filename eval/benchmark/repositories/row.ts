/** Real fixes of real repositories, in the formats of SWE-bench, Multi-SWE-bench and SWE-bench Pro. */

import { UserError } from "../../../utils/base/data/errors.ts";
import type { OpenOptions, OtherRow } from "../row.ts";

/** Without clones. @throws UserError where there is no engine for containers either */
async function inImages(rows: string, { openEngine, image, log }: Pick<OpenOptions, "openEngine" | "image" | "log">) {
  const { findEngine } = await import("../../../utils/sandbox/container/engine.ts");
  const engine = await (openEngine ?? findEngine)().catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    const where = "say with --repositories PATH where these are, or run them in their images";
    throw new UserError(`${rows} holds fixes of repositories: ${where}. ${error.message}`);
  });
  return (await import("./images.ts")).openImages({ engine, template: image, say: log });
}

export const repositories: OtherRow = {
  name: "repositories",
  about: {
    task: "an issue of a repository, in Python or JavaScript",
    size: "as many as its rows",
    shown: "issue and repository, no scoring tests",
    scores: "the developers' tests, in a fresh copy",
    licence: "each repository's own",
    source: "SWE-bench, Multi-SWE-bench, SWE-bench Pro; rows of `mend mine`",
    dataset: "hub id or FILE.jsonl, with Docker or Podman, or with --repositories PATH (a git bundle, clones)",
  },
  known: {
    fields: [
      ["FAIL_TO_PASS", "test_patch"],
      ["fix_patch", "test_patch"],
      ["dockerhub_tag", "test_patch"],
    ],
  },
  open: async (rows, { repositories: path, openBox, openEngine, image, ...options }) => {
    const { openRepositoryBenchmark } = await import("./benchmark.ts");
    const repositories = path ?? (await inImages(rows, { openEngine, image, log: options.log }));
    return await openRepositoryBenchmark({ ...options, rows, repositories, box: await openBox() });
  },
  unpacker: async (options) => (await import("./travel.ts")).openUnpacker(options),
};
