/**
 * `--meta-model tune`: an editor without weights. It reads how the search engine did on dev, learns which edit operators
 * pay, and writes new costs into the agent's own files, through the same tools and gates as any other model.
 */

import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import type { Model } from "../../../agent/models/model.ts";
import { type Evidence, refit } from "./fit.ts";

const PRIORS = "agent/models/search/engine/priors.json";
/** What the given costs weigh against the evidence, by how many children the editor has already. */
const STRENGTHS = [20, 60, 7];

export const createTuneModel = (): Model => ({
  name: "tune",
  spec: "tune",
  chat: new TuneChat({}),
  parameters: { strengths: STRENGTHS },
  deterministic: true,
  close: async () => {},
});

/** Stateless: what it does next follows from the conversation. */
class TuneChat extends SimpleChatModel {
  _llmType(): string {
    return "tune";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    return nextReply(readConversation(messages));
  }
}

interface Conversation {
  editor: number;
  /** Children that the editor has already. */
  children: number;
  /** Its own actions with what came back. */
  turns: { tool: string; observation: string }[];
}

function readConversation(messages: readonly BaseMessage[]): Conversation {
  const task = messages.find(({ type }) => type === "human")?.text ?? "";
  const editor = Number(/code of agent (\d+)/.exec(task)?.[1] ?? 0);
  const children = [...task.matchAll(/^agent \d+, child of (\d+)/gm)].filter(([, parent]) => Number(parent) === editor);
  const turns = messages.flatMap((message, i) => {
    const tool = message.type === "ai" ? /^Action: (\w+)/m.exec(message.text)?.[1] : undefined;
    return tool === undefined ? [] : [{ tool, observation: messages[i + 1]?.text ?? "" }];
  });
  return { editor, children: children.length, turns };
}

function nextReply({ editor, children, turns }: Conversation): string {
  const last = turns.at(-1);
  const tasks = turns.find(({ tool }) => tool === "archive")?.observation;
  if (!last || tasks === undefined) {
    return act("I look at what the engine answered on dev.", "archive", { show: "tasks", agent: editor });
  }
  const evidence = readEvidence(tasks);
  if (!evidence.some(({ right }) => right))
    return finish("No change: no dev task was repaired by an edit of the engine.");
  const pages = turns.filter(({ tool }) => tool === "view").map(({ observation }) => observation);
  const goOn = pages.length === 0 ? "1" : /\(view line (\d+) to go on\)/.exec(pages.at(-1) ?? "")?.[1];
  if (goOn !== undefined)
    return act("I read the costs of the operators.", "view", { file: PRIORS, line: Number(goOn) });
  const file = readFile(pages);
  if (!file) return finish(`No change: ${PRIORS} does not hold the costs of operators as I know them.`);
  const strength = STRENGTHS[children % STRENGTHS.length] ?? 20;
  switch (last.tool) {
    case "view":
      return act("The counts are small, so the given costs keep their weight.", "hypothesis", {
        text: `Trying first the edit operators that repaired dev tasks finds right edits sooner and prefers them to wrong ones that pass. Costs are re-fitted to ${evidence.length} dev answers (${evidence.filter(({ right }) => right).length} right), the old costs weighing as ${strength} observations.`,
      });
    case "hypothesis": {
      const operators = refit(file.operators, evidence, strength);
      const text = JSON.stringify({ ...file.content, operators }, null, 2);
      return act("I write the new costs.", "replace_lines", { file: PRIORS, from: 1, to: file.lines, text });
    }
    case "replace_lines":
      if (last.observation.includes("would stay as it is"))
        return finish("No change: the costs fit the evidence already.");
      return act("I check that the agent still starts.", "checks", {});
    default:
      return finish(
        `Costs of the edit operators in ${PRIORS} re-fitted to the answers on dev (strength of the old costs: ${strength}).`,
      );
  }
}

/** Each task's line ends with the engine's last thought, which names the operator of the edit it answered with. */
const readEvidence = (tasks: string): Evidence[] =>
  [...tasks.matchAll(/ · score ([\d.]+) \(.*\((\w+)\)\. I tried /g)].map(([, score, operator]) => ({
    operator: operator ?? "",
    right: Number(score) === 1,
  }));

const Content = z.record(z.string(), z.json());
const Operators = z.record(z.string(), z.number());

interface PriorsFile {
  /** The whole file; its other parts are written back as they are, in their order. */
  content: z.infer<typeof Content>;
  operators: z.infer<typeof Operators>;
  lines: number;
}

/** The file behind pages of numbered lines; null where it is not what it was. */
function readFile(pages: readonly string[]): PriorsFile | null {
  const lines = pages.flatMap((page) => [...page.matchAll(/^ *\d+ {2}(.*)$/gm)].map(([, line]) => line ?? ""));
  try {
    const content = Content.parse(JSON.parse(lines.join("\n")));
    return { content, operators: Operators.parse(content.operators), lines: lines.length };
  } catch {
    return null;
  }
}

const act = (thought: string, tool: string, input: object): string =>
  `Thought: ${thought}\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`;

const finish = (changeLog: string): string => `Thought: That is all.\nFinal Answer: ${changeLog}`;
