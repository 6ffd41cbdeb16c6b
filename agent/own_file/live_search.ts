/**
 * The search where the user's tests run: for what the engine cannot run by itself, such as fixtures, doctests, and files
 * that import their neighbours.
 */

import { relative } from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import { UserError } from "../../utils/data/errors.ts";
import type { TestPlan } from "../../utils/frameworks/test_run.ts";
import { within } from "../../utils/project/project.ts";
import type { CommandBox } from "../../utils/sandbox/command_box.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { ChatWithLastWord, type Said } from "../models/last_word.ts";
import { renderAction, renderAnswer } from "../reply.ts";
import { functionsOf } from "../repository/places/functions.ts";
import type { Suspect } from "../repository/places/localise.ts";
import { type Prepared, prepareProject } from "../repository/prepare.ts";
import { type FoundEdit, readFindings, searchedLines } from "../repository/search/findings.ts";
import { canSearch, repositorySearchTool } from "../repository/search/tool.ts";
import { SEARCH_EDITS } from "../tools/search_edits.ts";
import type { Tool } from "../tools/tool.ts";
import { Workspace } from "../tools/workspace.ts";
import type { Entry } from "./check_input.ts";
import { plainText } from "./source.ts";

interface LiveSearchOptions {
  box: CommandBox;
  plan: TestPlan;
  /** The file as it is. */
  original: string;
  task: VisibleTask;
  entry: Entry;
  /** Processor time of one run of the tests. */
  seconds: number;
  signal?: AbortSignal | undefined;
}

export interface LiveSearch extends Disposable {
  chat: ChatWithLastWord;
  tool: Tool;
  /** The file with each edit that passed, likeliest first. */
  readonly passing: readonly string[];
}

/** @returns why these tests cannot be searched, in a few words, where they cannot */
export async function openLiveSearch(options: LiveSearchOptions): Promise<LiveSearch | string> {
  const { box, original, signal } = options;
  const { folder } = options.plan.project;
  const plan: TestPlan = { ...options.plan, project: { ...options.plan.project, root: folder } };
  if (!within(folder, plan.project.target)) return `the file does not lie in ${folder}, where they run`;
  let prepared: Prepared;
  try {
    prepared = await prepareProject({
      box,
      project: plan.project,
      plan: { ...plan, setup: "" },
      issue: "",
      environment: {},
      testSeconds: options.seconds,
      signal,
    });
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  const suspects = placesIn({ ...options, plan }, prepared.suspects);
  if (!canSearch(prepared) || suspects.length === 0) {
    prepared[Symbol.dispose]();
    return suspects.length === 0 ? "it holds no function" : `${plan.command} cannot be searched`;
  }
  const passing: string[] = [];
  const tool = repositorySearchTool({ ...prepared, suspects }, Workspace.ofAnyFiles(prepared.base), ({ edits }) =>
    passing.push(...edits.map((edit) => withEdit(plainText(original), edit))),
  );
  return {
    chat: new LiveAnswers(plainText(original)),
    tool,
    passing,
    [Symbol.dispose]: () => prepared[Symbol.dispose](),
  };
}

/** The functions of the definition, or the one method that is meant, those first that failing tests speak against. */
function placesIn({ plan, original, task, entry }: LiveSearchOptions, suspects: readonly Suspect[]): Suspect[] {
  const file = relative(plan.project.root, plan.project.target);
  const first = linesOf(task.declaration);
  const last = linesOf(task.declaration + task.buggyCode);
  const inside = functionsOf(file, plainText(original)).filter(({ start, end }) => first <= end && start <= last);
  const [, method] = entry.name.split(".");
  const named = inside.filter(({ name }) => name.split(".").at(-1) === method);
  const rankOf = ({ start }: { start: number }) => {
    const at = suspects.findIndex((one) => one.file === file && one.start === start);
    return at === -1 ? suspects.length : at;
  };
  return (named.length > 0 ? named : inside)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((place) => ({ ...place, file, score: 0, reasons: [] }));
}

const linesOf = (text: string): number => text.trimEnd().split("\n").length;

function withEdit(program: string, { from, old, text }: FoundEdit): string {
  const start = program
    .split(/(?<=\n)/)
    .slice(0, from - 1)
    .join("").length;
  return program.slice(0, start) + text + program.slice(start + old.length);
}

/** Searches once, then answers with one edit that passed after the other. Stateless: the reply depends on the messages alone. */
class LiveAnswers extends ChatWithLastWord {
  readonly #program: string;

  constructor(program: string) {
    super({});
    this.#program = program;
  }

  _llmType(): string {
    return "search";
  }

  override async reply(messages: BaseMessage[]): Promise<Said> {
    const asked = messages.findIndex(({ type, text }) => type === "ai" && text.includes(`Action: ${SEARCH_EDITS}`));
    if (asked === -1) {
      const thought = "I try small edits where the tests run, and keep those that pass.";
      return { text: renderAction({ tool: SEARCH_EDITS, input: {}, thought }), isLast: false };
    }
    const observation = messages[asked + 1]?.text ?? "";
    const found = readFindings(observation);
    const edit = found?.edits[messages.slice(asked + 1).filter(({ type }) => type === "ai").length];
    if (edit) {
      const thought = `line ${edit.from}: ${edit.before} → ${edit.after} (${edit.operator}) passes.`;
      return { text: renderAnswer({ thought, text: withEdit(this.#program, edit) }, "code"), isLast: false };
    }
    const why = found
      ? `No edit passes: ${searchedLines(found).join("; ")}.`
      : observation.replace(/^Observation:\s*/, "").replace(/\s*\n\s*/g, ": ");
    const thought = `${why} I return the program unchanged.`;
    return { text: renderAnswer({ thought, text: this.#program }, "code"), isLast: true };
  }
}
