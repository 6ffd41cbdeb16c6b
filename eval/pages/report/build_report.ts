/** Builds the report of a run: one HTML file with everything in it. */

import { readHiddenTests } from "../../run/hidden_tests.ts";
import type { Run } from "../../run/load_run.ts";
import { sampleKey } from "../../run/sample.ts";
import { Packer } from "../build/pack.ts";
import { page } from "../build/page.ts";
import { detailOf } from "./detail.ts";
import { pageData } from "./page_data.ts";

/** What a report may weigh. */
export const LARGEST_REPORT = 3_000_000;

/** Characters of one text that are kept, tried in turn until the report is small enough. */
const LONGEST_TEXTS = [1_000_000, 64_000, 16_000, 4_000, 1_000, 250];

export interface Report {
  html: string;
  /** Characters of long texts that were left out to keep the report small. */
  leftOut: number;
}

/** The report. Texts are shortened in the middle where it would otherwise be larger than `LARGEST_REPORT`. */
export function buildReport(run: Run): Report {
  const data = pageData(run);
  const tests = readHiddenTests(run.folder);
  return fitting((longestText) => {
    const packer = new Packer();
    let leftOut = 0;
    for (const result of run.results) {
      const sample = detailOf(run.folder, result, longestText, tests);
      packer.add(sampleKey(result), sample.detail);
      leftOut += sample.leftOut;
    }
    return { html: page("report", { title: run.name, data, details: packer.finish(), isServed: false }), leftOut };
  });
}

/** The first page that is small enough, else the smallest. @param build makes one with texts of at most so many characters */
export function fitting(build: (longestText: number) => Report): Report {
  let report: Report = { html: "", leftOut: 0 };
  for (const longestText of LONGEST_TEXTS) {
    report = build(longestText);
    if (Buffer.byteLength(report.html) <= LARGEST_REPORT) break;
  }
  return report;
}
