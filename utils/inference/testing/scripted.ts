/**
 * Writes a model that says what a script tells it, through the real runtime and tokenizer. Its KV cache holds the token
 * ids of the whole history, and what comes next is looked up from that history: a lost, doubled or shifted cache says
 * something else. Which reply it gives depends on how many assistant turns the history holds.
 */

import { join } from "node:path";
import { AutoTokenizer } from "@huggingface/transformers";
import { largest } from "../../base/data/extremes.ts";
import { GraphBuilder } from "./graph_builder.ts";
import { type Shape, type SpecialTokens, writeConfigs, writeTokenizer } from "./model_files.ts";

export interface ScriptedOptions {
  /** What the model says in its first, second, … turn; the last one is repeated. */
  replies: string[];
  /** Assistant turns in the few-shot part of the prompt, which are not counted. Default 0. */
  fewShotTurns?: number;
}

const SHAPE: Shape = { layers: 1, hidden: 1, heads: 1, kvHeads: 1, ffn: 1, vocab: 320, contextLength: 32_768 };

/** Writes the folder and returns it. */
export async function writeScriptedModel(folder: string, options: ScriptedOptions): Promise<string> {
  const tokens = writeTokenizer(folder, SHAPE);
  writeConfigs(folder, SHAPE, tokens, false);
  const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false });
  writeGraph(join(folder, "onnx", "model_q4.onnx"), encode, tokens, options);
  return folder;
}

function writeGraph(
  file: string,
  encode: (text: string) => number[],
  tokens: SpecialTokens,
  { replies, fewShotTurns = 0 }: ScriptedOptions,
): void {
  const rows = replies.map(encode);
  const width = largest(rows.map((r) => r.length)) + 1;
  const script = new BigInt64Array(rows.length * width).fill(BigInt(tokens.imEnd));
  rows.forEach((row, r) => {
    row.forEach((token, i) => {
      script[r * width + i] = BigInt(token);
    });
  });
  const graph = new GraphBuilder(file);
  graph.input("input_ids", "int64", ["batch_size", "sequence_length"]);
  graph.input("attention_mask", "int64", ["batch_size", "total_sequence_length"]);
  const kv = (length: string): (string | number)[] => ["batch_size", 1, length, 1];
  const ids = graph.op("Unsqueeze", [graph.op("Cast", ["input_ids"], { to: 1 }), graph.int([1, 3])]);
  for (const part of ["key", "value"]) {
    graph.input(`past_key_values.0.${part}`, "float", kv("past_sequence_length"));
    graph.output(`present.0.${part}`, "float", kv("total_sequence_length"));
    graph.op("Concat", [`past_key_values.0.${part}`, ids], { axis: 2 }, { outputs: [`present.0.${part}`] });
  }
  const history = graph.op("Cast", [graph.op("Reshape", ["present.0.key", graph.int([-1])])], { to: 7 });
  const { turn, offset } = place(graph, history, tokens, encode("assistant\n"));
  const row = clamp(graph, graph.op("Sub", [turn, graph.int(1 + fewShotTurns)]), rows.length - 1);
  const cell = graph.op("Add", [graph.op("Mul", [row, graph.int(width)]), clamp(graph, offset, width - 1)]);
  const says = graph.op("Gather", [graph.tensor("script", "int64", [script.length], script), cell]);
  const fresh = graph.op("Slice", [
    says,
    graph.op("Neg", [newTokens(graph)]),
    graph.int([2 ** 31 - 1]),
    graph.int([0]),
  ]);
  const onOff = graph.tensor("on_off", "float", [2], Float32Array.of(0, 20));
  const logits = graph.op("OneHot", [fresh, graph.int([SHAPE.vocab]), onOff]);
  graph.op("Unsqueeze", [logits, graph.int([0])], {}, { outputs: ["logits"] });
  graph.output("logits", "float", ["batch_size", "sequence_length", SHAPE.vocab]);
  graph.save();
}

/** For every position of the history: the assistant turns opened so far, and the tokens since the last turn's header. */
function place(
  graph: GraphBuilder,
  history: string,
  tokens: SpecialTokens,
  header: number[],
): { turn: string; offset: string } {
  const equals = (x: string, token: number): string =>
    graph.op("Cast", [graph.op("Equal", [x, graph.int(token)])], { to: 7 });
  const count = (x: string): string => graph.op("CumSum", [x, graph.int(0)]);
  const starts = equals(history, tokens.imStart);
  // Before the first turn, the history counts from its own beginning.
  const startPositions = graph.op("Reshape", [graph.op("NonZero", [starts]), graph.int([-1])]);
  const bases = graph.op("Concat", [graph.int([0]), startPositions], { axis: 0 });
  const lastStart = graph.op("Gather", [bases, count(starts)]);
  const length = graph.op("Squeeze", [graph.op("Shape", [history])]);
  const positions = graph.op("Range", [graph.int(0), length, graph.int(1)]);
  const sinceStart = graph.op("Sub", [positions, lastStart]);
  const roles = graph.op("Mul", [equals(sinceStart, 1), equals(history, header[0] ?? 0)]);
  return { turn: count(roles), offset: graph.op("Sub", [sinceStart, graph.int(header.length)]) };
}

const newTokens = (graph: GraphBuilder): string =>
  graph.op("Gather", [graph.op("Shape", ["input_ids"]), graph.int([1])]);

const clamp = (graph: GraphBuilder, x: string, high: number): string =>
  graph.op("Min", [graph.op("Max", [x, graph.int(0)]), graph.int(high)]);
