/** Repairs one function of a user's own file: asks, and says what became of it. */

import { relative } from "node:path";
import { UserError } from "../../utils/data/errors.ts";
import { keepPatch } from "../../utils/git/changes/keep_patch.ts";
import { writeTogether } from "../../utils/git/changes/write_together.ts";
import type { CommandBox } from "../../utils/sandbox/command_box.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { unifiedDiff } from "../../utils/text/diff.ts";
import { changesIn, chosenOf } from "../outcome/choices.ts";
import type { Prepared } from "../prepare.ts";
import type { SearchTime } from "../search_time.ts";
import { alternativesTo, choicesIn } from "./alternatives.ts";
import { type Ask, settle, withTold } from "./ask.ts";
import { type AttemptParts, type AttemptRequest, attempt } from "./attempts.ts";
import type { NamedEntry } from "./check_input.ts";
import type { FunctionTests } from "./function_tests.ts";
import { openLiveSearch } from "./live_search.ts";
import type { OwnFileOutcome } from "./outcome.ts";
import { helpFor } from "./render.ts";

export interface OwnFileRequest extends AttemptRequest {
  file: string;
  /** A top-level function, class or `Class.method`. Default: those that failing tests point to, one after the other. */
  name?: string | undefined;
  /** A file of tests. Default: the one that belongs to the file by its name. */
  tests?: string | undefined;
  /** The user's own command, run in the project's folder. Default: what the tests' framework is started with. */
  testCommand?: string | undefined;
  instruction?: string | undefined;
  evenIfPassing?: boolean;
  write?: boolean;
  /** Of several edits that pass and differ the one with this number, from 1. */
  choose?: number | undefined;
  /** Limit of one run of the tests, see `BoxRequest`. */
  testSeconds: number;
  /** Processor time for all searches together. Default: as much as they take. */
  searchSeconds?: number | undefined;
}

export interface OwnFileParts extends AttemptParts {
  /** What runs the tests. */
  openBox: () => Promise<CommandBox>;
  /** Where several edits pass and do different things: who says which is right. */
  ask?: Ask;
}

/** A file with the text that the repair starts from. */
interface Original {
  /** Absolute, links resolved. */
  file: string;
  text: string;
}

interface EntryOptions {
  request: OwnFileRequest;
  parts: OwnFileParts;
  entry: NamedEntry;
  tests: FunctionTests;
  task: VisibleTask;
  prepared: Prepared;
  own: Original;
  /** Null where the tests lie in no file of their own. */
  ofTests: Original | null;
  time: SearchTime | undefined;
  /** What is known so far. */
  outcome: OwnFileOutcome;
}

/** @throws UserError where the model failed, or what was found cannot be written */
export async function repairEntry(options: EntryOptions): Promise<OwnFileOutcome> {
  const { request, parts, entry, tests, task, prepared, own, ofTests, time, outcome } = options;
  const { root } = prepared;
  const { say = () => {}, signal } = parts;
  const search = { prepared, file: relative(root, own.file), original: own.text, task, entry };
  const openLive = (sandbox: Sandbox) =>
    openLiveSearch({ ...search, sandbox, time, onProgress: parts.onProgress, say });
  const { trajectory, model, turns, passing, doubt } = await attempt(task, tests, request, {
    ...parts,
    openLive,
    time,
  });
  const { stop } = trajectory;
  const said = stop === "gave_up" ? (trajectory.steps.at(-1)?.reply.thought ?? "") : "";
  const why = [said, ...(time?.isUp ? [`${time.explanation}.`] : [])].filter(Boolean).join(" ");
  const after = { ...outcome, model: model.name, stop, turns, why };
  if (stop === "aborted") return { ...after, outcome: "interrupted" };
  // As `git apply` and `patch -p1` want it in the project's root.
  const diffOf = (text: string) => unifiedDiff(relative(root, own.file), own.text, text);
  if (!trajectory.verified || trajectory.answer === null) {
    const best = await tests.best(signal);
    const failed: OwnFileOutcome = {
      ...after,
      outcome: "not_repaired",
      best: best && {
        passing: best.passing.length,
        of: best.passing.length + best.failing.length,
        failing: best.failing,
        diff: diffOf(best.text),
      },
    };
    return { ...failed, help: helpFor(failed, model.kind, request) };
  }
  const undecided = await choicesIn({ ...trajectory, answer: trajectory.answer }, task, tests, passing);
  const settled = parts.ask
    ? await settle(undecided, entry.definition, parts.ask, (text) => changesIn(diffOf(text)).join("\n"))
    : { left: undecided.choices, told: [] };
  const [first, ...rest] = settled.left;
  const choices = first ? chosenOf([first, ...rest], request.choose ?? 1) : null;
  const text = choices?.[0].text ?? tests.fileWith(trajectory.answer);
  const isTold = settled.told.length > 0;
  const added = ofTests && isTold ? withTold(ofTests.text, outcome.framework, entry.definition, settled.told) : null;
  if (isTold && added === null) say("no test could be written for what you said: add one yourself");
  // Who has chosen knows the others.
  const isChosen = (request.choose ?? 1) > 1;
  const others = choices?.[1] ?? [];
  const alternatives = choices && !isChosen ? alternativesTo([choices[0], ...others], diffOf) : [];
  const repaired: OwnFileOutcome = {
    ...after,
    outcome: text === own.text ? "nothing_to_repair" : "repaired",
    diff:
      diffOf(text) + (added === null || !ofTests ? "" : unifiedDiff(relative(root, ofTests.file), ofTests.text, added)),
    alternatives,
    is_suggestion: alternatives.length > 0 || (isChosen && others.length > 0) || doubt !== null,
    doubts: doubt === null ? [] : [doubt],
    told: settled.told.map(({ input, value }) => `${entry.definition}${input} == ${value}`),
  };
  if (!request.write || text === own.text) return repaired;
  const told = added === null || !ofTests ? [] : [{ path: ofTests.file, before: ofTests.text, after: added }];
  try {
    const backups = await writeTogether([{ path: own.file, before: own.text, after: text }, ...told]);
    return { ...repaired, written: { backups } };
  } catch (error) {
    // What was found may have cost a lot.
    if (error instanceof UserError) throw new UserError(`${error.message} ${keepPatch(repaired.diff)}`);
    throw error;
  }
}
