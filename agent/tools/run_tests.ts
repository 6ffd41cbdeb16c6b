/** The tool `run_tests`: how models call it, and how it runs tests that the host holds. */

import { z } from "zod";
import { askHost } from "../../utils/base/host/socket_http.ts";
import { HOST_ROUTES } from "../../utils/task/process_protocol.ts";
import { Observation } from "../dialects/reply.ts";
import { defineTool, type Tool } from "./tool.ts";

const Names = z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.string()));

/** The tool without its `run`. */
export const RUN_TESTS = {
  name: "run_tests",
  description: "Runs the tests: all, or those named.",
  input: z.object({ tests: Names.optional().describe("names, parts of names, or files") }),
};

/** What tests say of a change. */
export const TestsVerdict = z.object({ accepted: z.boolean(), observation: Observation });
export type TestsVerdict = z.infer<typeof TestsVerdict>;

/** @param socket of the host, which runs them on the agent's work folder */
export const hostTestsTool = (socket: string): Tool =>
  defineTool({
    ...RUN_TESTS,
    run: (input, signal) => askHost(socket, HOST_ROUTES.tests, input, Observation, signal),
  });

/** What the host's tests say of the work folder as it is now. */
export const askTests = (socket: string, signal?: AbortSignal): Promise<TestsVerdict> =>
  askHost(socket, HOST_ROUTES.verify, {}, TestsVerdict, signal);
