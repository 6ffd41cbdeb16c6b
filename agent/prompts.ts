/** What the model is shown first in repair: the texts of `prompts/`, filled in. */

import { type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { loadTemplate } from "../utils/base/text/template.ts";
import type { Language } from "../utils/languages/language.ts";
import { LANGUAGES } from "../utils/languages/registry.ts";
import { readCases } from "../utils/sandbox/cases.ts";
import type { AgentSandbox } from "../utils/sandbox/types.ts";
import { buggyProgram, type FewShotExample, isProgram, isToWrite, type VisibleTask } from "../utils/task/task.ts";
import { messageWithTask } from "../utils/task/task_message.ts";
import { type Opening, observedText } from "./conversation.ts";
import { type Action, CODE_TOOL, type Observation } from "./dialects/reply.ts";
import { codeInterpreter } from "./tools/code_interpreter.ts";
import { describedTools, type Registry, type Tool } from "./tools/tool.ts";

/** A file of `prompts/`, or a section of it. */
export const prompt = (name: string, section?: string) =>
  loadTemplate(new URL(`../prompts/${name}.md`, import.meta.url), section);
const system = prompt("system");
const task = prompt("task");
const write = prompt("write");
const program = prompt("program");
const firstThought = prompt("messages", "first-thought");
const firstThoughtUntested = prompt("messages", "first-thought-untested");
const fewShotThought = prompt("messages", "few-shot-thought");
const judged = { once: prompt("messages", "judged"), again: prompt("messages", "judged-again") };
const inText = prompt("protocol", "text");
const natively = prompt("protocol", "native");
const once = prompt("protocol", "once");

/** How to act and to answer, for the repair of one function: the answer is its program. Without tools it is all. */
export function codeProtocol(tools: Registry, { fence }: Language, isNative = false): string {
  if (tools.size === 0) return once({ fence });
  if (isNative) return natively({ answer: `: the complete repaired function in a \`\`\`${fence} fence` });
  const answer = `\n\`\`\`${fence}\nthe complete repaired function\n\`\`\``;
  const parts = { aim: "what you want to find out", notices: "", reason: "what was wrong and how you fixed it" };
  return inText({ ...parts, answer, tools: describedTools(tools) });
}

/** How to act and to answer, for all other work. Somebody may watch it and add notices to observations. */
export function textProtocol(tools: Registry, isNative = false): string {
  if (isNative) return natively({ answer: "" });
  const notices = " A Notice in it comes from someone who watches your work: heed it.";
  const parts = { aim: "what you want to find out or change", notices, reason: "what you found out or did" };
  return inText({ ...parts, answer: " the text you were asked for", tools: describedTools(tools) });
}

export function systemMessage(visible: VisibleTask, tools: Registry, isNative = false): BaseMessage {
  const language = LANGUAGES[visible.language];
  const rule = visible.exampleTest.trim() ? `\n${judged[tools.size > 0 ? "again" : "once"]({})}` : "";
  const protocol = codeProtocol(tools, language, isNative);
  return new SystemMessage(system({ language: language.title, protocol, judged: rule }));
}

export function taskMessage(visible: VisibleTask): BaseMessage {
  const { instruction, entryPoint, exampleTest, language } = visible;
  const { fence } = LANGUAGES[language];
  if (isProgram(visible)) return messageWithTask(programText(visible), { type: "repair", task: visible });
  const tests = exampleTest.trim() ? `\`\`\`${fence}\n${exampleTest.trim()}\n\`\`\`` : "None.";
  const source = buggyProgram(visible).trimEnd();
  const begun = source === "" ? "Nothing." : `\`\`\`${fence}\n${source}\n\`\`\``;
  const shared = { instruction: instruction.trim(), entryPoint, tests };
  const text = isToWrite(visible) ? write({ ...shared, begun }) : task({ ...shared, program: source, fence });
  return messageWithTask(text, { type: "repair", task: visible });
}

/** Of a program that reads its input: with its cases as they are, which text of any kind may stand in. */
function programText(visible: VisibleTask): string {
  const { instruction, exampleTest, language } = visible;
  const { fence } = LANGUAGES[language];
  const shown = (text: string) => `\`\`\`\`text\n${text.trimEnd()}\n\`\`\`\``;
  const cases = readCases(exampleTest).map(
    ({ input, output }) => `Input:\n${shown(input)}\nExpected output:\n${shown(output)}`,
  );
  const source = buggyProgram(visible).trimEnd();
  return program({
    aim: isToWrite(visible) ? "Write this program." : "Repair this program.",
    instruction: instruction.trim(),
    begun: source === "" ? "Nothing." : `\`\`\`${fence}\n${source}\n\`\`\``,
    cases: cases.length === 0 ? "None." : cases.join("\n\n"),
  });
}

/**
 * The action that comes with a task, but with one to write, where there is nothing to run: run the buggy program
 * against the visible tests.
 * @param script the tests as a script that runs them, where the visible tests only define functions (`def test_…`)
 */
export function firstAction(visible: VisibleTask, script = visible.exampleTest): Action {
  if (isProgram(visible)) return runOf(visible, { stdin: readCases(visible.exampleTest)[0]?.input ?? "" });
  const harness = script.trim();
  return harness ? runOf(visible, { harness }) : { ...runOf(visible), thought: firstThoughtUntested({}) };
}

/** The action that comes with a task whose tests are run by a tool of their own. */
export const firstRun = (visible: VisibleTask, { name }: Tool): Action => ({ ...runOf(visible), tool: name });

const runOf = (visible: VisibleTask, more: Record<string, string> = {}): Action => ({
  kind: "act",
  tool: CODE_TOOL,
  input: { code: buggyProgram(visible).trimEnd(), ...more },
  thought: firstThought({}),
});

/** An example as one finished conversation: task, first action, its result, the right answer. */
export function exampleTurns(example: FewShotExample, firstObservation: Observation | null): Opening {
  const text = (example.declaration + example.canonicalCode + example.epilogue).trimEnd();
  const answer = { kind: "answer" as const, thought: fewShotThought({}), text };
  const first = firstObservation && [{ reply: firstAction(example) }, { result: observedText(firstObservation) }];
  return [taskMessage(example), ...(first ?? []), { reply: answer }];
}

/** Few-shot examples. A sandbox really runs each buggy program, so that the example shows a real Observation. */
export async function prepareExamples(examples: readonly FewShotExample[], sandbox: AgentSandbox | null) {
  const turns = examples.map(async (example) => {
    const tool = sandbox && !isToWrite(example) && codeInterpreter(sandbox, LANGUAGES[example.language]);
    return exampleTurns(example, tool ? await tool.run(firstAction(example).input) : null);
  });
  return (await Promise.all(turns)).flat();
}
