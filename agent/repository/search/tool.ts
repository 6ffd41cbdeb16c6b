/** `search_edits` in a repository: small edits of the likeliest functions, tried in live tests. */

import { z } from "zod";
import { SEARCH_EDITS } from "../../tools/search_edits.ts";
import { defineTool, type Tool } from "../../tools/tool.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { isTestFile } from "../patch.ts";
import { functionAt, functionsOf } from "../places/functions.ts";
import { TOP_LEVEL } from "../places/localise.ts";
import type { Prepared } from "../prepare.ts";
import { describeFindings, type SearchFindings } from "./findings.ts";
import { type SearchPlace, searchIn } from "./search_in.ts";
import { SEARCHERS, type Searcher } from "./searchers.ts";

const FUNCTIONS = 5;

const Input = z.object({ file: z.string().optional(), line: z.coerce.number().int().positive().optional() });

/** Who searches tests of this kind; null where nobody can. */
const searcherOf = ({ suite: { plan } }: Pick<Prepared, "suite">): Searcher | null =>
  plan.setup === "" ? (SEARCHERS[plan.framework?.name ?? ""] ?? null) : null;

/** Whether the tests are of a kind that can be searched. */
export const canSearch = (prepared: Prepared): boolean =>
  searcherOf(prepared) !== null && prepared.baseline.failing.length > 0;

/** @param found is told of what a search has found so far: each time an edit has passed, and at its end */
export const repositorySearchTool = (
  prepared: Prepared,
  workspace: Workspace,
  found: (findings: SearchFindings) => void,
): Tool =>
  defineTool({
    name: SEARCH_EDITS,
    description: `${SEARCH_EDITS}: tries many small edits of a function and tells which make the failing tests pass. Input: {"file": "...", "line": a line of the function} (optional; the likeliest functions).`,
    input: Input,
    run: async ({ file, line }, signal) => {
      const began = performance.now();
      const none = (status: string, output: string) => ({ status, output, durationMs: performance.now() - began });
      const searcher = searcherOf(prepared);
      if (!searcher) return none("nothing was tried", "These tests cannot be searched.");
      const places = file === undefined ? likeliest(prepared, searcher) : placeAt(workspace, searcher, file, line ?? 1);
      if (places.length === 0) {
        const where = file === undefined ? noneOf(prepared) : `${file} has none there`;
        return none("nothing was tried", `Here search edits ${searcher.reads}: ${where}.`);
      }
      const findings = await searchIn(prepared, searcher, workspace, places, found, signal);
      if (typeof findings === "string") return none("no result", findings);
      found(findings);
      return { ...describeFindings(findings), durationMs: performance.now() - began };
    },
  });

function noneOf({ suspects }: Prepared): string {
  const likely = suspects.slice(0, FUNCTIONS).map(({ file, name }) => `${name} of ${file}`);
  return likely.length === 0 ? "no function stands out" : `what is likeliest is none (${likely.join(", ")})`;
}

const likeliest = ({ suspects }: Prepared, searcher: Searcher): SearchPlace[] =>
  suspects.filter(({ file, name }) => searcher.edits(file) && name !== TOP_LEVEL).slice(0, FUNCTIONS);

function placeAt(workspace: Workspace, searcher: Searcher, file: string, line: number): SearchPlace[] {
  const read = workspace.read(file);
  if ("problem" in read || !searcher.edits(file) || isTestFile(file)) return [];
  const place = functionAt(functionsOf(file, read.text), line);
  return place ? [{ file: read.name, ...place }] : [];
}
