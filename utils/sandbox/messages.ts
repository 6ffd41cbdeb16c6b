/** What the supervisor says on its standard output, checked at the boundary. */

import { z } from "zod";
import type { LanguageName } from "../languages/language.ts";

const output = {
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean(),
  durationMs: z.number(),
};

export const runResultSchema = z.object({
  status: z.enum(["exited", "killed", "timeout", "output_limit", "syntax_error", "sandbox_error"]),
  exitCode: z.number().nullable(),
  explanation: z.string(),
  line: z.number().nullish(),
  ...output,
});

export const verdictSchema = z.object({
  outcome: z.enum(["passed", "failed", "timeout", "crashed", "forged", "sandbox_error"]),
  explanation: z.string(),
  loaded: z.boolean(),
  calls: z.number(),
  reported: z.string().optional(),
  ...output,
});

export const supervisorMessageSchema = z.union([
  z.object({ ready: z.object({ root: z.string().nullable(), pid: z.number(), boxPid: z.number() }) }),
  z.object({ failed: z.string() }),
  z.object({ alive: z.literal(true) }),
  z.object({ id: z.number(), result: z.unknown() }),
  z.object({ id: z.number(), lost: z.string() }),
]);

/** A job as the supervisor takes it. */
export type Request = { language: LanguageName } & (
  | { kind: "run"; timeoutMs: number; job: { program: string } }
  | {
      kind: "judge";
      timeoutMs: number;
      job: { program: string; entryPoint: string; test: string; helpers: string; report: string | null };
    }
  | {
      kind: "in_process";
      timeoutMs: number;
      job: {
        program: string;
        entryPoint: string;
        test: string;
        helpers: string;
        moduleNames: string[];
        nonce: string;
      };
    }
);
