/** The overseer's judgement from a model, which may be another one than the agent's. */

import { loadTemplate } from "../../../utils/template.ts";
import type { ModelProxy } from "../child/model_proxy.ts";
import { Judgement, type Look } from "./overseer.ts";

const prompt = loadTemplate(new URL("overseer.md", import.meta.url));
const SHOWN_TURNS = 12;

/**
 * Asks the model for a judgement. Each look is a question of its own.
 * @param proxy counts what the looks cost; a look it refuses or the model answers with no JSON is a failed look
 */
export const modelLook =
  (proxy: ModelProxy): Look =>
  async (tree, seconds, signal) => {
    const content = prompt({ seconds: seconds.toFixed(0), tree: tree.render(SHOWN_TURNS) });
    const reply = await proxy.reply({ messages: [{ role: "user", content }], stop: [] }, signal);
    if ("refused" in reply) throw new Error(reply.message);
    return Judgement.parse(JSON.parse(firstObject(reply.content)));
  };

/** The reply may stand in a fence or after a thought. */
function firstObject(text: string): string {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (start === -1 || end < start) throw new Error("the overseer's model answered without JSON");
  return text.slice(start, end + 1);
}
