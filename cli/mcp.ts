/** `mend mcp`: the sandbox, the judge and the repair as tools for other agents, by the Model Context Protocol on stdio. */

import "../utils/program/own_tsconfig.ts";
import { once } from "node:events";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import type { Model } from "../agent/models/create.ts";
import { modelOptions, openModel, openSandboxFor, repairLimits, sandboxOptions } from "../eval/run/setup.ts";
import { messageOf } from "../utils/data/errors.ts";
import { isEntry } from "../utils/program/called_as.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  listenForInterrupt,
  printDocument,
  runCommand,
} from "../utils/program/cli.ts";
import { ownVersion } from "../utils/program/version.ts";
import { MCP_TOOLS, type McpTool, type ToolContext } from "./mcp_tools.ts";

const repair = repairLimits("a repair");

export const command = {
  usage: "[options]",
  summary:
    "Serves tools to other agents (Claude Code, Cursor, VS Code, …) by the Model Context Protocol on stdin and stdout:\n" +
    `${MCP_TOOLS.map(({ name }) => name).join(", ")}. To add it to Claude Code: claude mcp add mend -- mend mcp --model search`,
  options: {
    ...modelOptions,
    ...repair.options,
    concurrency: { value: "N", help: "programs at a time (default 2)" },
    ...sandboxOptions,
    json: { help: "the tools with their schemas as one JSON document on stdout, and serve nothing" },
  },
  exits: { ok: "the other side closed stdin, or Ctrl-C", failed: "a message of over 10 MB came", interrupted: "" },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  if (args.flag("json")) {
    const tools = MCP_TOOLS.map(({ name, title, description, input }) => ({
      ...{ name, title, description },
      inputSchema: z.toJSONSchema(input, { io: "input" }),
    }));
    printDocument({ tools });
    return EXIT.ok;
  }
  const limits = repair.read(args);
  await using sandbox = await openSandboxFor(args, args.count("concurrency", 1) ?? 2);
  let opened: Promise<Model> | undefined;
  const model = () => {
    opened ??= openModel(args, limits.timeoutMs);
    // The next call may find what this one missed, such as a server that starts.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  const server = new McpServer({ name: "mend", version: ownVersion() });
  for (const tool of MCP_TOOLS) offer(server, tool, { sandbox, model, limits });
  const stop = new AbortController();
  using _interrupt = listenForInterrupt(() => stop.abort());
  process.stdin.once("end", () => stop.abort()).once("close", () => stop.abort());
  let broken: unknown = null;
  server.server.onclose = () => stop.abort();
  const transport = new StdioServerTransport();
  await server.connect(transport);
  // The SDK closes where a message is larger than it reads, and reads no more: nobody would see stdin end.
  const told = transport.onerror;
  transport.onerror = (error) => {
    if (/exceeded maximum size/.test(error.message)) broken = error;
    told?.(error);
  };
  if (!stop.signal.aborted) await once(stop.signal, "abort");
  await server.close();
  await (await opened)?.close();
  if (broken === null) return EXIT.ok;
  console.error(`error: the connection is closed: ${messageOf(broken)}`);
  return EXIT.failed;
}

function offer(server: McpServer, tool: McpTool, context: Pick<ToolContext, "sandbox" | "model" | "limits">): void {
  const { name, title, description, input } = tool;
  server.registerTool(
    name,
    { title, description, inputSchema: input.shape },
    async (given, { signal, _meta, sendNotification }) => {
      const progress = (done: number, total: number, message: string) => {
        const progressToken = _meta?.progressToken;
        if (progressToken === undefined) return;
        const params = { progressToken, progress: done, total, message };
        // Whoever asked may have gone meanwhile; the call itself finds out.
        sendNotification({ method: "notifications/progress", params }).catch(() => {});
      };
      try {
        const result = await tool.run(given, { ...context, signal, progress });
        return { content: [{ type: "text", text: JSON.stringify(result, null, 2) }], structuredContent: result };
      } catch (error) {
        const text = messageOf(error);
        return { content: [{ type: "text", text }], isError: true };
      }
    },
  );
}

if (isEntry(import.meta.url)) await runCommand(command, main);
