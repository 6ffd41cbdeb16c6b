/** What passes beside the patch that is shown, to be chosen by a person. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../utils/data/errors.ts";
import { normalised } from "../patch.ts";
import type { Prepared } from "../prepare.ts";
import type { Attempt } from "../run.ts";
import { type FileEdit, withEdit } from "../search/findings.ts";
import type { ChosenAttempt } from "./choose.ts";

/** What passes, each patch once, the likeliest first: attempts, and edits that a search found. */
export function choicesIn(
  { chosen, others }: ChosenAttempt,
  edits: readonly FileEdit[],
  { base }: Prepared,
): [Attempt, ...Attempt[]] {
  const found = edits.map((edit): Attempt => {
    const before = readFileSync(join(base, edit.file), "utf8");
    const source = [{ file: edit.file, before, after: withEdit(before, edit) }];
    return { ...chosen, patch: { source, tests: [], dropped: [] } };
  });
  const seen = new Set([normalised(chosen.patch.source)]);
  const distinct = [...others, ...found].filter(({ patch }) => {
    const key = normalised(patch.source);
    return seen.has(key) ? false : seen.add(key);
  });
  return [chosen, ...distinct];
}

/** @throws UserError where the tests refuse it */
export async function checked(attempt: Attempt, { verifier }: Prepared, signal?: AbortSignal): Promise<Attempt> {
  const verdict = await verifier.check(attempt.patch, signal);
  if (!verdict.accepted) throw new UserError(`The patch that was chosen does not pass: ${verdict.status}.`);
  return { ...attempt, verdict };
}
