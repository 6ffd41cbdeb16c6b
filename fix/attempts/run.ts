/** One repair of a repository in a work folder: a model in the graph with its tools, or the search engine. */

import { Allowance } from "../../agent/run/allowance.ts";
import type { Step, Trajectory, Verification } from "../../agent/run/trajectory.ts";
import type { Tool } from "../../agent/tools/tool.ts";
import { Workspace } from "../../agent/tools/workspace.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { linkTree } from "../../utils/base/files/trees/copy_tree.ts";
import { seconds as shownSeconds, words } from "../../utils/base/text/format.ts";
import type { Move } from "../../utils/search/moves.ts";
import { answerChecks, type CheckAnswer } from "../guard/excuses.ts";
import type { PatchVerdict } from "../guard/verdict.ts";
import { makeEdits } from "../project/answer_edits.ts";
import { normalised, type Patch, readPatch, renderPatch } from "../project/patch.ts";
import { openShell } from "../project/shell.ts";
import { type Attempt, type AttemptOptions, type Check, chatOf, nearestFirst } from "./attempt.ts";
import { stillFailing } from "./partial_repair.ts";
import type { Preparation } from "./prepare.ts";
import { carryOut } from "./search_function.ts";
import { pausing, repositoryTools } from "./tools.ts";

interface RepositoryAttempt extends AttemptOptions {
  /** Of the trajectory. Default: the root. */
  id?: string;
  /** The engine's moves, in place of the model's replies. */
  moves?: Iterable<Move> | undefined;
  /** Searches in the work folder: the engine's moves need it, a model may use it. */
  search?: { tool(workspace: Workspace): Tool } | null | undefined;
}

/** A model that gives a refused patch once more has nothing to add to it. */
const MAX_REPEATS = 2;

/** Runs the graph in a copy of the prepared tree. Failures of the model are in the trajectory. */
export async function attemptRepair(prepared: Preparation, options: RepositoryAttempt): Promise<Attempt> {
  const { base, baseline } = prepared;
  const { kinds } = baseline;
  const { model, moves, maxIterations, search, onStep, onProgress, signal } = options;
  const started = performance.now();
  using work = makeTemporaryFolder("work");
  linkTree(base, work.path);
  const workspace = Workspace.ofAnyFiles(work.path);
  using allowance = new Allowance(options);
  const checked: Check[] = [];
  const checkAnswer = answerChecks(prepared);
  const current = () => readPatch(base, workspace.root, workspace.changed, kinds);
  const check = async (answer: string, ended: AbortSignal): Promise<Verification> => {
    const began = performance.now();
    const patch = current();
    options.onStage?.(`all tests check the answer, about ${shownSeconds(baseline.run.clockSeconds)} a run`);
    const verdict = await checkAnswer(patch, answer, ended);
    checked.push({ patch, verdict });
    // Once: tests that failed before need not pass.
    const isFirst = checked.filter((one) => one.verdict.accepted).length === 1 && verdict.excuse === null;
    const asked = isFirst ? stillFailing(prepared, patch, verdict) : null;
    const { accepted, status, output } = asked ?? verdict;
    const dropped = patch.dropped.map(({ file, why }) => `\n(${file} is left out: ${why})`).join("");
    return {
      accepted,
      result: patch.source.length === 0 ? null : renderPatch(patch.source),
      observation: { status, output: output + dropped, durationMs: performance.now() - began },
    };
  };
  // Tests and searches have their own limits, in processor time.
  const around = <T>(work: () => Promise<T>) => allowance.pausing(work);
  const verify = (answer: string, ended: AbortSignal) =>
    around(async () => {
      const problem = makeEdits(workspace, answer);
      const observation = { status: "nothing was changed", output: problem ?? "", durationMs: 0 };
      return problem === null ? await check(answer, ended) : { accepted: false, result: null, observation };
    });
  const tool = search?.tool(workspace);
  const { signal: ends } = allowance;
  const isSearch = moves !== undefined && tool !== undefined;
  options.onStage?.(`${model.name} works on it`);
  const run = isSearch
    ? await carryOut(moves, { tool: pausing(tool, around), verify, maxIterations, onStep, onProgress, signal: ends })
    : await byModel(prepared, { ...options, workspace, more: tool ? [tool] : [], around, verify, allowance });
  const end = current();
  const isKnown = end.source.length === 0 || checked.some((one) => one.verdict.accepted || isSame(one.patch, end));
  const atEnd = isSearch || isKnown ? null : await checkAtEnd(checkAnswer, prepared, end, run, signal);
  if (atEnd) checked.push({ patch: end, verdict: atEnd });
  const accepted = checked.findLast(({ verdict }) => verdict.accepted);
  const last = accepted ?? checked.at(-1);
  const patch = accepted?.patch ?? (end.source.length > 0 ? end : (last?.patch ?? end));
  const seconds = (performance.now() - started) / 1000;
  return {
    patch,
    verdict: last?.verdict ?? null,
    candidates: last ? nearestFirst(checked) : patch.source.length > 0 ? [patch] : [],
    said: lastAnswer(run.steps),
    trajectory: {
      taskId: options.id ?? prepared.root,
      model: model.name,
      ...run,
      // What passes is the result, whatever became of its model afterwards.
      ...(accepted && run.error && { stop: "gave_up", error: undefined }),
      answer: patch.source.length === 0 ? null : renderPatch(patch.source),
      verified: accepted !== undefined,
      ...(accepted && accepted.verdict.doubts.length > 0 && { doubt: accepted.verdict.doubts.join("; ") }),
      usage: { ...run.usage, seconds },
      seconds,
    },
  };
}

