/** The progress of a turn: the model is asked, writes, has replied. */

import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";

/**
 * `text` is the next piece of a reply, with its reasoning and its calls. After `replied`, or a failure, a tool or the
 * tests run.
 */
export type Progress =
  | { type: "asked" }
  | { type: "wrote"; text: string }
  | { type: "replied" }
  /** How far a search has come. */
  | { type: "searching"; text: string };

/** Makes LangChain stream the replies of a run, and reports them piece by piece. */
export class ProgressHandler extends BaseCallbackHandler {
  name = "mend_progress";
  override awaitHandlers = true;
  readonly lc_prefer_streaming = true;
  readonly #tell: (progress: Progress) => void;

  constructor(tell: (progress: Progress) => void) {
    super();
    this.#tell = tell;
  }

  override handleChatModelStart(): void {
    this.#tell({ type: "asked" });
  }

  override handleLLMNewToken(
    ...[token, , , , , fields]: Parameters<NonNullable<BaseCallbackHandler["handleLLMNewToken"]>>
  ) {
    const text = token || writtenBeside(fields?.chunk);
    if (text !== "") this.#tell({ type: "wrote", text });
  }

  override handleLLMEnd(): void {
    this.#tell({ type: "replied" });
  }

  override handleLLMError(): void {
    this.#tell({ type: "replied" });
  }
}

function writtenBeside(chunk: unknown): string {
  if (!(chunk instanceof ChatGenerationChunk) || !AIMessageChunk.isInstance(chunk.message)) return "";
  const { additional_kwargs: beside, tool_call_chunks = [] } = chunk.message;
  const reasoning = typeof beside.reasoning_content === "string" ? beside.reasoning_content : "";
  return reasoning + tool_call_chunks.map(({ name, args }) => (name ? `${name} ` : "") + (args ?? "")).join("");
}
