/** The search engine as a model of repositories: it speaks the protocol of every model and uses the same tools. */

import type { BaseMessage } from "@langchain/core/messages";
import { type Action, type Answer, renderAction, renderAnswer } from "../../agent/dialects/reply.ts";
import { ChatWithLastWord, type Said } from "../../agent/models/last_word.ts";
import type { Model } from "../../agent/models/model.ts";
import type { Progress } from "../../agent/run/progress.ts";
import { SEARCH_EDITS } from "../../agent/tools/search_edits.ts";
import type { Tool } from "../../agent/tools/tool.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { LANGUAGE_NAMES } from "../../utils/languages/language.ts";
import { titlesOf } from "../../utils/languages/registry.ts";
import { repeatedCall } from "../../utils/search/result.ts";
import type { Prepared } from "../attempts/prepare.ts";
import type { SearchTime } from "../attempts/search_time.ts";
import { differentEdits } from "../attempts/tried.ts";
import { adviceFor, type Baseline, lastWords } from "../project/baseline.ts";
import { distinctEdits, editLine, type FileEdit, type SearchFindings } from "./findings.ts";
import { isPartial, nextAlone, type PastSearch, searchesIn, whyNothing } from "./stages.ts";
import { canSearch, repositorySearchTool } from "./tool.ts";

export interface SearchRepairer {
  chat: ChatWithLastWord;
  tool: (workspace: Workspace) => Tool;
  /** Why what was found is a suggestion and no repair; null where nothing speaks against it. */
  doubt: () => string | null;
  /** Of the edits that have passed so far in the last search the first of each behaviour, likeliest first. */
  edits: () => readonly FileEdit[];
  /** The likeliest edit so far that makes some of the failing tests pass, with their names; null without one. */
  part: () => { edit: FileEdit; passing: readonly string[] } | null;
}

interface RepairerOptions {
  /** Is told of edits as soon as they have passed, in a line each. */
  say?: ((line: string) => void) | undefined;
  /** For all searches together. Default: as much as they take. */
  time?: SearchTime | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Edits that are told as they pass, of one search; all are in what it finds. */
const MOST_TOLD = 5;

/** Null where the tests cannot be searched. */
export function searchRepairer(
  prepared: Prepared,
  { say = () => {}, time, onProgress }: RepairerOptions = {},
): SearchRepairer | null {
  if (!canSearch(prepared)) return null;
  let told = 0;
  let last: SearchFindings | null = null;
  let isStaged = false;
  let part: ReturnType<SearchRepairer["part"]> = null;
  const remember = (findings: SearchFindings) => {
    const { edits, wanted, failing } = findings;
    const what = isPartial(findings) ? `makes ${wanted.length} of ${failing.length} failing tests pass` : "passes";
    if (!edits.some((edit) => last?.edits.includes(edit))) told = 0;
    for (const edit of edits) {
      if (last?.edits.includes(edit)) continue;
      told += 1;
      if (told <= MOST_TOLD) say(`${what}: ${editLine(edit)}`);
      else if (told === MOST_TOLD + 1) say("others pass, too");
    }
    isStaged ||= isPartial(findings) && edits.length > 0;
    const [likeliest] = edits;
    if (likeliest && isPartial(findings)) part ??= { edit: likeliest, passing: wanted };
    last = findings;
  };
  return {
    chat: new SearchInTests(),
    tool: (workspace) =>
      repositorySearchTool(prepared, workspace, remember, {
        time,
        onGoing: (text) => onProgress?.({ type: "searching", text }),
      }),
    doubt: () => (isStaged ? STAGED : last ? doubtOf(last) : null),
    part: () => part,
    // Those of later stages pass only with what came before them.
    edits: () => (isStaged ? [] : distinctEdits(last?.edits ?? [])),
  };
}

const LANGUAGES_READ = titlesOf(LANGUAGE_NAMES);
const NOT_READ = `The search engine repairs functions in ${LANGUAGES_READ}, and no file that may change holds one`;

const NO_TEST_FAILS =
  "The search engine goes by failing tests, and of those that it is shown none fails by name (a " +
  "benchmark shows its own with --protocol tests)";

const notLoadedBecause = (why: string): string =>
  `The tests cannot be loaded: ${lastWords(why)}${adviceFor(why)} The search engine goes by tests that run and fail`;

/**
 * Who replies in a repository: the model, or the engine in its place where the model's row says so.
 * @throws UserError where the engine is to reply and the tests cannot be searched
 */
export function repositoryChat(
  { kind, chat }: Pick<Model, "kind" | "chat">,
  prepared: { baseline: Pick<Baseline, "failing" | "notLoaded"> },
  search: SearchRepairer | null,
) {
  if (kind.inRepositories === "replies") return chat;
  if (search) return search.chat;
  throw notSearched(prepared);
}

/** Why the engine cannot go by tests, and what can be done. */
export function notSearched({
  baseline: { failing, notLoaded },
}: {
  baseline: Pick<Baseline, "failing" | "notLoaded">;
}): UserError {
  const why = notLoaded !== null ? notLoadedBecause(notLoaded) : failing.length === 0 ? NO_TEST_FAILS : NOT_READ;
  return new UserError(
    `${why}: bring a model with --model openai:NAME (a server at OPENAI_BASE_URL) or --model with a hub id or folder.`,
  );
}

const STAGED = "it is put together of edits that were each found by some of the failing tests: look at each";

/**
 * The tests have to single one behaviour out, and all that is about as likely has to be tried, before one is believed.
 */
function doubtOf({ edits, functions }: SearchFindings): string | null {
  const different = distinctEdits(edits).length;
  if (different > 1) return differentEdits(different);
  // The others do the same as one that does.
  if (edits.some(({ deletes }) => deletes)) return "it only takes code away";
  if (edits[0]?.repeats) return repeatedCall(edits[0].repeats);
  if (functions.some(({ untried }) => untried > 0)) return "not all edits were tried: another may pass too";
  return null;
}

/**
 * Searches, then answers with one edit that passed after the other. Where none makes all failing tests pass, one that
 * makes some pass stays, and the search goes on from there. Stateless: the reply depends on the messages alone.
 */
export class SearchInTests extends ChatWithLastWord {
  constructor() {
    super({});
  }

