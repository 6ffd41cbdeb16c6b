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
import type { Prepared } from "./prepare.ts";

const prompt = (name: string) => loadTemplate(new URL(`prompts/${name}.md`, import.meta.url));
const system = prompt("repository");
const task = prompt("repository_task");

const MOST_TESTS = 6;
const MOST_CODE = 3;
const CODE_LINES = 60;
const ISSUE_CHARS = 6000;
const TEST_CHARS = 1500;

/** What is told of a repository. */
type Known = Pick<Prepared, "base" | "issue" | "suite" | "baseline" | "suspects">;

/** @param isNative whether the model calls the tools natively. Default: it acts in its text */
export const firstMessages = (known: Known, tools: Registry, isNative = false): BaseMessage[] => [
  new SystemMessage(system({ protocol: textProtocol(tools, isNative) })),
  new HumanMessage(repositoryTask(known)),
];

/** The problem of a repository in words, for any agent. */
export const repositoryTask = (known: Known): string =>
  task({
    issue: known.issue.trim() === "" ? "The tests below fail." : headAndTail(known.issue.trim(), ISSUE_CHARS),
    tests: testsText(known),
    suspects: known.suspects.map(suspectLine).join("\n") || "None stands out: search for words of the problem.",
    code: codeText(known),
  });

/** One line a place. */
const suspectLine = ({ file, start, end, name, reasons }: Suspect, i: number): string =>
  `${i + 1}. ${file}:${start}-${end} ${name} — ${reasons.join("; ")}`;

function testsText({ base, suite, baseline: { failing, passing, notLoaded } }: Known): string {
  const folder = suite.folderIn(base);
  const place = relative(base, folder);
  const run = `Run${place === "" ? "" : ` in ${place}`} with \`${suite.plan.command}\``;
  if (notLoaded !== null)
    return `${run}. The tests cannot be loaded:\n${headAndTail(notLoaded, TEST_CHARS).replace(/^/gm, "    ")}`;
  if (failing.length === 0) return `${run}. No test fails (${passing.length} pass): none shows the problem yet.`;
  const shown = failing.slice(0, MOST_TESTS).map((test) => {
    const source = sourceOf(base, folder, test);
    const code = source === "" ? "" : `\n\`\`\`\n${headAndTail(source, TEST_CHARS)}\n\`\`\``;
    return `- ${test.name}\n${firstLines(test.message, 8).replace(/^/gm, "    ")}${code}`;
  });
  const more = failing.length > MOST_TESTS ? [`and ${failing.length - MOST_TESTS} more`] : [];
  return [`${run}: ${failing.length} fail, ${passing.length} pass. These fail:`, ...shown, ...more].join("\n");
}

function codeText({ base, suspects }: Known): string {
  const shown = suspects.slice(0, MOST_CODE).map(({ file, start, end }) => {
    const lines = readForeignText(base, file).split("\n");
    const last = Math.min(end, start + CODE_LINES - 1);
    return `${file}, lines ${start} to ${last}\n${numbered(lines.slice(start - 1, last), start)}`;
  });
  return shown.join("\n\n") || "None.";
}
