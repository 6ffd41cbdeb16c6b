/** The format of replies as models are told of it: one text, whether the answer is a program or any text. */

import { loadTemplate } from "../utils/base/text/template.ts";
import type { Language } from "../utils/languages/language.ts";
import { describedTools, type Registry } from "./tools/tool.ts";

const protocol = loadTemplate(new URL("../prompts/protocol.md", import.meta.url));

/** For the repair of one function: the answer is its program. */
export const codeProtocol = (tools: Registry, { fence }: Language): string =>
  protocol({
    aim: "what you want to find out",
    notices: "",
    reason: "what was wrong and how you fixed it",
    answer: `\n\`\`\`${fence}\nthe complete repaired function\n\`\`\``,
    tools: describedTools(tools),
  });

/** For all other work, which somebody may watch. */
export const textProtocol = (tools: Registry): string =>
  protocol({
    aim: "what you want to find out or change",
    notices: " A Notice in it comes from someone who watches your work: heed it.",
    reason: "what you found out or did",
    answer: " the text you were asked for",
    tools: describedTools(tools),
  });
