/** What the supervisor says on its standard output, checked at the boundary. */

import { z } from "zod";
import type { LanguageName } from "../languages/language.ts";
import { type JudgeJob, RunResult, Verdict } from "./types.ts";

export const runAnswerSchema = RunResult.extend({ line: z.number().nullish() });

export const judgeAnswerSchema = Verdict.omit({ passed: true, mode: true });

export const supervisorMessageSchema = z.union([
  z.object({ ready: z.object({ root: z.string().nullable(), pid: z.number(), boxPid: z.number() }) }),
  z.object({ failed: z.string() }),
  z.object({ alive: z.literal(true) }),
  z.object({ id: z.number(), result: z.unknown() }),
  z.object({ id: z.number(), lost: z.string() }),
]);

type JudgedContent = Required<Pick<JudgeJob, "program" | "entryPoint" | "test" | "helpers">>;

/**
 * A job as the supervisor takes it. `files`: where its processes become executables, that of the program and, of a
 * judge, that of the tests; their texts are empty then. `tests`: of a compiled language, as they were written.
 */
export type JobRequest = { language: LanguageName; timeoutMs: number; files?: string[]; tests?: string } & (
  | { kind: "run"; outputBytes?: number; job: { program: string; stdin?: string } }
  | { kind: "judge"; job: JudgedContent & { report: string | null } }
  | { kind: "in_process"; job: JudgedContent & { moduleNames?: string[]; nonce: string } }
);
