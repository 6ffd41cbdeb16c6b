/** Whether a file of JavaScript or TypeScript parses. */

import { extname } from "node:path";
import { z } from "zod";
import type { SyntaxProblem } from "../source_files.ts";

const LOADERS: Record<string, "ts" | "tsx"> = { ".ts": "ts", ".mts": "ts", ".cts": "ts", ".tsx": "tsx" };

const Failure = z.object({
  errors: z.array(z.object({ text: z.string(), location: z.object({ line: z.number() }).nullish() })).min(1),
});

/** @param file its name, which tells the language, @returns null where it parses */
export async function scriptProblem(file: string, text: string): Promise<SyntaxProblem | null> {
  const { transformSync } = await import("esbuild");
  try {
    transformSync(text, { loader: LOADERS[extname(file)] ?? "jsx", logLevel: "silent" });
    return null;
  } catch (error) {
    const [first] = Failure.safeParse(error).data?.errors ?? [];
    if (!first) throw error;
    return { line: first.location?.line ?? 1, message: first.text };
  }
}
