/** Reads what the test runners of tracks say of each test. */

import { z } from "zod";
import { readJson } from "../../../utils/data/record.ts";
import type { TestReport, TestResult } from "../../../utils/frameworks/framework.ts";
import { firstLines } from "../../../utils/text/text.ts";

const MOST_LINES = 12;

const told = (tests: TestResult[], fatal: string | null = null): TestReport => ({
  tests,
  fatal: fatal ?? (tests.length === 0 ? "no tests were found" : null),
});

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

const CASE = /<testcase\b((?:"[^"]*"|'[^']*'|[^"'>])*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;
const FAULT = /<(failure|error)\b((?:"[^"]*"|'[^']*'|[^"'>])*?)(?:\/>|>([\s\S]*?)<\/\1>)/;

/** JUnit's XML, as Catch and JUnit's console write it; several documents may stand one after the other. */
export function junitReport(xml: string): TestReport {
  const tests: TestResult[] = [];
  for (const [, tag = "", inner = ""] of xml.matchAll(CASE)) {
    const [fault, kind, head = "", body = ""] = FAULT.exec(inner) ?? [];
    const name = attribute(tag, "name").replace(/\(\)$/, "");
    const said = body.includes("<![CDATA[") ? body.replace(/<!\[CDATA\[|\]\]>/g, "") : plain(body);
    const why = attribute(head, "message");
    const message = firstLines(said.includes(why) ? said.trim() : `${why}\n${said.trim()}`, 4);
    const status = fault === undefined ? (/<skipped\b/.test(inner) ? "skipped" : "passed") : "failed";
    tests.push({ name, status: kind === "error" ? "error" : status, message: fault === undefined ? "" : message });
  }
  return told(tests);
}

const GoLine = z.looseObject({ Action: z.string(), Test: z.string().optional(), Output: z.string().optional() });

/** Lines of `go test -json`. Of a test with parts the parts are told, and not the whole. */
export function goReport(text: string): TestReport {
  const output = new Map<string, string>();
  const ended = new Map<string, TestResult["status"]>();
  for (const row of text.split("\n")) {
    const line = readJson(row, GoLine);
    if (!line?.Test) continue;
    const { Action, Test, Output = "" } = line;
    if (Action === "output") output.set(Test, (output.get(Test) ?? "") + Output);
    if (Action === "pass" || Action === "fail" || Action === "skip")
      ended.set(Test, Action === "pass" ? "passed" : Action === "fail" ? "failed" : "skipped");
    if (Action === "run" && !ended.has(Test)) ended.set(Test, "error");
  }
  const names = [...ended.keys()];
  const isWhole = (name: string) => names.some((other) => other.startsWith(`${name}/`));
  return told(
    names.flatMap((name): TestResult[] => {
      const status = ended.get(name) ?? "error";
      // A whole that fails though all of its parts pass failed by itself.
      const isOwn =
        !isWhole(name) || !names.some((other) => other.startsWith(`${name}/`) && ended.get(other) === status);
      const said = (output.get(name) ?? "").replace(/^\s*(?:=== \w+|--- \w+:).*\n?/gm, "").trim();
      return isOwn ? [{ name, status, message: status === "passed" ? "" : firstLines(said, MOST_LINES) }] : [];
    }),
  );
}

/** What `cargo test` prints. Tests that began and are not told of did not come to their end. */
export function cargoReport(text: string): TestReport {
  const said = new Map<string, string>();
  for (const [, name = "", message = ""] of text.matchAll(
    /^---- (.+?) stdout ----\n([\s\S]*?)(?=\n---- |\n\nfailures:|$)/gm,
  ))
    said.set(name, message.replace(/^note: run with .*$/m, "").trim());
  const tests = [...text.matchAll(/^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/gm)].map(
    ([, name = "", end]): TestResult => ({
      name,
      status: end === "ok" ? "passed" : end === "ignored" ? "skipped" : "failed",
      message: end === "FAILED" ? firstLines(said.get(name) ?? "", MOST_LINES) : "",
    }),
  );
  return told(tests);
}