  _llmType(): string {
    return "search";
  }

  override async reply(messages: BaseMessage[]): Promise<Said> {
    const searches = searchesIn(messages);
    const next = this.#next(searches);
    const reply: Action | Answer = next ?? { kind: "answer", thought: "", text: whyNothing(searches) };
    const text = reply.kind === "act" ? renderAction(reply) : renderAnswer(reply, "text");
    return { text, isLast: next === null };
  }

  #next(searches: readonly PastSearch[]): Action | Answer | null {
    const last = searches.at(-1);
    if (!last)
      return searching("I try small edits of the likeliest functions where the tests run, and keep those that pass.");
    const { found, steps } = last;
    const [first] = found?.edits ?? [];
    if (!found) return null;
    if (!first) {
      const tests = nextAlone(searches);
      return tests && searching("I try what makes some of the failing tests pass.", { tests });
    }
    if (!isPartial(found)) return nextStep(found.edits, steps);
    return steps === 0 ? making(first, 1, "makes some of the failing tests pass") : searching("I go on from there.");
  }
}

const searching = (thought: string, input: Action["input"] = {}): Action => ({
  kind: "act",
  tool: SEARCH_EDITS,
  input,
  thought,
});

/** One edit after the other is made in place of the one before it, and answered with. */
function nextStep(edits: readonly FileEdit[], steps: number): Action | Answer | null {
  const number = Math.floor(steps / 2);
  const edit = edits[number];
  if (!edit) return null;
  if (steps % 2 === 0) return making(edit, number + 1, "passes");
  const thought =
    edits.length === 1
      ? "It is the only edit that passes."
      : `${edits.length} edits pass; this is the likeliest that is left.`;
  return { kind: "answer", thought, text: editLine(edit) };
}

const making = (edit: FileEdit, number: number, what: string): Action => ({
  kind: "act",
  tool: SEARCH_EDITS,
  input: { take: number },
  thought: `${edit.before} → ${edit.after} (${edit.operator}) ${what}.`,
});
