/** The page of a meta run as one file, in which nothing a model wrote can ever run. */

import { page } from "../build/page.ts";
import { smallEnough } from "../report/build_report.ts";
import { metaData } from "./data.ts";

/** Characters of one reply that are kept, tried in turn until the page is small enough. */
const LONGEST_TEXTS = [4000, 1000, 200];

/**
 * @param folder of a meta run
 * @param live true for a page that follows the run, through `events` beside it
 */
export function metaPage(folder: string, { live = false } = {}): string {
  const build = (longestText: number) => {
    const data = metaData(folder, { live, longestText });
    return { html: page("meta", { title: data.name, data, isServed: live }), leftOut: 0 };
  };
  return smallEnough(LONGEST_TEXTS, build).html;
}
