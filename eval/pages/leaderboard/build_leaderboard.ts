/** Builds the page of several runs: one HTML file with everything in it. */

import { plural } from "../../../utils/base/text/format.ts";
import type { Run } from "../../run/load_run.ts";
import { sampleKey } from "../../run/sample.ts";
import { Packer } from "../build/pack.ts";
import { page } from "../build/page.ts";
import { fitting, type Report } from "../report/build_report.ts";
import { detailOf } from "../report/detail.ts";
import { detailKey } from "./keys.ts";
import { leaderboardData } from "./leaderboard_data.ts";

/** @param runs with different names */
export function buildLeaderboard(runs: readonly Run[]): Report {
  const data = leaderboardData(runs);
  return fitting((shown) => {
    const packer = new Packer();
    let leftOut = 0;
    for (const { name, folder, results } of runs) {
      for (const result of results) {
        const sample = detailOf(folder, result, shown);
        packer.add(detailKey(name, sampleKey(result)), sample.detail);
        leftOut += sample.leftOut;
      }
    }
    const title = `Leaderboard of ${plural(runs.length, "run")}`;
    return { html: page("leaderboard", { title, data, details: packer.finish(), isServed: false }), leftOut };
  });
}
