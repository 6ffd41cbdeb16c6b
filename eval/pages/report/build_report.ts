/** Builds the report of a run, or of several: one HTML file with everything in it. */

import { readHiddenTests } from "../../run/hidden_tests.ts";
import type { Run } from "../../run/load_run.ts";
import { sampleKey } from "../../run/results.ts";
import { Packer } from "../build/pack.ts";
import { page } from "../build/page.ts";
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
export function buildReport(run: Run): Report {
  const data = pageData(run);
  const tests = readHiddenTests(run.folder);
  return fitting((shown) => {
    const packer = new Packer();
    let leftOut = 0;
    for (const result of run.results) {
      const sample = detailOf(run.folder, result, shown, tests);
      packer.add(sampleKey(result), sample.detail);
      leftOut += sample.leftOut;
    }
    return { html: page("report", { title: run.name, data, details: packer.finish(), isServed: false }), leftOut };
  });
}

/** Several runs beside each other. @param runs with different names */
export function buildBoard(runs: readonly Run[]): Report {
  const data = boardData(runs);
  return fitting((shown) => {
    const packer = new Packer();
    let leftOut = 0;
    for (const { name, folder, results } of runs)
      for (const result of results) {
        const sample = detailOf(folder, result, shown);
        // As `openRuns` of the page looks for it.
        packer.add(`${name}\n${sampleKey(result)}`, sample.detail);
        leftOut += sample.leftOut;
      }
    const title = `Leaderboard of ${runs.length} runs`;
    return { html: page("runs", { title, data, details: packer.finish(), isServed: false }), leftOut };
  });
}

/** The first page that is small enough, else the smallest. @param build makes one that shows so much */
function fitting(build: (shown: TextLimits) => Report): Report {
  let report: Report = { html: "", leftOut: 0 };
  for (const shown of SHOWN) {
    report = build(shown);
    if (Buffer.byteLength(report.html) <= LARGEST_REPORT) break;
  }
  return report;
}
