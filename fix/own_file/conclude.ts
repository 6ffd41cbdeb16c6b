/** What becomes of a file once somebody has tried: which edit is taken, what is said of it, and what is written. */

import { relative } from "node:path";
import { UserError } from "../../utils/data/errors.ts";
import { keepPatch } from "../../utils/git/changes/keep_patch.ts";
import { unifiedDiff } from "../../utils/text/diff.ts";
import { bestOf } from "../outcome/best.ts";
import { changesIn, chosenOf } from "../outcome/choices.ts";
import { writeChanges } from "../outcome/write.ts";
import type { FileChange } from "../patch.ts";
import type { Prepared } from "../prepare.ts";
import type { Choice } from "../search/search_places.ts";
import type { SearchTime } from "../search_time.ts";
import { alternativesTo } from "./alternatives.ts";
import { settle, withTold } from "./ask.ts";
import type { OwnFileOutcome } from "./outcome.ts";
import { helpFor } from "./render.ts";
import type { OwnFileParts, OwnFileRequest } from "./request.ts";
import type { TriedPlaces } from "./try_each.ts";

interface Concluded {
  request: OwnFileRequest;
  parts: OwnFileParts;
  /** What is known so far. */
  outcome: OwnFileOutcome;
  /** The file's text, and the file of tests; null where they lie in no file of their own. */
  own: { original: string; tests: { path: string; text: string } | null };
  time: SearchTime | undefined;
}

/** As `git apply` and `patch -p1` want it in the project's root. */
const diffOf = (source: readonly FileChange[]): string =>
  source.map(({ file, before, after }) => unifiedDiff(file, before ?? "", after ?? "")).join("");

/** @throws UserError where what was found cannot be written */
export async function conclude(
  prepared: Prepared,
  tried: TriedPlaces,
  { request, parts, outcome, own, time }: Concluded,
): Promise<OwnFileOutcome> {
  const { say = () => {}, signal } = parts;
  const { attempt, model, turns, doubt, place } = tried;
  const { trajectory } = attempt;
  const { stop } = trajectory;
  const said = stop === "gave_up" ? lastWord(trajectory) : "";
  const why = [said, ...(time?.isUp ? [`${time.explanation}.`] : [])].filter(Boolean).join(" ");
  const isCompared = model.kind.inRepositories === "search_edits";
  const after = { ...outcome, model: model.name, stop, turns, why, is_compared: isCompared };
  if (stop === "aborted") return { ...after, outcome: "interrupted" };
  if (!trajectory.verified) {
    const best = await bestOf(prepared, tried.tried, signal);
    const failed: OwnFileOutcome = {
      ...after,
      outcome: "not_repaired",
      best: best && { passing: best.passing, of: best.of, failing: best.failing, diff: diffOf(best.patch.source) },
    };
    return { ...failed, help: helpFor(failed, model.kind, request) };
  }
  const name = place?.definition ?? outcome.function;
  const shown = ({ source }: Choice) => changesIn(diffOf(source)).join("\n");
  const settled = parts.ask ? await settle(tried, name, parts.ask, shown) : { left: tried.choices, told: [] };
  const [first, ...rest] = settled.left;
  if (!first) throw new Error("an answer left no edit");
  const [chosen, others] = chosenOf([first, ...rest], request.choose ?? 1);
  const isTold = settled.told.length > 0;
  const added = own.tests && isTold ? withTold(own.tests.text, outcome.framework, name, settled.told) : null;
  if (isTold && added === null) say("no test could be written for what you said: add one yourself");
  const told: FileChange[] =
    added === null || !own.tests
      ? []
      : [{ file: relative(prepared.root, own.tests.path), before: own.tests.text, after: added }];
  const changes = [...chosen.source, ...told];
  // Who has chosen knows the others.
  const isChosen = (request.choose ?? 1) > 1;
  const alternatives = isChosen ? [] : alternativesTo([chosen, ...others], ({ source }) => diffOf(source));
  const isSame = chosen.source.length === 0;
  const repaired: OwnFileOutcome = {
    ...after,
    outcome: isSame ? "nothing_to_repair" : "repaired",
    diff: diffOf(changes),
    alternatives,
    is_suggestion: alternatives.length > 0 || (isChosen && others.length > 0) || doubt !== null,
    doubts: doubt === null ? [] : [doubt],
    told: settled.told.map(({ input, value }) => `${name}${input} == ${value}`),
  };
  if (!request.write || isSame) return repaired;
  try {
    const backups = await writeChanges(prepared.root, changes);
    return { ...repaired, written: { backups } };
  } catch (error) {
    // What was found may have cost a lot.
    if (error instanceof UserError) throw new UserError(`${error.message} ${keepPatch(repaired.diff)}`);
    throw error;
  }
}

/** What the model said at its end. */
function lastWord({ steps }: TriedPlaces["attempt"]["trajectory"]): string {
  const reply = steps.at(-1)?.reply;
  return reply?.thought || (reply?.kind === "answer" ? reply.text : "") || "";
}
