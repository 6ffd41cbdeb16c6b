/** Builds the report of a run, or of several: one HTML file with everything in it. */

import { readHiddenTests } from "../../run/hidden_tests.ts";
import type { Run } from "../../run/load_run.ts";
import { type Result, sampleKey } from "../../run/results.ts";
import { Packer } from "../build/pack.ts";
import { page } from "../build/page.ts";
import type { PageName } from "../build/scripts.ts";
import { boardData } from "../runs/board.ts";
import { detailOf, type TextLimits } from "./detail.ts";
import { pageData } from "./page_data.ts";

/** What a report may weigh. */
export const LARGEST_REPORT = 3_000_000;

/** What is shown, tried in turn until the report is small enough: what stands there twice goes first. */
const SHOWN: readonly TextLimits[] = [
  { longestText: 1_000_000, raw: true },
  ...[1_000_000, 64_000, 16_000, 4_000, 1_000, 250].map((longestText) => ({ longestText, raw: false })),
];

export interface Report {
  html: string;
  /** Characters of long texts that were left out to keep the report small. */
  leftOut: number;
}

/**
 * The report. Where it would otherwise be larger than `LARGEST_REPORT` it has no raw requests, and then texts are
 * shortened in the middle.
 */
export const buildReport = (run: Run): Report =>
  withDetails([run], { page: "report", title: run.name, data: pageData(run), keyOf: (_, result) => sampleKey(result) });

/** Several runs beside each other. @param runs with different names */
export const buildBoard = (runs: readonly Run[]): Report =>
  withDetails(runs, {
    page: "runs",
    title: `Leaderboard of ${runs.length} runs`,
    data: boardData(runs),
    // As the page looks for it.
    keyOf: ({ name }, result) => `${name}\n${sampleKey(result)}`,
  });

interface PageOfRuns {
  page: PageName;
  title: string;
  data: unknown;
  keyOf(run: Run, result: Result): string;
}

function withDetails(runs: readonly Run[], { page: name, title, data, keyOf }: PageOfRuns): Report {
  const build = (shown: TextLimits): Report => {
    const packer = new Packer();
    let leftOut = 0;
    for (const run of runs) {
      const tests = readHiddenTests(run.folder);
      for (const result of run.results) {
        const sample = detailOf(run.folder, result, shown, tests);
        packer.add(keyOf(run, result), sample.detail);
        leftOut += sample.leftOut;
      }
    }
    return { html: page(name, { title, data, details: packer.finish(), isServed: false }), leftOut };
  };
  return smallEnough(SHOWN, build);
}

/** The first page that is small enough, else the last. @param ways to build it, the largest first */
export function smallEnough<Way>(ways: readonly Way[], build: (way: Way) => Report): Report {
  let report: Report = { html: "", leftOut: 0 };
  for (const way of ways) {
    report = build(way);
    if (Buffer.byteLength(report.html) <= LARGEST_REPORT) break;
  }
  return report;
}
