/** Models that edit an agent's code and need no weights: one row each, beside the agent's own kinds of models. */

import type { ModelKind } from "../../../agent/models/model.ts";
import { afterColon, MODEL_KINDS } from "../../../agent/models/table.ts";

const tune: ModelKind = {
  name: "tune",
  title: "The tuner of the search engine",
  usage: "tune",
  place: "built in",
  recognise: (spec) => (spec === "tune" ? spec : null),
  create: async () => (await import("./tune.ts")).createTuneModel(),
  settings: [],
  languages: [],
  price: "free",
};

const learn: ModelKind = {
  name: "learn",
  title: "The learner of edits",
  usage: "learn:PATH",
  place: "built in",
  recognise: (spec) => afterColon("learn", spec),
  create: async (path, { seed = 0 }) => {
    const [{ createLearnModel }, { openSandbox }] = await Promise.all([
      import("./learn/model.ts"),
      import("../../../utils/sandbox/sandbox.ts"),
    ]);
    return await createLearnModel(path, seed, await openSandbox({ concurrency: 1 }));
  },
  settings: ["seed"],
  languages: [],
  price: "free",
};

/** All that `--meta-model` can name. */
export const EDITOR_KINDS: readonly ModelKind[] = [tune, learn, ...MODEL_KINDS.filter((kind) => !kind.isSearch)];

/** Who edits where the solving model cannot and no editor is named, by the name of the model's kind. */
export const DEFAULT_EDITORS: Readonly<Record<string, string>> = { search: "tune" };
