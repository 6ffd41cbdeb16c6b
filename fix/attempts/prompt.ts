/** What a model is shown first: the problem, failing tests, the likeliest places with their code, a map. */

import { relative } from "node:path";
import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { textProtocol } from "../../agent/prompts.ts";
import { numbered } from "../../agent/tools/files.ts";
import type { Registry } from "../../agent/tools/tool.ts";
import { readForeignText } from "../../utils/base/files/foreign_file.ts";
import { doing, seconds } from "../../utils/base/text/format.ts";
import { plainText } from "../../utils/base/text/line_ends.ts";
import { loadTemplate } from "../../utils/base/text/template.ts";
import { firstLines, further, headAndTail } from "../../utils/base/text/text.ts";
import { shownCommand } from "../../utils/project/test_command.ts";
import { sourceOf } from "../places/evidence.ts";
import { linesToShow } from "../places/excerpt.ts";
import type { Suspect } from "../places/localise.ts";
import { allFunctions, repositoryMap } from "../places/map.ts";
import { testFilesOf } from "../places/test_files.ts";
import { filesIn } from "../project/patch.ts";
import type { Preparation } from "./prepare.ts";

const prompt = (name: string) => loadTemplate(new URL(`prompts/${name}.md`, import.meta.url));
const system = prompt("repository");
const task = prompt("repository_task");

const mayFail = (count: number): string =>
  `${doing(count, "fail")} before your change, too, and need not pass; what passes has to stay so:`;
const ISSUE_CHARS = 6000;
/** Failing tests that are named, and those of them whose source is shown. */
const MOST_TESTS = 6;
const MOST_SOURCES = 2;
const TEST_CHARS = 900;
const MESSAGE_LINES = 8;
/** Of the likeliest place, and of each of the next ones. */
const CODE_LINES = [40, 24, 20, 16, 12];
const CODE_CHARS = 3600;
const NUMBER_CHARS = 7;
/** A short place that so few lines part from one that is shown is shown, too. */
const NEAR_LINES = 12;
const MAP_CHARS = 1500;

/** The parts of a preparation that the prompt shows. */
type PromptFacts = Pick<Preparation, "base" | "issue" | "suite" | "baseline" | "suspects" | "ranked" | "evidence">;

/** @param isNative whether the model calls the tools natively. Default: it acts in its text */
export async function firstMessages(known: PromptFacts, tools: Registry, isNative = false): Promise<BaseMessage[]> {
  const { base, ranked, baseline, suite } = known;
  const issue = plainText(known.issue).trim();
  const inMap = ranked.length > 0 ? ranked : allFunctions(base, baseline.kinds);
  const problem = task({
    issue: issue === "" ? "The tests below fail." : headAndTail(issue, ISSUE_CHARS),
    tests: testsText(known, await suite.toolVersion()),
    places: section("Likeliest places", placesText(known)),
    map: section("Map", repositoryMap(base, inMap, MAP_CHARS)),
  });
  return [new SystemMessage(system({ protocol: textProtocol(tools, isNative) })), new HumanMessage(problem)];
}

/** Empty where there is nothing to say. */
const section = (title: string, text: string): string => (text === "" ? "" : `\n\n## ${title}\n${text}`);

const placeLine = ({ file, start, end, name, reasons }: Suspect, i: number, tests: readonly string[]): string =>
  `${i + 1}. ${file}:${start}-${end} ${name} — ${[...reasons, ...tests.map((test) => `tests in ${test}`)].join("; ")}`;

