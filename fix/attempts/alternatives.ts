/** Other edits that pass the same tests and do something else: what the tests cannot tell apart. */

import type { Trajectory } from "../../agent/run/trajectory.ts";
import { applyEdit, searchIn, uncompared } from "../../utils/search/result.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task/task.ts";
import { renderPatch } from "../project/patch.ts";
import { type Choice, uncomparedChoice } from "./attempt.ts";
import type { FunctionTests } from "./attempt_function.ts";

/** An edit that passes, too. */
export interface Alternative {
  diff: string;
  /** Arguments on which it differs from the repair, as they are written in a call; empty where none is known. */
  input: string;
  /** What it returns or raises there. */
  gives: string;
  /** What the repair returns or raises there. */
  repair_gives: string;
}

/** At most two beside the repair: three choices are shown. */
const MOST = 2;

/**
 * The repair, and what the search engine found beside it. Each is run against the tests: the engine may have seen only
 * a part.
 * @returns with inputs for which the result of every choice is known, as a value that a test can name
 */
export async function choicesIn(
  { steps, answer }: Pick<Trajectory, "steps"> & { answer: string },
  task: VisibleTask,
  tests: Pick<FunctionTests, "passes" | "patchOf">,
): Promise<{ choices: Choice[]; askable: string[] }> {
  const program = buggyProgram(task).trimEnd();
  const repair = uncomparedChoice(tests.patchOf(answer));
  const choices = [repair];
  const askable = new Set<string>();
  const also: string[] = [];
  for (const found of steps.flatMap(({ observation }) => searchIn(observation.data) ?? [])) {
    const { best, others = [] } = found;
    const texts = best.map(({ splices }) => applyEdit(program, splices));
    if (!texts.some((text) => text.trim() === answer.trim())) continue;
    if (texts[0]?.trim() !== answer.trim()) {
      // The tests refused what the engine held likeliest, with which it compared the others.
      also.push(...texts);
      continue;
    }
    for (const { splices } of uncompared(found)) also.push(applyEdit(program, splices));
    for (const { splices, input, gives, best_gives, on_each = [] } of others) {
      if (choices.length > MOST) break;
      const source = tests.patchOf(applyEdit(program, splices));
      if (!(await tests.passes(source))) continue;
      const choice: Choice = { source, gives: { [input]: gives }, input };
      on_each.forEach(([ofBest, ofThis], i) => {
        const asked = others[i]?.input;
        if (asked === undefined || ofBest === null || ofThis === null) return;
        repair.gives[asked] = ofBest;
        choice.gives[asked] = ofThis;
        askable.add(asked);
      });
      repair.gives[input] = best_gives;
      choices.push(choice);
    }
  }
  for (const answer of also) {
    if (choices.length > MOST) break;
    const source = tests.patchOf(answer);
    if (source[0]?.after === repair.source[0]?.after || !(await tests.passes(source))) continue;
    choices.push(uncomparedChoice(source));
  }
  return { choices, askable: [...askable].filter((input) => choices.every(({ gives }) => input in gives)) };
}

/** The choices after the first, each with an input on which it differs from the first if one is known. */
export function alternativesTo(
  [first, ...others]: readonly Choice[],
  diffOf = ({ source }: Choice): string => renderPatch(source),
): Alternative[] {
  return others.flatMap((edit) => {
    const { gives, input: own } = edit;
    const inputs = [...(own === null ? [] : [own]), ...Object.keys(gives)];
    if (inputs.length === 0) return [unknown(diffOf(edit))];
    const input = inputs.find((one) => first?.gives[one] !== undefined && first.gives[one] !== gives[one]);
    if (input === undefined) return [];
    return [{ diff: diffOf(edit), input, gives: gives[input] ?? "", repair_gives: first?.gives[input] ?? "" }];
  });
}

/** An alternative without a known input on which it differs from the others. */
export const unknown = (diff: string): Alternative => ({ diff, input: "", gives: "", repair_gives: "" });
