/** Job `improve`: the agent edits a copy of its own code. */
import type { ImproveJob } from "../../utils/process_protocol.ts";
import type { Inbox } from "./wire.ts";
export async function improveWorkspace(_job: ImproveJob, _inbox: Inbox): Promise<void> {}
