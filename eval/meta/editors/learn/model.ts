/**
 * `--meta-model learn:PATH`: an editor without weights that learns edits. It generalises bugs and fixes in code that
 * the user names to rows of the search engine's table, best supported first, and writes a batch of them with their
 * costs into the agent's own files, through the same tools and gates as any other model.
 */

import type { BaseMessage } from "@langchain/core/messages";
import { ChatWithLastWord, type EngineReply } from "../../../../agent/models/last_word.ts";
import type { MadeModel } from "../../../../agent/models/model.ts";
import type { AgentSandbox, Sandbox } from "../../../../utils/sandbox/types.ts";
import type { VisibleTask } from "../../../../utils/task/task.ts";
import { act, type EditorConversation, finish, readConversation } from "../tune.ts";
import { type Batch, batchesIn, batchesOf, costed, FAMILY, type Writing, writingOf } from "./batches.ts";
import { rowsReaching } from "./reach.ts";
import { type LearnedRow, learnRows } from "./rows.ts";
import { readSource } from "./sources.ts";

const TABLES = "agent/models/search/tables/python.json";
const PRIORS = "agent/models/search/tables/priors.json";
const EXAMPLES = "agent/models/search/tables/learned";

/**
 * @param path a git repository with fix commits, or a folder of Python code
 * @param sandbox closed with the model
 * @throws UserError where it teaches nothing
 */
export async function createLearnModel(path: string, seed: number, sandbox: Sandbox): Promise<MadeModel> {
  const learn = async () => learnRows(readSource(path, seed), sandbox);
  const rows = await learn().catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  return {
    name: `learn:${path}`,
    spec: `learn:${path}`,
    chat: new LearnChat(rows, sandbox),
    parameters: { seed, rows: rows.length },
    deterministic: true,
    close: () => sandbox.close(),
  };
}

/** What it does next follows from the conversation; kept is only what was computed from the failures that one tells. */
export class LearnChat extends ChatWithLastWord {
  readonly #rows: readonly LearnedRow[];
  readonly #sandbox: AgentSandbox;
  readonly #batches = new Map<string, Promise<Batch[]>>();

  /** @param rows the best supported first */
  constructor(rows: readonly LearnedRow[], sandbox: AgentSandbox) {
    super({});
    this.#rows = rows;
    this.#sandbox = sandbox;
  }

  _llmType(): string {
    return "learn";
  }

  override async reply(messages: BaseMessage[]): Promise<EngineReply> {
    return { text: await this.#next(readConversation(messages)) };
  }

  /** The batches of an agent, for what it fails. */
  #batchesFor(failed: readonly VisibleTask[]): Promise<Batch[]> {
    const key = JSON.stringify(failed);
    const made =
      this.#batches.get(key) ??
      rowsReaching(failed, this.#rows, this.#sandbox).then((reaching) => batchesOf(costed(this.#rows, reaching)));
    this.#batches.set(key, made);
    return made;
  }

  async #next({ children, failed, turns }: EditorConversation): Promise<string> {
    const [known, place] = turns;
    if (!known)
      return act("I look which learned rows I have.", "search", { pattern: `"${FAMILY}_\\d+_0"`, file: PRIORS });
    if (!place) return act("I look where rows are.", "search", { pattern: '"rewrites": \\{', file: TABLES });
    const had = batchesIn(known.observation);
    // A batch that this agent's earlier child was given was not accepted, or the child would be the parent now.
    const batch = (await this.#batchesFor(failed)).filter(({ number }) => !had.has(number))[children];
    if (!batch) return finish("No change: all that was learned is written, or was tried.");
    const edits = editsOf(batch, writingOf(batch), place.observation);
    return edits[turns.length - 2] ?? finish(describe(batch));
  }
}

/** The replies that write a batch, in their order. */
function editsOf(batch: Batch, writing: Writing, line: string): string[] {
  const isEmpty = /"rewrites": \{\s*\}/.test(line);
  const rows = Object.keys(writing.operators);
  return [
    act("Edits that repair what I fail come first, then those that stand in the code of many files.", "hypothesis", {
      text: describe(batch),
    }),
    act("I add the edits.", "edit", { file: TABLES, ...opened("rewrites", writing.rewrites, isEmpty) }),
    act("I write what each costs.", "edit", { file: PRIORS, ...opened("operators", writing.operators) }),
    act("I keep an example of each.", "create", {
      file: `${EXAMPLES}/batch_${batch.number}.json`,
      text: `${JSON.stringify(writing.examples, null, 2)}\n`,
    }),
    act(`I check that the agent still starts with ${rows.length} more rows.`, "checks", {}),
  ];
}

/** The edit that puts members at the beginning of an object of the file; `isEmpty` where it has none so far. */
function opened(name: string, members: object, isEmpty = false): { old: string; new: string } {
  const body = JSON.stringify(members, null, 2)
    .split("\n")
    .slice(1, -1)
    .map((line) => `  ${line}`)
    .join("\n");
  return isEmpty
    ? { old: `"${name}": {}`, new: `"${name}": {\n${body}\n  }` }
    : { old: `"${name}": {\n`, new: `"${name}": {\n${body},\n` };
}

function describe({ number, rows }: Batch): string {
  const shown = rows.slice(0, 5).map(({ label, template, support }) => `${label}: ${template} (${support} files)`);
  return (
    `Batch ${number}: ${rows.length} edits learned from bugs and fixes in code that belongs to no task, such as ` +
    `${shown.join("; ")}. Each reaches repairs that the engine could not make; those that repair what ` +
    "the agent fails on dev cost least, then the best supported."
  );
}
