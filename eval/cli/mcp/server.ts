/** The server of `mend mcp`: lists the tools and carries out calls of them. */

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { messageOf } from "../../../utils/base/data/errors.ts";
import { ownVersion } from "../../../utils/base/host/version.ts";
import { LANGUAGE_NAMES } from "../../../utils/languages/language.ts";
import { titlesOf } from "../../../utils/languages/registry.ts";
import type { ToolContext } from "./tool.ts";
import { MCP_TOOLS } from "./tools.ts";

/** For the model on the other side, beside the tools' own descriptions. */
const INSTRUCTIONS = [
  `mend runs and repairs ${titlesOf(LANGUAGE_NAMES)} functions in a sandbox without network or files; ` +
    "nothing of this machine is changed, so write what you accept to the file yourself.",
  "With tests at hand, use `repair_function` on a function that fails them and look at `otherEdits`: " +
    "where it names any, ask which is meant or add a test that tells them apart, and call it again.",
  "`judge` says whether a function passes tests, also where it may try to cheat. `search_edits` needs " +
    "no model; give it a `region` where you know about the place.",
].join("\n");

type SchemaOf = Tool["inputSchema"];

/**
 * The tools as the protocol lists them. Schemas are those of JSON Schema 2020-12, which the protocol means where none
 * is named; none is named, since clients that read an older draft alone refuse the name and can read these.
 */
export const servedTools = (): Tool[] =>
  MCP_TOOLS.map(({ name, title, description, annotations, input, output }) => ({
    ...{ name, title, description },
    inputSchema: schemaOf(input, "input"),
    outputSchema: schemaOf(output, "output"),
    annotations: { title, ...annotations },
  }));

function schemaOf(type: z.ZodObject, io: "input" | "output"): SchemaOf {
  const { $schema, ...schema } = z.toJSONSchema(type, { io, target: "draft-2020-12" });
  return ObjectSchema.parse(schema);
}

const ObjectSchema = z.looseObject({ type: z.literal("object") });

/** Not yet connected. Of `context` each call adds its own signal and progress. */
export function createServer(context: Pick<ToolContext, "sandbox" | "model" | "limits">): Server {
  const server = new Server(
    { name: "mend", title: "mend", version: ownVersion() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: servedTools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const { signal, _meta, sendNotification } = extra;
    const tool = MCP_TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `there is no tool "${params.name}"`);
    const progress = (done: number, total: number, message: string) => {
      const progressToken = _meta?.progressToken;
      if (progressToken === undefined) return;
      const told = { progressToken, progress: done, total, message };
      // The client may be gone; the call itself finds out.
      sendNotification({ method: "notifications/progress", params: told }).catch(() => {});
    };
    try {
      const result = await tool.run(params.arguments ?? {}, { ...context, signal, progress });
      return { content: [{ type: "text", text: JSON.stringify(result, null, 2) }], structuredContent: result };
    } catch (error) {
      return { content: [{ type: "text", text: messageOf(error) }], isError: true };
    }
  });
  return server;
}
