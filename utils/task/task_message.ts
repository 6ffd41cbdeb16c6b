/** The message that gives a task. It loads LangChain, which those who only read tasks do not need. */

import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { TaskData } from "./task_data.ts";

/** Servers are sent its text alone. Of a task only what the schema names goes along. */
export const messageWithTask = (text: string, data: TaskData): BaseMessage =>
  new HumanMessage({ content: text, additional_kwargs: { task: TaskData.parse(data) } });
