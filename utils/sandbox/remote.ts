/** The host's sandbox as an agent in its box sees it: the same calls over the host's socket. What it is judged by never comes from it. */

import type { z } from "zod";
import { HOST_ROUTES } from "../child/process_protocol.ts";
import { postJson } from "../child/socket_http.ts";
import { type AgentSandbox, type RunJob, RunResult, Verdict, type VisibleJudgeJob } from "./types.ts";

/** @param socket path of the host's socket; nothing is sent before the first job */
export function remoteSandbox(socket: string): AgentSandbox {
  const ask = async <T>(route: string, job: object, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> => {
    const { status, body } = await postJson(socket, route, job, signal);
    if (status !== 200) throw new Error(`the host's sandbox refused the job (${status}): ${JSON.stringify(body)}`);
    return schema.parse(body);
  };
  return {
    run: ({ signal, ...job }: RunJob) => ask(HOST_ROUTES.run, job, RunResult, signal),
    judgeVisible: ({ task, program, timeoutMs, signal }: VisibleJudgeJob) =>
      ask(HOST_ROUTES.judge, { task: task.id, program, timeoutMs }, Verdict, signal),
  };
}
