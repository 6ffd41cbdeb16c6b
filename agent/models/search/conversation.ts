/** What a conversation tells the search model: the last task in it, and what became of its own earlier replies. */

import type { BaseMessage } from "@langchain/core/messages";
import type { LanguageName } from "../../../utils/languages/language.ts";
import { python } from "../../../utils/languages/python/index.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { type SearchResult, searchIn } from "../../../utils/search/result.ts";
import { SEARCHED } from "../../../utils/search/searched.ts";
import { buggyProgram } from "../../../utils/task/task.ts";
import { observationOf, taskOf } from "../../../utils/task/task_data.ts";
import { parseReply } from "../../dialects/reader.ts";
import { SEARCH_EDITS } from "../../tools/search_edits.ts";

export interface PromptedTask {
  language: LanguageName;
  instruction: string;
  program: string;
  entry: string;
  /** Empty where the task has none. */
  tests: string;
}

export interface Conversation {
  task: PromptedTask;
  /** One for each search that was run, in order; null where its Observation had no result beside its text. */
  searches: (SearchResult | null)[];
  /** The end of the last search's Observation where it had no result: the program did not run to an end. */
  broken: string | null;
  /** Final Answers that were given; each but a last unanswered one was not accepted. */
  answers: string[];
}

/** Characters of an Observation without a result that are kept. */
const BROKEN_TAIL = 300;

/** Reads a conversation from its last task on; earlier tasks are examples. Null where it holds no task. */
export function readConversation(messages: readonly BaseMessage[]): Conversation | null {
  let found: Conversation | null = null;
  let searching = false;
  for (const message of messages) {
    const task = message.type === "human" ? readTask(message) : null;
    if (task) {
      found = { task, searches: [], broken: null, answers: [] };
      searching = false;
    } else if (found && message.type === "ai") {
      const reply = parseReply({ text: message.text }, { tools: [SEARCH_EDITS], answer: "code", language: python });
      if (reply.kind === "answer") found.answers.push(reply.text);
      searching = reply.kind === "act" && reply.tool === SEARCH_EDITS;
    } else if (found && searching) {
      const result = searchIn(observationOf(message));
      found.searches.push(result);
      found.broken = result ? null : message.text.trim().slice(-BROKEN_TAIL);
      searching = false;
    }
  }
  return found;
}

/** The task that a message gives, as data or, where only its text came through, in words. */
function readTask(message: BaseMessage): PromptedTask | null {
  const data = taskOf(message);
  if (data?.type !== "repair") return readTaskText(message.text);
  const { language, instruction, entryPoint, exampleTest } = data.task;
  return {
    language,
    instruction: instruction.trim(),
    program: buggyProgram(data.task).trimEnd(),
    entry: entryPoint,
    tests: exampleTest.trim(),
  };
}

const FENCE = /^(`{3,})\w*\n([\s\S]*?)\n?^\1[ \t]*$/gm;
const NAMED = /^`([^`\n]+)`[ \t]*$/gm;

/**
 * A task told in words, whatever its headings are: a line with nothing but the function's name in back quotes, a fence
 * with a program that defines it, what is said before as the instruction, and the fence after as the tests.
 */
export function readTaskText(source: string): PromptedTask | null {
  const text = source.replace(/\r\n/g, "\n");
  const names = [...text.matchAll(NAMED)].map(([, name = ""]) => name);
  const fences = [...text.matchAll(FENCE)].map(({ index, 2: code = "" }) => ({ index, code }));
  for (const entry of names) {
    const defining = (name: LanguageName) =>
      fences.findIndex(({ code }) => LANGUAGES[name].definitions(code).includes(entry));
    const language = SEARCHED.find((name) => defining(name) !== -1);
    const at = language ? defining(language) : -1;
    const program = fences[at];
    if (!language || !program) continue;
    const said = text.slice(0, program.index).split("\n");
    const instruction = said.filter((line) => !line.startsWith("#")).join("\n");
    return {
      language,
      instruction: instruction.trim(),
      program: program.code,
      entry,
      tests: fences[at + 1]?.code ?? "",
    };
  }
  return null;
}
