/** What a model is shown first: the problem, failing tests, and the likeliest places with the reason for each. */

import { relative } from "node:path";
import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { textProtocol } from "../../agent/protocol.ts";
import { numbered } from "../../agent/tools/files.ts";
import type { Registry } from "../../agent/tools/tool.ts";
import { readForeignText } from "../../utils/base/files/foreign_file.ts";
import { loadTemplate } from "../../utils/base/text/template.ts";
import { firstLines, headAndTail } from "../../utils/base/text/text.ts";
import { sourceOf } from "../places/evidence.ts";
import type { Suspect } from "../places/localise.ts";
import type { Baseline } from "../project/baseline.ts";

const prompt = (name: string) => loadTemplate(new URL(`prompts/${name}.md`, import.meta.url));
const system = prompt("repository");
const task = prompt("repository_task");

const MOST_TESTS = 6;
const MOST_CODE = 3;
const CODE_LINES = 60;
const ISSUE_CHARS = 6000;
const TEST_CHARS = 1500;

export interface FirstPrompt {
  tree: string;
  /** Where in it the tests run. */
  folder: string;
  issue: string;
  command: string;
  baseline: Pick<Baseline, "failing" | "passing" | "notLoaded">;
  suspects: readonly Suspect[];
  tools: Registry;
}

export function firstMessages(known: FirstPrompt): BaseMessage[] {
  return [
    new SystemMessage(system({ protocol: textProtocol(known.tools) })),
    new HumanMessage(
      task({
        issue: known.issue.trim() === "" ? "The tests below fail." : headAndTail(known.issue.trim(), ISSUE_CHARS),
        tests: testsText(known),
        suspects: known.suspects.map(suspectLine).join("\n") || "None stands out: search for words of the problem.",
        code: codeText(known),
      }),
    ),
  ];
}

/** One line a place. */
const suspectLine = ({ file, start, end, name, reasons }: Suspect, i: number): string =>
  `${i + 1}. ${file}:${start}-${end} ${name} — ${reasons.join("; ")}`;

function testsText({ tree, folder, command, baseline: { failing, passing, notLoaded } }: FirstPrompt): string {
  const place = relative(tree, folder);
  const run = `Run${place === "" ? "" : ` in ${place}`} with \`${command}\``;
  if (notLoaded !== null)
    return `${run}. The tests cannot be loaded:\n${headAndTail(notLoaded, TEST_CHARS).replace(/^/gm, "    ")}`;
  if (failing.length === 0) return `${run}. No test fails (${passing.length} pass): none shows the problem yet.`;
  const shown = failing.slice(0, MOST_TESTS).map((test) => {
    const source = sourceOf(tree, folder, test);
    const code = source === "" ? "" : `\n\`\`\`\n${headAndTail(source, TEST_CHARS)}\n\`\`\``;
    return `- ${test.name}\n${firstLines(test.message, 8).replace(/^/gm, "    ")}${code}`;
  });
  const more = failing.length > MOST_TESTS ? [`and ${failing.length - MOST_TESTS} more`] : [];
  return [`${run}: ${failing.length} fail, ${passing.length} pass. These fail:`, ...shown, ...more].join("\n");
}

function codeText({ tree, suspects }: FirstPrompt): string {
  const shown = suspects.slice(0, MOST_CODE).map(({ file, start, end }) => {
    const lines = readForeignText(tree, file).split("\n");
    const last = Math.min(end, start + CODE_LINES - 1);
    return `${file}, lines ${start} to ${last}\n${numbered(lines.slice(start - 1, last), start)}`;
  });
  return shown.join("\n\n") || "None.";
}
