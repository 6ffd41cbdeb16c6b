/** A model of the host as a boxed agent calls it: the data of a task reaches it over the socket. */

import { join } from "node:path";
import { SystemMessage } from "@langchain/core/messages";
import { expect, onTestFinished, test } from "vitest";
import { openModel } from "../../../agent/models/host.ts";
import { createModel, MODEL_KINDS } from "../../../agent/models/table.ts";
import { postJson } from "../../../utils/base/host/socket_http.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { HOST_ROUTES } from "../../../utils/task/process_protocol.ts";
import type { VisibleTask } from "../../../utils/task/task.ts";
import { messageWithTask } from "../../../utils/task/task_message.ts";
import { FREE } from "../../run/cost/pricing.ts";
import { EDITOR_KINDS } from "../editors/table.ts";
import { openGateway } from "./gateway.ts";
import { ModelProxy } from "./model_proxy.ts";

const task: VisibleTask = {
  id: "t/1",
  language: "python",
  entryPoint: "largest",
  instruction: "Return the largest number.",
  declaration: "def largest(numbers):\n",
  buggyCode: "    return min(numbers)\n",
  epilogue: "",
  exampleTest: "assert largest([1, 5, 2]) == 5",
};

async function socketTo(spec: string): Promise<string> {
  const sandbox = await openForTests();
  const options = { temperature: 0, timeoutMs: 1000, maxRetries: 0, log: () => {} };
  const model = await createModel(spec, options, [...MODEL_KINDS, ...EDITOR_KINDS]);
  const gateway = await openGateway({ proxy: new ModelProxy({ model, prices: FREE }), sandbox, tasks: [] });
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]();
  });
  return join(gateway.mount.outside, gateway.socketName);
}

test("the host's model calls a tool, and the call reaches the agent", async () => {
  const socket = await socketTo("search");
  const { chat } = await openModel({ kind: "host", name: "search" }, socket);
  const { tool_calls } = await chat.invoke([messageWithTask("Please.", { type: "repair", task })]);
  expect(tool_calls).toMatchObject([{ name: "search_edits", args: { seed: 0 } }]);
});

test("an editor without weights learns from data which agent it edits", async () => {
  const socket = await socketTo("tune");
  const { chat } = await openModel({ kind: "host", name: "tune" }, socket);
  const message = messageWithTask("Go on.", { type: "improve", editor: 3, children: 1, failed: [] });
  expect((await chat.invoke([new SystemMessage("s"), message])).text).toContain('{"show":"tasks","agent":3}');
});

test("data that is no task is refused, so that a model of the host never sees it", async () => {
  const socket = await socketTo("search");
  const messages = [{ role: "user", content: "x", task: { type: "repair", task: { id: 1 } } }];
  expect((await postJson(socket, HOST_ROUTES.chat, { messages })).status).toBe(400);
});
