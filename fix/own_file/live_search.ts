/**
 * The search where the user's tests run: for what the engine cannot run by itself, such as fixtures, doctests, and files
 * that import their neighbours.
 */

import type { ChatWithLastWord } from "../../agent/models/last_word.ts";
import type { Progress } from "../../agent/models/progress.ts";
import { replaceLinesTool } from "../../agent/tools/edit.ts";
import type { Tool } from "../../agent/tools/tool.ts";
import { Workspace } from "../../agent/tools/workspace.ts";
import { linkTree } from "../../utils/files/copy_tree.ts";
import { placeBeside } from "../../utils/files/memory_place.ts";
import { makeTemporaryFolder } from "../../utils/files/temporary.ts";
import { within } from "../../utils/project/project.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { plainText } from "../../utils/text/line_ends.ts";
import { functionsOf } from "../places/functions.ts";
import type { Suspect } from "../places/localise.ts";
import type { Prepared } from "../prepare.ts";
import { type Answers, searchRepairer } from "../search/chat.ts";
import { withEdit } from "../search/findings.ts";
import type { SearchTime } from "../search_time.ts";
import type { NamedEntry } from "./check_input.ts";

interface LiveSearchOptions {
  prepared: Prepared;
  /** Checks Python's grammar. */
  sandbox: AgentSandbox;
  /** The file, from the root, and as it is. */
  file: string;
  original: string;
  task: VisibleTask;
  entry: NamedEntry;
  /** For the search. Default: as much as it takes. */
  time?: SearchTime | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  say?: ((line: string) => void) | undefined;
}

export interface LiveSearch extends Disposable {
  chat: ChatWithLastWord;
  tools: readonly Tool[];
  /** Why what was found is a suggestion and no repair; null where nothing speaks against it. */
  doubt: () => string | null;
  /** The file with each edit that passed, likeliest first. */
  passing: () => string[];
}

/** @returns why these tests cannot be searched, in a few words, where they cannot */
export function openLiveSearch(options: LiveSearchOptions): LiveSearch | string {
  const { prepared, original } = options;
  const { project, plan } = prepared.suite;
  if (!within(project.folder, project.target)) return `the file does not lie in ${project.folder}, where they run`;
  const suspects = placesIn(options);
  const program = plainText(original);
  const search = searchRepairer(
    { ...prepared, suspects },
    { say: options.say, answers: inFile(program), time: options.time, onProgress: options.onProgress },
  );
  if (search === null || suspects.length === 0)
    return suspects.length === 0 ? "it holds no function" : `${plan.command} cannot be searched`;
  const work = makeTemporaryFolder("work", placeBeside(prepared.base));
  linkTree(prepared.base, work.path);
  const workspace = Workspace.ofAnyFiles(work.path);
  return {
    chat: search.chat,
    tools: [search.tool(workspace), replaceLinesTool(workspace, options.sandbox)],
    doubt: search.doubt,
    passing: () => search.edits().map((edit) => withEdit(program, edit)),
    [Symbol.dispose]: () => work[Symbol.dispose](),
  };
}

/** The functions of the definition, or the one method that is meant, those first that failing tests speak against. */
function placesIn({ prepared: { suspects }, file, original, task, entry }: LiveSearchOptions): Suspect[] {
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

/** Answers with the whole file, as a model of one file does. */
const inFile = (program: string): Answers => ({
  answer: "code",
  next: (edits, steps, before) => {
    const edit = edits[steps];
    if (!edit) return null;
    const thought = `line ${edit.from}: ${edit.before} → ${edit.after} (${edit.operator}) passes.`;
    return { kind: "answer", thought, text: [...before, edit].reduce(withEdit, program) };
  },
  none: (why, before) => ({
    kind: "answer",
    thought: `${why} I return the program ${before.length === 0 ? "unchanged" : "as far as it came"}.`,
    text: before.reduce(withEdit, program),
  }),
});
