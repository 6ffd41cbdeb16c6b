/**
 * `--meta-model tune`: an editor without weights. It reads how the search engine did on dev, learns which edit
 * operators pay, and writes new costs into the agent's own files, through the same tools and gates as any other model.
 */

import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import { parseReply } from "../../../agent/dialects/reader.ts";
import { renderAction, renderAnswer } from "../../../agent/dialects/reply.ts";
import { ChatWithLastWord, type EngineReply } from "../../../agent/models/last_word.ts";
import type { MadeModel } from "../../../agent/models/model.ts";
import { readJson } from "../../../utils/base/data/record.ts";
import { python } from "../../../utils/languages/python/index.ts";
import type { VisibleTask } from "../../../utils/task/task.ts";
import { taskOf } from "../../../utils/task/task_data.ts";

const PRIORS = "agent/models/search/tables/priors.json";
/** The line with which the costs begin. */
const START = '"operators": {';
/** What the given costs weigh against the evidence, by how many children the editor has already. */
const STRENGTHS = [20, 60, 7];

/** The tools that editors without weights know. */
const TOOLS = ["archive", "search", "view", "hypothesis", "edit", "create", "checks"];

export const createTuneModel = (): MadeModel => ({
  name: "tune",
  spec: "tune",
  chat: new TuneChat({}),
  parameters: { strengths: STRENGTHS },
  deterministic: true,
  close: async () => {},
});

/** Stateless: what it does next follows from the conversation. */
class TuneChat extends ChatWithLastWord {
  _llmType(): string {
    return "tune";
  }

  override async reply(messages: BaseMessage[]): Promise<EngineReply> {
    return { text: nextReply(readConversation(messages)) };
  }
}

/** What an editor's conversation says. */
export interface EditorConversation {
  editor: number;
  /** Children that the editor has already. */
  children: number;
  /** Functions of dev that it does not repair. */
  failed: readonly VisibleTask[];
  /** Its own actions with what came back. */
  turns: { tool: string; observation: string }[];
}

/** An agent whose code was edited may send the text of its task alone. */
const NO_TASK = { editor: 0, children: 0, failed: [] };

export function readConversation(messages: readonly BaseMessage[]): EditorConversation {
  const task = messages.find(({ type }) => type === "human");
  const data = task && taskOf(task);
  const turns = messages.flatMap((message, i) => {
    if (message.type !== "ai") return [];
    const reply = parseReply({ text: message.text }, { tools: TOOLS, answer: "text", language: python });
    return reply.kind === "act" ? [{ tool: reply.tool, observation: messages[i + 1]?.text ?? "" }] : [];
  });
  return { ...(data?.type === "improve" ? data : NO_TASK), turns };
}

function nextReply({ editor, children, turns }: EditorConversation): string {
  const strength = STRENGTHS[children % STRENGTHS.length] ?? 20;
  const last = turns.at(-1);
  // From here on the conversation's first observations may no longer be shown.
  if (last?.tool === "checks") {
    return finish(
      `Costs of the edit operators in ${PRIORS} re-fitted to the answers on dev (strength of the old ` +
        `costs: ${strength}).`,
    );
  }
  const tasks = turns.find(({ tool }) => tool === "archive")?.observation;
  if (!last || tasks === undefined) {
    return act("I look at what the engine answered on dev.", "archive", { show: "tasks", agent: editor });
  }
  const evidence = readEvidence(tasks);
  if (!evidence.some(({ right }) => right))
    return finish("No change: no dev task was repaired by an edit of the engine.");
  const place = turns.find(({ tool }) => tool === "search");
  if (!place)
    return act("I look for the costs of the operators.", "search", {
      pattern: START.replace("{", "\\{"),
      folder: PRIORS,
    });
  const from = Number(/priors\.json:(\d+): /.exec(place.observation)?.[1] ?? Number.NaN);
  const page = turns.find(({ tool }) => tool === "view");
  if (!page && from > 0) return act("I read them.", "view", { file: PRIORS, start: from });
  const block = page && readBlock(page.observation, from);
  if (!block) return finish(`No change: ${PRIORS} does not hold the costs of operators as I know them.`);
  switch (last.tool) {
    case "view":
      return act("The counts are small, so the given costs keep their weight.", "hypothesis", {
        text:
          "Trying first the edit operators that repaired dev tasks finds right edits sooner and prefers them " +
          `to wrong ones that pass. Costs are re-fitted to ${evidence.length} dev answers ` +
          `(${evidence.filter(({ right }) => right).length} right), the old costs weighing as ${strength} ` +
          "observations.",
      });
    case "hypothesis": {
      const text = writeBlock(refit(block.operators, evidence, strength), block);
      return act("I write the new costs.", "edit", { file: PRIORS, from, to: block.to, new: text });
    }
    default:
      if (last.observation.includes("would stay as it is"))
        return finish("No change: the costs fit the evidence already.");
      return act("I check that the agent still starts.", "checks", {});
  }
}

