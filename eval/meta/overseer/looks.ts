/**
 * How the overseer looks: by cheap rules that only see circles (slowness alone is not a fault), or by a model.
 */

import { readObject } from "../../../utils/base/data/lenient_json.ts";
import { loadTemplate } from "../../../utils/base/text/template.ts";
import { MAIN_CALL } from "../../../utils/task/process_protocol.ts";
import type { CallNode, CallTree } from "../child/call_tree.ts";
import type { ModelProxy } from "../child/model_proxy.ts";
import { Judgement, type Look } from "./overseer.ts";

/** The same action with the same outcome so often among the last turns. */
const REPEATS = 3;
const WINDOW = 6;
/** Turns in a row that all ended in the same failure. */
const SAME_FAILURES = 4;
/** Turns of the editor after which an edit is expected. */
const TURNS_WITHOUT_EDIT = 20;

const FAILURES = /^(refused|failed|bad input|malformed|unknown tool|not yet|the checks fail)/;
const EDIT = /^(edit|create|undo|delegate) /;

/** A look by rules. A run that breaks one gets a notice; one that still does after further turns is cancelled. */
export function rulesLook(): Look {
  /** Turns that a run had taken when it got its notice. */
  const told = new Map<string, number>();
  return async (tree) => {
    const judgement: Judgement = {
      progressing: true,
      looping: false,
      report: "",
      notify: [],
      cancel: [],
      look_again: {},
    };
    for (const node of running(tree)) {
      const problem = problemOf(node);
      if (problem === null) {
        told.delete(node.call);
        continue;
      }
      judgement.progressing = false;
      judgement.looping = true;
      const since = told.get(node.call);
      if (since === undefined) {
        told.set(node.call, node.steps.length);
        judgement.notify.push({ call: node.call, text: `${problem} Change your approach, or you will be stopped.` });
      } else if (node.steps.length >= since + REPEATS) {
        judgement.cancel.push(node.call);
        judgement.report = problem;
      }
    }
    return judgement;
  };
}

const running = (tree: CallTree): CallNode[] => [...tree.nodes.values()].filter(({ end }) => end === null);

/** Whether a turn changed files: by an edit, or by a command. */
const isChange = ({ action, status, text }: CallNode["steps"][number]): boolean =>
  action.startsWith("run ") ? text.includes("(changed: ") : EDIT.test(action) && status === "ok";

/** In one sentence what the last turns of a run show; null where they show nothing. */
function problemOf({ call, steps }: CallNode): string | null {
  const last = steps.slice(-WINDOW);
  const newest = last.at(-1);
  if (!newest) return null;
  // The same check or try after another change is not a circle.
  const since = isChange(newest) ? last : last.slice(last.findLastIndex(isChange) + 1);
  const same = since.filter(({ action, status }) => action === newest.action && status === newest.status);
  if (same.length >= REPEATS)
    return `You did the same thing ${same.length} times with the same outcome (${newest.status}).`;
  const failed = steps.slice(-SAME_FAILURES);
  if (
    failed.length === SAME_FAILURES &&
    failed.every(({ status }) => status === newest.status && FAILURES.test(status))
  ) {
    return `Your last ${SAME_FAILURES} turns all ended with "${newest.status}".`;
  }
  if (
    call === MAIN_CALL &&
    steps.length >= TURNS_WITHOUT_EDIT &&
    !steps.some((step) => EDIT.test(step.action) || isChange(step))
  ) {
    return `You have changed nothing in ${steps.length} turns.`;
  }
  return null;
}

const prompt = loadTemplate(new URL("overseer.md", import.meta.url));
const SHOWN_TURNS = 12;

/**
 * Asks the model for a judgement. Each look is a question of its own.
 * @param proxy counts what the looks cost; a look it refuses or the model answers with no JSON is a failed look
 */
export const modelLook =
  (proxy: ModelProxy): Look =>
  async (tree, seconds, signal) => {
    const content = prompt({ seconds: seconds.toFixed(0), tree: tree.render(SHOWN_TURNS) });
    const reply = await proxy.reply({ messages: [{ role: "user", content }], stop: [] }, signal);
    if ("refused" in reply) throw new Error(reply.message);
    const judged = Judgement.safeParse(readObject(reply.content));
    if (!judged.success) throw new Error("the overseer's model answered without a judgement in JSON");
    return judged.data;
  };
