/** JUnit's XML, which many runners write. */

import { firstLines } from "../../base/text/text.ts";
import type { TestReport, TestResult } from "../framework.ts";
import { testReport } from "./test_report.ts";

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const plain = (text: string): string =>
  text.replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (whole, hex: string | undefined, code?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const point = Number.parseInt(code ?? "", hex ? 16 : 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

const attribute = (tag: string, name: string): string => {
  const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? [];
  return plain(double ?? single ?? "");
};

const MOST_LINES = 8;

/** Frames of a trace that are of runners and of Java itself. */
const FRAME =
  /^\s*(?:at (?:org\.junit|org\.opentest4j|org\.apache\.maven|java\.|jdk\.|sun\.|java\.base\/)|\.\.\. \d+ more)/;

const textOf = (body: string): string =>
  (body.includes("<![CDATA[") ? body.replace(/<!\[CDATA\[|\]\]>/g, "") : plain(body))
    .split("\n")
    .filter((line) => !FRAME.test(line))
    .join("\n")
    .trim();

/** The output of a test that failed without a message, from the first line about a failure. */
function printed(inner: string): string {
  const [, text = ""] = /<system-out>([\s\S]*?)<\/system-out>/.exec(inner) ?? [];
  const lines = textOf(text).split("\n");
  const at = lines.findIndex(
    (line) => /\b(?:FAILED|Failure|failed|assert\w*|terminate|what\(\))/i.test(line) && !/^\[=+\]|^Running/.test(line),
  );
  return lines
    .slice(Math.max(0, at))
    .filter((line) => !/^\[[ =-]+\]/.test(line))
    .join("\n")
    .trim();
}

const CASE = /<testcase\b((?:"[^"]*"|'[^']*'|[^"'>])*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;
const FAULT = /<(failure|error)\b((?:"[^"]*"|'[^']*'|[^"'>])*?)(?:\/>|>([\s\S]*?)<\/\1>)/;

/**
 * Reads reports of JUnit's console, Maven, Gradle, Catch and CTest; `xml` may hold several documents.
 * @param named how tests are named: by `name` alone, or with the `class`, which large projects need
 */
export function junitReport(xml: string, named: "name" | "class" = "name"): TestReport {
  const tests: TestResult[] = [];
  for (const [, tag = "", inner = ""] of xml.matchAll(CASE)) {
    const [fault, kind, head = "", body = ""] = FAULT.exec(inner) ?? [];
    const title = attribute(tag, "name").replace(/\(\)$/, "");
    const className = attribute(tag, "classname");
    const isClass = named === "class" && className !== "" && className !== title;
    const name = isClass ? `${className}.${title}` : title;
    const said = textOf(body) || (fault === undefined ? "" : printed(inner));
    const why = /^Failed$/.test(attribute(head, "message")) ? "" : attribute(head, "message");
    const message = firstLines(said.includes(why) ? said : `${why}\n${said}`, MOST_LINES);
    const status = fault === undefined ? (/<skipped\b/.test(inner) ? "skipped" : "passed") : "failed";
    tests.push({
      name,
      ...(isClass ? { title } : {}),
      status: kind === "error" ? "error" : status,
      message: fault === undefined ? "" : message,
    });
  }
  return testReport(tests);
}
