/** A streamed chat completion as it comes: server-sent events, and parts of a message that belong together. */

import { OpenAIClient } from "@langchain/openai";

export type Chunk = OpenAIClient.ChatCompletionChunk;
type Delta = OpenAIClient.ChatCompletionChunk.Choice.Delta & { reasoning_content?: unknown };

/**
 * Reads a reply as it comes, up to its end or `[DONE]`.
 * @param take is given each chunk
 * @returns to be given each part of the body, which throws a SyntaxError for data that is no JSON, and the client's own
 * error for one that the server tells as data
 */
export function chunkReader(take: (chunk: Chunk) => void): (part: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let isDone = false;
  return (part) => {
    const lines = (rest + decoder.decode(part, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      if (line !== "" || data.length === 0) continue;
      const text = data.join("\n");
      data = [];
      isDone ||= text.startsWith("[DONE]");
      if (!isDone) take(chunkIn(text));
    }
  };
}

function chunkIn(text: string): Chunk {
  const chunk: Chunk & { error?: object } = JSON.parse(text);
  if (chunk?.error) throw new OpenAIClient.APIError(undefined, chunk.error, undefined, undefined);
  return chunk;
}

/**
 * Puts the next chunk into the one before it; false where that could change what they say together. Pieces of text, and
 * of the arguments of one call, come in hundreds, and LangChain makes a message of each.
 * @param first is changed
 */
export function takesIn(first: Chunk, next: Chunk): boolean {
  const [a, b] = [first.choices?.[0], next.choices?.[0]];
  if (!a?.delta || !b?.delta || first.usage || next.usage) return false;
  if (a.finish_reason != null || b.finish_reason != null || a.index !== b.index) return false;
  return takesText(a.delta, b.delta) || takesCall(a.delta, b.delta);
}

function takesText(a: Delta, b: Delta): boolean {
  if (!isText(a) || !isText(b) || (b.role ?? a.role) !== a.role) return false;
  if (typeof b.content === "string") a.content = (a.content ?? "") + b.content;
  if (typeof b.reasoning_content === "string")
    a.reasoning_content = (typeof a.reasoning_content === "string" ? a.reasoning_content : "") + b.reasoning_content;
  return true;
}

/** Whether it is text and reasoning alone. Some servers say null where there is nothing. */
function isText(delta: object): boolean {
  for (const [key, value] of Object.entries(delta)) {
    if (value === null || key === "role") continue;
    if ((key !== "content" && key !== "reasoning_content") || typeof value !== "string") return false;
  }
  return true;
}

function takesCall(a: Delta, b: Delta): boolean {
  const [call, more] = [soleCall(a), soleCall(b)];
  if (!call || !more || call.index === undefined || call.index !== more.index) return false;
  if (more.id || more.function?.name || typeof (more.function?.arguments ?? "") !== "string") return false;
  call.function = { ...call.function, arguments: (call.function?.arguments ?? "") + (more.function?.arguments ?? "") };
  return true;
}

function soleCall({ tool_calls: calls, role: _role, ...rest }: Delta) {
  const [call, ...others] = Array.isArray(calls) ? calls : [];
  return others.length === 0 && Object.values(rest).every((value) => value === null || value === "") ? call : undefined;
}

/** What somebody who watches is told of a chunk: its text, else its reasoning and calls. */
export function writtenIn({ choices }: Chunk): string {
  const delta: Delta = choices?.[0]?.delta ?? {};
  if (delta.content) return delta.content;
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
  const called = calls.map(({ function: call }) => (call?.name ? `${call.name} ` : "") + (call?.arguments ?? ""));
  return (typeof delta.reasoning_content === "string" ? delta.reasoning_content : "") + called.join("");
}
