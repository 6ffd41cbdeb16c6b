/**
 * `mend mcp`: the sandbox, the judge and the repair as tools for other agents, by the Model Context Protocol on stdio.
 */

import { once } from "node:events";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Model } from "../../../agent/models/model.ts";
import { parseSpec } from "../../../agent/models/table.ts";
import { messageOf } from "../../../utils/base/data/errors.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  grouped,
  listenForInterrupt,
  MOST_AT_ONCE,
  printDocument,
} from "../../../utils/program/cli.ts";
import {
  modelOptions,
  modelSettings,
  openModel,
  openSandboxFor,
  repairLimits,
  sandboxOptions,
} from "../../run/setup.ts";
import { createServer, servedTools } from "../mcp/server.ts";
import { MCP_TOOLS } from "../mcp/tools.ts";

const repair = repairLimits("a repair");

export const command = {
  usage: "[options]",
  summary:
    "Offers tools to other agents (Claude Code, Cursor, VS Code, …) through the Model Context Protocol on stdin and " +
    `stdout:\n${MCP_TOOLS.map(({ name, title }) => `  ${name.padEnd(16)} ${title}`).join("\n")}\n` +
    "To add it to Claude Code: claude mcp add mend -- mend mcp --model search",
  options: {
    json: { help: "print the tools as one JSON document on stdout, and exit" },
    ...repair.options,
    ...grouped("Limits", { concurrency: { value: "N", help: "number of programs at a time (default 2)" } }),
    ...modelOptions,
    ...sandboxOptions,
  },
  exits: { ok: "the client closed stdin, or Ctrl-C", failed: "a message was larger than 10 MB", interrupted: "" },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  if (args.flag("json")) {
    printDocument({ tools: servedTools() });
    return EXIT.ok;
  }
  const limits = repair.read(args);
  // A model is opened by the first call: wrong options are reported before that.
  modelSettings(args);
  const spec = args.text("model");
  if (spec !== undefined) parseSpec(spec);
  await using sandbox = await openSandboxFor(args, args.count("concurrency", 1, MOST_AT_ONCE) ?? 2);
  let opened: Promise<Model> | undefined;
  const model = () => {
    opened ??= openModel(args, limits.timeoutMs);
    // The next call may find what this one missed, such as a server that starts.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  const server = createServer({ sandbox, model, limits });
  const stop = new AbortController();
  using _interrupt = listenForInterrupt(() => stop.abort());
  process.stdin.once("end", () => stop.abort()).once("close", () => stop.abort());
  let broken: unknown = null;
  server.onclose = () => stop.abort();
  const transport = new StdioServerTransport();
  await server.connect(transport);
  // The SDK closes when a message is too large, and reads no more, so the end of stdin would go unseen.
  const told = transport.onerror;
  transport.onerror = (error) => {
    if (/exceeded maximum size/.test(error.message)) broken = error;
    else console.error(`A message cannot be read: ${inLine(messageOf(error), 300)}`);
    told?.(error);
  };
  if (!stop.signal.aborted) await once(stop.signal, "abort");
  await server.close();
  await (await opened)?.close();
  if (broken === null) return EXIT.ok;
  console.error(`error: mend closed the connection: ${messageOf(broken)}`);
  return EXIT.failed;
}
