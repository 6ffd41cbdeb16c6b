/** A streamed chat completion as it comes: server-sent events, and parts of a message that belong together. */

import { OpenAIClient } from "@langchain/openai";

export type Chunk = OpenAIClient.ChatCompletionChunk;
type Delta = OpenAIClient.ChatCompletionChunk.Choice.Delta & { reasoning_content?: unknown };

/**
 * The chunks of a reply, up to its end or `[DONE]`.
 * @throws SyntaxError for data that is no JSON, and the client's own error for one that the server tells as data
 */
export async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Chunk> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let isDone = false;
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      if (line !== "" || data.length === 0) continue;
      const text = data.join("\n");
      data = [];
      isDone ||= text.startsWith("[DONE]");
      if (!isDone) yield chunkIn(text);
    }
  }
}

function chunkIn(text: string): Chunk {
  const chunk: Chunk & { error?: object } = JSON.parse(text);
  if (chunk?.error) throw new OpenAIClient.APIError(undefined, chunk.error, undefined, undefined);
  return chunk;
}

/**
 * Two chunks as one; null where that could change what they say together. Pieces of text, and of the arguments of one
 * call, come in hundreds, and LangChain makes a message of each.
 */
export function joined(first: Chunk, next: Chunk): Chunk | null {
  const [a, b] = [first.choices?.[0], next.choices?.[0]];
  if (!a?.delta || !b?.delta || first.usage || next.usage) return null;
  if (a.finish_reason != null || b.finish_reason != null || a.index !== b.index) return null;
  const delta = joinedText(a.delta, b.delta) ?? joinedCall(a.delta, b.delta);
  return delta && { ...first, choices: [{ ...a, delta }] };
}

const TEXTS = ["content", "reasoning_content"] as const;

function joinedText(a: Delta, b: Delta): Delta | null {
  if (!isText(a) || !isText(b) || (b.role ?? a.role) !== a.role) return null;
  const texts = TEXTS.flatMap((key) => {
    const said = [a[key], b[key]].filter((text) => typeof text === "string");
    return said.length > 0 ? [[key, said.join("")]] : [];
  });
  return { ...a, ...Object.fromEntries(texts) };
}

/** Whether it is text and reasoning alone. Some servers say null where there is nothing. */
const isText = (delta: Delta): boolean =>
  Object.entries(delta).every(([key, value]) => key === "role" || value === null || OF_TEXT.has(key)) &&
  TEXTS.every((key) => typeof (delta[key] ?? "") === "string");
const OF_TEXT = new Set<string>(TEXTS);

function joinedCall(a: Delta, b: Delta): Delta | null {
  const [call, more] = [soleCall(a), soleCall(b)];
  if (!call || !more || call.index === undefined || call.index !== more.index) return null;
  if (more.id || more.function?.name || typeof (more.function?.arguments ?? "") !== "string") return null;
  const args = `${call.function?.arguments ?? ""}${more.function?.arguments ?? ""}`;
  return { ...a, tool_calls: [{ ...call, function: { ...call.function, arguments: args } }] };
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
