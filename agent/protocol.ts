/** How prompts explain to a model how to act and to answer: by native calls, or in its text. */

import { loadTemplate } from "../utils/base/text/template.ts";
import type { Language } from "../utils/languages/language.ts";
import { describedTools, type Registry } from "./tools/tool.ts";

const protocol = (section: string) => loadTemplate(new URL("../prompts/protocol.md", import.meta.url), section);
const text = protocol("text");
const native = protocol("native");

/** For the repair of one function: the answer is its program. */
export const codeProtocol = (tools: Registry, { fence }: Language, isNative = false): string =>
  isNative
    ? native({ answer: `: the complete repaired function in a \`\`\`${fence} fence` })
    : text({
        aim: "what you want to find out",
        notices: "",
        reason: "what was wrong and how you fixed it",
        answer: `\n\`\`\`${fence}\nthe complete repaired function\n\`\`\``,
        tools: describedTools(tools),
      });

/** For all other work. Somebody may watch it and add notices to observations. */
export const textProtocol = (tools: Registry, isNative = false): string =>
  isNative
    ? native({ answer: "" })
    : text({
        aim: "what you want to find out or change",
        notices: " A Notice in it comes from someone who watches your work: heed it.",
        reason: "what you found out or did",
        answer: " the text you were asked for",
        tools: describedTools(tools),
      });
