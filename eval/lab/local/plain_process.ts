/** What a program without a cache does: transformers.js `generate` on the whole conversation. A process of its own. */

import { AutoModelForCausalLM, env, LogLevel, Tensor } from "@huggingface/transformers";
import { z } from "zod";

const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("load"), folder: z.string(), file: z.string(), threads: z.int() }),
  z.object({ type: z.literal("generate"), ids: z.array(z.int()), maxNewTokens: z.int() }),
]);

type Model = Awaited<ReturnType<typeof AutoModelForCausalLM.from_pretrained>>;
let model: Model | undefined;

async function generate(ids: number[], maxNewTokens: number): Promise<number[]> {
  const row = (values: BigInt64Array) => new Tensor("int64", values, [1, values.length]);
  const output = await model?.generate({
    input_ids: row(BigInt64Array.from(ids, BigInt)),
    attention_mask: row(new BigInt64Array(ids.length).fill(1n)),
    max_new_tokens: maxNewTokens,
    do_sample: false,
    repetition_penalty: 1,
  });
  if (!(output instanceof Tensor)) throw new Error("generate gave no tensor");
  const all = z.array(z.array(z.coerce.number())).parse(output.tolist());
  return (all[0] ?? []).slice(ids.length);
}

async function handle(message: unknown): Promise<void> {
  const parsed = messageSchema.parse(message);
  let tokens: number[] = [];
  if (parsed.type === "load") {
    env.logLevel = LogLevel.NONE;
    env.allowRemoteModels = false;
    const session_options = { intraOpNumThreads: parsed.threads };
    const options = { local_files_only: true, model_file_name: parsed.file, dtype: "fp32", device: "cpu" } as const;
    model = await AutoModelForCausalLM.from_pretrained(parsed.folder, { ...options, session_options });
  } else tokens = await generate(parsed.ids, parsed.maxNewTokens);
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.send?.({ tokens, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 });
}

process.on("message", (message) => void handle(message));
process.on("disconnect", () => process.exit(0));
