/** What a conversation tells the search model: the last task in it, and what became of its own earlier replies. */

import type { BaseMessage } from "@langchain/core/messages";
import { readResult, type SearchResult } from "./result.ts";

/** The task as the prompt shows it. */
export interface PromptedTask {
  instruction: string;
  program: string;
  entry: string;
  /** Empty where the prompt shows none. */
  tests: string;
}

export interface Conversation {
  task: PromptedTask;
  /** One for each search that was run, in order; null where its Observation held no result. */
  searches: (SearchResult | null)[];
  /** The end of the last search's Observation where it held no result: the program did not run to an end. */
  broken: string | null;
  /** Final Answers that were given; each but a last unanswered one was not accepted. */
  answers: string[];
}

const TASK =
  /## Instruction\n([\s\S]*?)\n+## Buggy program\n+```\w*\n([\s\S]*?)\n?```\n+## Function to repair\n+`([^`\n]+)`\n+## Visible tests\n+([\s\S]*)$/;
const ANSWER = /Final Answer:\s*```\w*\n([\s\S]*?)\n?```\s*$/;

/** Characters of an Observation without a result that are kept. */
const BROKEN_TAIL = 300;

/** Marks the code of a search among other actions. */
export const SEARCH_MARK = "SEARCH_RESULT";

/** Reads a task message; null where the text holds no task. */
export function readTask(text: string): PromptedTask | null {
  const [, instruction, program, entry, shown] = TASK.exec(text.replace(/\r\n/g, "\n")) ?? [];
  if (instruction === undefined || program === undefined || entry === undefined || shown === undefined) return null;
  const tests = /^```\w*\n([\s\S]*?)\n?```\s*$/.exec(shown.trim())?.[1] ?? "";
  return { instruction: instruction.trim(), program, entry, tests };
}

/** Reads a conversation from its last task on; earlier tasks are examples. Null where it holds no task. */
export function readConversation(messages: readonly BaseMessage[]): Conversation | null {
  let found: Conversation | null = null;
  let searching = false;
  for (const message of messages) {
    const task = message.type === "human" ? readTask(message.text) : null;
    if (task) {
      found = { task, searches: [], broken: null, answers: [] };
      searching = false;
    } else if (found && message.type === "ai") {
      const answer = ANSWER.exec(message.text)?.[1];
      if (answer !== undefined) found.answers.push(answer);
      searching = answer === undefined && message.text.includes(SEARCH_MARK);
    } else if (found && searching) {
      const result = readResult(message.text);
      found.searches.push(result);
      found.broken = result ? null : message.text.trim().slice(-BROKEN_TAIL);
      searching = false;
    }
  }
  return found;
}