interface ModelParts extends RepositoryAttempt {
  workspace: Workspace;
  more: readonly Tool[];
  around: <T>(work: () => Promise<T>) => Promise<T>;
  verify: (answer: string, signal: AbortSignal) => Promise<Verification>;
  allowance: Allowance;
}

/** Loads the graph only here: LangGraph takes long, and a search does without it. */
async function byModel(prepared: Preparation, parts: ModelParts) {
  const [{ runGraph }, { isNative }, { firstMessages }, { python }] = await Promise.all([
    import("../../agent/graph.ts"),
    import("../../agent/conversation.ts"),
    import("./prompt.ts"),
    import("../../utils/languages/python/index.ts"),
  ]);
  const { maxIterations, verify, allowance, seed, onStep, onProgress } = parts;
  const { base, suite } = prepared;
  const model = chatOf(parts.model);
  // The plain layer would show commands of the model all files of the user, and the network.
  using shell = suite.layer === "plain" ? undefined : openShell(suite, base, parts.workspace);
  const tools = repositoryTools({ ...prepared, ...parts, shell });
  const filesWithNotice = new Set<string>();
  return await runGraph({
    opening: await firstMessages(prepared, tools, isNative({ model, tools })),
    model,
    tools,
    verify,
    answer: "text",
    language: python,
    notices: () => updateNotices(parts.workspace, prepared, filesWithNotice),
    limits: { maxIterations, maxRepeats: MAX_REPEATS },
    reserve: allowance.reserve,
    signal: allowance.signal,
    seed,
    onStep,
    onProgress,
  });
}

/** Notices on existing tests that the model updates. @param filesWithNotice those that had one; each gets one */
function updateNotices(
  { root, changed }: Workspace,
  { base, baseline, issue }: Preparation,
  filesWithNotice: Set<string>,
) {
  const files = readPatch(base, root, changed, baseline.kinds).updated.map(({ file }) => file);
  const fresh = files.filter((file) => !filesWithNotice.has(file));
  for (const file of fresh) filesWithNotice.add(file);
  const advice = issue === "" ? "" : " If the problem asks for what it now asserts, submit all the same and say why.";
  return fresh.map(
    (file) => `(${file} is an existing test: run_tests and the final check run it without your update.${advice})`,
  );
}

const isSame = (one: Patch, other: Patch): boolean => normalised(one.source) === normalised(other.source);

/** What the model left when its turns, its time or its money ended is its work, too. Null where mend was stopped. */
async function checkAtEnd(
  checkAnswer: CheckAnswer,
  { issue }: Preparation,
  patch: Patch,
  { stop, error }: Pick<Trajectory, "stop" | "error">,
  signal: AbortSignal | undefined,
): Promise<PatchVerdict | null> {
  if (signal?.aborted) return null;
  try {
    const verdict = await checkAnswer(patch, "", signal);
    const unsaid = `${UNSAID} (${error?.message ?? words(stop)})`;
    return verdict.accepted && issue !== "" ? { ...verdict, doubts: [...verdict.doubts, unsaid] } : verdict;
  } catch (error) {
    if (signal?.aborted) return null;
    throw error;
  }
}

const UNSAID = "the model's run ended before it said that the issue is solved";

/** The last Final Answer; empty where there is none. */
function lastAnswer(steps: readonly Step[]): string {
  const last = steps.findLast(({ reply }) => reply.kind === "answer")?.reply;
  return last?.kind === "answer" ? last.text : "";
}