/** Each task's line ends with the engine's last thought, which names the operator of the edit it answered with. */
const readEvidence = (tasks: string): OperatorEvidence[] =>
  [...tasks.matchAll(/ · score ([\d.]+) \(.*\((\w+)\)\. I tried /g)].map(([, score, operator]) => ({
    operator: operator ?? "",
    right: Number(score) === 1,
  }));

const Operators = z.record(z.string(), z.number());

/** The lines of the file that hold the costs; its other parts are never touched. */
interface Block {
  operators: z.infer<typeof Operators>;
  /** Last line of the block. */
  to: number;
  /** How the block ends: with a comma where another part follows. */
  end: string;
}

/** The block in a page of numbered lines that begins with it; null where it is not what it was. */
function readBlock(page: string, from: number): Block | null {
  const lines = [...page.matchAll(/^ *(\d+) {2}(.*)$/gm)].map(([, number, text]) => ({
    number: Number(number),
    text: text ?? "",
  }));
  const last = lines.findIndex(({ text }) => /^ {2}\},?$/.test(text));
  const closing = lines[last];
  if (!closing || lines[0]?.number !== from) return null;
  const body = lines.slice(1, last).map(({ text }) => text);
  const operators = readJson(`{${body.join("\n")}}`, Operators);
  return operators && { operators, to: closing.number, end: closing.text };
}

const writeBlock = (operators: Record<string, number>, { end }: Block): string =>
  [
    `  ${START}`,
    JSON.stringify(operators, null, 2)
      .split("\n")
      .slice(1, -1)
      .map((line) => `  ${line}`)
      .join("\n"),
    end,
  ].join("\n");

export const act = (thought: string, tool: string, input: Record<string, unknown>): string =>
  renderAction({ thought, tool, input });

export const finish = (changeLog: string): string =>
  renderAnswer({ thought: "That is all.", text: changeLog }, "text", "");

/** What one dev task tells: which operator made the answer, and whether the answer was right. */
export interface OperatorEvidence {
  operator: string;
  right: boolean;
}

/** Cost of each operator: low is tried first. */
export type Costs = Readonly<Record<string, number>>;

/**
 * Costs act as -log2 of how likely an operator is the right one, up to a constant. The given costs are taken as
 * `strength` earlier observations (a Dirichlet prior), and each right answer is one more. Wrong answers count against
 * an operator by the share of its answers that were right, with one imagined right answer, so that a single failure
 * does not end it. The constant is kept, so costs that nothing speaks about hardly move.
 */
export function refit(costs: Costs, evidence: readonly OperatorEvidence[], strength: number): Record<string, number> {
  const weight = (operator: string) => 2 ** -(costs[operator] ?? 0);
  const total = Object.keys(costs).reduce((sum, operator) => sum + weight(operator), 0);
  const known = evidence.filter(({ operator }) => operator in costs);
  const rights = known.filter(({ right }) => right).length;
  return Object.fromEntries(
    Object.keys(costs).map((operator) => {
      const own = known.filter((one) => one.operator === operator);
      const right = own.filter((one) => one.right).length;
      const likely = (right + (strength * weight(operator)) / total) / (rights + strength);
      const trust = (right + 1) / (own.length + 1);
      const cost = -Math.log2(likely * trust) - Math.log2(total);
      return [operator, Math.round(100 * Math.max(0, cost)) / 100];
    }),
  );
}
