/** A tool as LangChain knows it. Apart from what a tool is: who only names tools does without that library. */

import { tool as langchainTool } from "@langchain/core/tools";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import type { Tool } from "./tool.ts";

/** For LangChain, so that traces and `streamEvents` show the call. */
export const asRunnable = ({ name, description, run }: Tool) =>
  langchainTool((input, config: LangGraphRunnableConfig) => run(input, config.signal), {
    name,
    description,
    schema: z.looseObject({}),
  });