function testsText(
  { base, suite, baseline: { failing, aside, passing, notLoaded, run: before } }: PromptFacts,
  version: string,
): string {
  const folder = suite.folderIn(base);
  const place = relative(base, folder);
  const where = place === "" ? "" : ` in ${place}`;
  const took = [seconds(before.clockSeconds), version].filter(Boolean).join(", ");
  const run = `Run${where} with \`${shownCommand(suite.plan.command)}\` (${took})`;
  if (notLoaded !== null) return `${run}. The tests cannot be loaded:\n${indented(notLoaded)}`;
  const others = aside.map(({ name }) => `- ${name}`).slice(0, MOST_TESTS);
  const unloaded = before.fatal === null ? [] : [`Some tests cannot be loaded:\n${indented(before.fatal)}`];
  const left = [
    ...(aside.length === 0 ? [] : [mayFail(aside.length), ...others]),
    ...(aside.length > MOST_TESTS ? [`and ${aside.length - MOST_TESTS} more`] : []),
    ...unloaded,
  ];
  if (failing.length === 0) {
    return [`${run}: ${doing(passing.length, "pass")}. No test is known to show the problem yet.`, ...left].join("\n");
  }
  const shown = failing.slice(0, MOST_TESTS).map((test, i) => {
    const isFirst = i < MOST_SOURCES;
    const source = isFirst ? sourceOf(base, folder, test) : "";
    const code = source === "" ? "" : `\n\`\`\`\n${headAndTail(source, TEST_CHARS)}\n\`\`\``;
    const message = headAndTail(firstLines(test.message, isFirst ? MESSAGE_LINES : 2), TEST_CHARS);
    return `- ${test.name}\n${message.replace(/^/gm, "    ")}${code}`;
  });
  const counts = `${failing.length + aside.length} fail, ${passing.length} pass`;
  const names = failing.map(({ name }) => name);
  return [`${run}: ${counts}. These fail:`, ...shown, ...further(names, MOST_TESTS), ...left].join("\n");
}

const indented = (text: string): string => headAndTail(text, TEST_CHARS).replace(/^/gm, "    ");

/**
 * The likeliest places, each line of code once: of the first, of those for which more speaks than words, and of short
 * ones near what is shown. Where no test fails, each file comes with the tests that are called like it.
 */
function placesText({ base, suspects, evidence, baseline: { failing, kinds } }: PromptFacts): string {
  const tests = failing.length > 0 ? [] : filesIn(base).filter((file) => kinds.isTest(file));
  const seenFiles = new Set<string>();
  const seen = new Set<string>();
  let left = CODE_CHARS;
  const shown: string[] = [];
  for (const [i, place] of suspects.slice(0, CODE_LINES.length).entries()) {
    const { file } = place;
    const source = readForeignText(base, file).split("\n");
    const isSeen = (line: number) => seen.has(`${file}:${line}`);
    const most = CODE_LINES[i] ?? 0;
    const length = place.end - place.start + 1;
    const around = Array.from({ length: length + 2 * NEAR_LINES }, (_, at) => place.start - NEAR_LINES + at);
    const isShown = i === 0 || place.isCertain || (length <= most && around.some(isSeen));
    const likely = isShown ? linesToShow(place, source, evidence, most, isSeen) : [];
    const lines = likely.filter((line) => {
      left -= (source[line - 1] ?? "").length + NUMBER_CHARS;
      return left >= 0;
    });
    for (const line of lines) seen.add(`${file}:${line}`);
    const code = lines.some((line) => source[line - 1]?.trim() !== "") ? `\n${withGaps(lines, source)}\n` : "";
    // A function within one that is shown has nothing to add.
    const isInside = code === "" && isSeen(place.start) && isSeen(place.end);
    if (isInside) continue;
    const ofFile = seenFiles.has(file) ? [] : testFilesOf(file, tests);
    shown.push(`${placeLine(place, shown.length, ofFile)}${code}`);
    seenFiles.add(file);
  }
  return shown.join("\n").trimEnd();
}

/** Lines with their numbers; a line of dots stands for those between them. */
const withGaps = (lines: readonly number[], source: readonly string[]): string =>
  lines
    .map((line, i) => {
      const isNext = i === 0 || lines[i - 1] === line - 1;
      return `${isNext ? "" : "   …\n"}${numbered([source[line - 1] ?? ""], line)}`;
    })
    .join("\n");
