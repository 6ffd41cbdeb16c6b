/** What is known of a search at each moment. */

import { expect, test } from "vitest";
import { FileEdit, likeliestFirst, smallestFirst, withEdit } from "./findings.ts";
import { SearchReport } from "./search_report.ts";

const edit = (cost: number, text = "y\n") => ({
  ...{ file: "a.py", from: 1, to: 1, old: "x\n", text, operator: "name", before: "x", after: "y" },
  ...{ cost },
});
const ended = (name: string, more = {}) => ({ function: name, file: "a.py", tried: 5, ...more });

function reportOf(rows: object[]) {
  const told: FileEdit[] = [];
  const report = new SearchReport(
    ["first", "second"].map((name) => ({ name, file: "a.py" })),
    3,
    (one) => told.push(one),
  );
  for (const row of rows) report.read(JSON.stringify(row));
  return { report, told };
}

test("what a function left out before an edit passed counts where it is about as likely, and not where it is not", () => {
  for (const [next, untried] of [
    [4.9, 7],
    [5.1, 0],
  ]) {
    const { report, told } = reportOf([ended("first", { untried: 7, next }), edit(2), ended("second")]);
    for (const one of told) report.confirm(one);
    expect(report.findings().functions).toMatchObject([{ untried }, { untried: 0 }]);
  }
});

test("an edit counts when it is confirmed, and what it does is known when its function has ended", () => {
  const { report, told } = reportOf([
    edit(2),
    edit(3, "z\n"),
    { behaviours: ["a", "a"] },
    ended("first"),
    edit(4, "w\n"),
  ]);
  expect(report.findings().edits).toEqual([]);
  for (const one of told) report.confirm(one);
  expect(report.findings().edits.map(({ behaviour }) => behaviour)).toEqual(["a", "a", null]);
});

test("an edit that two nested functions share counts once", () => {
  const { told } = reportOf([edit(2), edit(3, "z\n"), ended("first"), edit(2), { behaviours: ["b"] }, ended("second")]);
  expect(told).toMatchObject([{ text: "y\n", behaviour: null }, { text: "z\n" }]);
});

test("a function whose search did not come to its end has edits that were not tried; the next process goes on behind it", () => {
  const { report } = reportOf([ended("first"), edit(2)]);
  expect(report.leave()).toBe(false);
  expect(report.findings().functions).toMatchObject([{ untried: 0 }, { function: "second", untried: 1 }]);
  const { report: other } = reportOf([edit(2)]);
  expect(other.leave()).toBe(true);
  expect(other.next()).toMatchObject({ function: 1, number: 0, limit: 5 });
});

test("an edit fits a file whatever ends its lines", () => {
  const one = FileEdit.parse({ ...edit(1, "y\r\n"), from: 2, to: 2, old: "x\r\n" });
  expect(withEdit("a\nx\nb\n", one)).toBe("a\ny\nb\n");
  expect(withEdit("\uFEFFa\r\nx\r\nb", one)).toBe("\uFEFFa\r\ny\r\nb");
});

test("of edits that do the same the smallest comes first, and each behaviour keeps its places", () => {
  const told = (text: string, behaviour: string | null) =>
    FileEdit.parse({ ...edit(1, text), old: "if a > b:\n", behaviour });
  const edits = [
    told("if (a + 1) > b:\n", "0"),
    told("if a:\n", "1"),
    told("if a >= b:\n", "0"),
    told("if b:\n", null),
  ];
  expect(smallestFirst(edits).map(({ text }) => text)).toEqual([
    "if a >= b:\n",
    "if a:\n",
    "if (a + 1) > b:\n",
    "if b:\n",
  ]);
});

test("a sign for another is as small as one that is added", () => {
  const told = (text: string) => FileEdit.parse({ ...edit(1, text), old: "out -= p\n", behaviour: "0" });
  const edits = [told("out += p\n"), told("out -= -p\n")];
  expect(smallestFirst(edits)).toEqual(edits);
});

test("of two edits that cost about the same the one in the likelier function comes first", () => {
  const inShort = { ...FileEdit.parse(edit(3.4)), from: 9, to: 9 };
  const places = [
    { file: "a.py", name: "likely", start: 1, end: 5 },
    { file: "a.py", name: "short", start: 8, end: 9 },
  ];
  const likely = FileEdit.parse(edit(3.5, "z\n"));
  expect(likeliestFirst([inShort, likely])).toEqual([inShort, likely]);
  expect(likeliestFirst([inShort, likely], { places })).toEqual([likely, inShort]);
  expect(likeliestFirst([{ ...inShort, cost: 1 }, likely], { places })[0]?.from).toBe(9);
});
