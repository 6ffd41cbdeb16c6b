/** Who tries: the model, the search where the tests run, and where they find nothing the fallback. */

import { createModel, parseSpec } from "../../agent/models/create.ts";
import type { Model, ModelKind } from "../../agent/models/model.ts";
import type { Progress } from "../../agent/models/progress.ts";
import { ChatSearch, secondsOf } from "../../agent/models/search/chat.ts";
import { repair } from "../../agent/repair.ts";
import type { Step, Trajectory } from "../../agent/run/trajectory.ts";
import { UserError } from "../../utils/data/errors.ts";
import { LANGUAGES, titlesOf } from "../../utils/languages/registry.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { applyEdit, repeatedCall, searchIn } from "../../utils/search/result.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task/task.ts";
import type { SearchTime } from "../search_time.ts";
import type { FunctionTests } from "./function_tests.ts";
import type { LiveSearch } from "./live_search.ts";

export interface AttemptRequest {
  /** Spec of the model that tries where the first finds nothing. */
  fallback?: string | undefined;
  tools?: readonly string[] | undefined;
  maxIterations: number;
  /** Wall-clock limit of each model's repair in milliseconds. */
  timeoutMs: number;
}

/** Of the time, for the file alone: the rest is for where the tests run. */
const FILE_SHARE = 0.5;

type Asked = Pick<Model, "name" | "kind" | "chat">;

export interface AttemptParts {
  /** Called where a model is needed, and not before. The caller closes what it opened. */
  openModel: () => Promise<Asked>;
  /** The same for the sandbox of `code_interpreter`. */
  openSandbox: () => Promise<Sandbox>;
  /** One line for a person. */
  say?: (line: string) => void;
  onStep?: (step: Step) => void;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** How the last model that was asked did. */
interface Attempted {
  trajectory: Trajectory;
  model: Asked;
  /** Calls of all models. */
  turns: number;
  /** The file with each edit that passed in live tests, likeliest first. */
  passing: readonly string[];
  /** Why what they say passes is a suggestion and no repair; null where nothing speaks against it. */
  doubt: string | null;
}

/**
 * The model, and where it finds nothing the fallback.
 * @param openLive why the tests cannot be searched, where they cannot
 * @throws UserError where the last of them failed
 */
export async function attempt(
  task: VisibleTask,
  tests: FunctionTests,
  { fallback, tools, maxIterations, timeoutMs }: AttemptRequest,
  parts: AttemptParts & {
    openLive: (sandbox: Sandbox) => LiveSearch | string;
    /** Of a search; what it used is taken off. */
    time?: SearchTime | undefined;
  },
): Promise<Attempted> {
  const { say = () => {}, onStep, onProgress, signal } = parts;
  const model = await parts.openModel();
  const other = fallback === undefined ? null : parseSpec(fallback).kind;
  requireLanguage(task, other ?? model.kind);
  const sandbox = await parts.openSandbox();
  // Whoever comes here has seen the tests fail.
  const known = { sandbox, ownTests: tests, repairPassing: true };
  const common = { ...known, maxRepeats: 2, timeoutMs, maxIterations, onStep, onProgress, signal };

  const ask = async (model: Asked): Promise<Attempted> => {
    const { name, kind } = model;
    const { time } = parts;
    const chat = time && model.chat instanceof ChatSearch ? model.chat.within(FILE_SHARE * time.left) : model.chat;
    const first = await repair(task, { ...common, model: { ...model, chat }, tools });
    time?.spend(secondsOf(first.steps.map(({ observation }) => searchIn(observation.data))));
    const isRefuted = first.verified && first.steps.some(({ verification }) => verification?.accepted === false);
    const doubt = isRefuted ? REFUTED : doubtOf(task, first);
    const alone = { trajectory: first, model, turns: first.iterations, passing: [], doubt };
    if (kind.inRepositories !== "search_edits" || !(isOpen(first) || isRefuted) || first.error) return alone;
    if (time?.isUp) {
      say(time.explanation);
      return alone;
    }
    const why = isRefuted ? "your tests refuse what is likeliest by" : "nothing was found with";
    say(`${why} the file alone; the search goes on where the tests run`);
    const live = parts.openLive(sandbox);
    if (typeof live === "string") {
      say(`it cannot: ${live}`);
      return alone;
    }
    using _live = live;
    const second = await repair(task, { ...common, model: { name, chat: live.chat }, moreTools: live.tools });
    const turns = first.iterations + second.iterations;
    if (isRefuted && !second.verified) return { ...alone, turns };
    return { trajectory: second, model, turns, passing: live.passing(), doubt: live.doubt() };
  };

  const first = await ask(model);
  if (!other || !isOpen(first.trajectory)) return checked(first);
  const title = other.title.charAt(0).toLowerCase() + other.title.slice(1);
  say(
    `${model.name} found no repair (${first.trajectory.error?.message ?? first.trajectory.stop}); ${title} tries now`,
  );
  const second = await ask(await createModel(fallback, { temperature: 0, timeoutMs, maxRetries: 0, log: say }));
  return checked({ ...second, turns: first.turns + second.turns });
}

const REFUTED = "your tests refuse what is likeliest by the file alone, so this may be chance, too";

/** Why an answer that a search found with the file alone is a suggestion; null where nothing speaks against it. */
function doubtOf(task: VisibleTask, { steps, answer }: Trajectory): string | null {
  const program = buggyProgram(task).trimEnd();
  const edits = steps.flatMap(({ observation }) => searchIn(observation.data)?.best ?? []);
  const made = edits.find(({ splices }) => applyEdit(program, splices).trim() === answer?.trim());
  return made?.repeats === undefined ? null : repeatedCall(made.repeats);
}

const isOpen = ({ verified, stop }: Trajectory): boolean => !verified && stop !== "aborted";

function checked(attempted: Attempted): Attempted {
  const { error } = attempted.trajectory;
  if (error) throw new UserError(error.message);
  return attempted;
}

/** @throws UserError where the model cannot repair the language */
function requireLanguage({ language, id }: VisibleTask, { title, languages }: ModelKind): void {
  if (languages === null || languages.includes(language)) return;
  throw new UserError(
    `${title} repairs ${titlesOf(languages)} alone, and ${id} is ${LANGUAGES[language].title}: bring a model with --model openai:NAME (a server at OPENAI_BASE_URL) or --model with a hub id or folder.`,
  );
}
