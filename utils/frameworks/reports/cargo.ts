/** What `cargo test` prints. */

import { firstLines } from "../../base/text/text.ts";
import type { TestReport, TestResult } from "../framework.ts";
import { MOST_LINES, testReport } from "./test_report.ts";

const TARGET = /^\s+(?:Running (?:unittests )?(\S+) \(.*\)|Doc-tests (\S+))$/m;
const ENDED = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/gm;

/**
 * @param named `name` alone, or with the file of the target (`tests/rates.rs::adds`), where the text has what cargo
 * prints of targets, too. Tests of `tests/` are files of tests; those in the source are none
 */
export function cargoReport(text: string, named: "name" | "target" = "name"): TestReport {
  const said = new Map<string, string>();
  for (const [, name = "", message = ""] of text.matchAll(
    /^---- (.+?) stdout ----\n([\s\S]*?)(?=\n---- |\n\nfailures:|(?![\s\S]))/gm,
  ))
    said.set(name, message.replace(/^note: run with .*$/m, "").trim());
  const parts = named === "name" ? [undefined, undefined, text] : text.split(TARGET).slice(1);
  const tests: TestResult[] = [];
  // Split by a pattern with two groups: the target's file, the crate of its examples, the text behind.
  for (let at = 0; at < parts.length; at += 3) {
    const [target, , printed = ""] = parts.slice(at, at + 3);
    for (const [, title = "", end] of printed.matchAll(ENDED)) {
      // A file and `::` name a file of tests, which a patch may not change: source with tests in it is none.
      const name = target ? `${target}${target.startsWith("tests/") ? "::" : " "}${title}` : title;
      tests.push({
        name,
        ...(name === title ? {} : { title }),
        status: end === "ok" ? "passed" : end === "ignored" ? "skipped" : "failed",
        message: end === "FAILED" ? firstLines(said.get(title) ?? "", MOST_LINES) : "",
        ...(target?.startsWith("tests/") ? { file: target } : {}),
      });
    }
  }
  const errors = [
    ...text.matchAll(/^error(?:\[E\d+\])?: (?!test failed|\d+ targets? failed|doctest failed).*(?:\n\s+-->.*)?/gm),
  ].map(([one]) => one.replace(/\n\s+/, " "));
  const fatal = errors.length > 0 ? firstLines(errors.join("\n"), MOST_LINES) : null;
  return testReport(tests, fatal);
}
