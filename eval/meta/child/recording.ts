/** Replies of models that a run of the self-edit loop keeps, so that a killed run pays for no call twice. */

import { join } from "node:path";
import { z } from "zod";
import { ChatReply } from "../../../utils/task/process_protocol.ts";

/** A line of a recording. */
export const RecordedReply = z.object({ key: z.string(), reply: ChatReply });
export type RecordedReply = z.infer<typeof RecordedReply>;

/** The replies that the editor of a step got: a file of the run. */
export const editorRecording = ({ iteration, round }: { iteration: number; round: number }): string =>
  join("recordings", `step-${iteration}-${round}.jsonl`);
