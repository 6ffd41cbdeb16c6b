/** The host's sandbox, called over a socket by an agent in its box. Scoring tests stay with the host. */

import { askHost } from "../base/host/socket_http.ts";
import { HOST_ROUTES } from "../task/process_protocol.ts";
import { type AgentSandbox, type RunJob, RunResult, Verdict, type VisibleJudgeJob } from "./types.ts";

/** @param socket path of the host's socket; nothing is sent before the first job */
export const remoteSandbox = (socket: string): AgentSandbox => ({
  run: ({ signal, ...job }: RunJob) => askHost(socket, HOST_ROUTES.run, job, RunResult, signal),
  judgeVisible: ({ task, program, timeoutMs, signal }: VisibleJudgeJob) =>
    askHost(socket, HOST_ROUTES.judge, { task: task.id, program, timeoutMs }, Verdict, signal),
});
