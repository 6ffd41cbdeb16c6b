/** What is known of a search at each moment. */

import { expect, test } from "vitest";
import { FileEdit, likeliestFirst, withEdit } from "./findings.ts";
import { SearchReport } from "./search_report.ts";

const edit = (cost: number, text = "y\n") => ({
  ...{ file: "a.py", from: 1, to: 1, old: "x\n", text, operator: "name" },
  ...{ cost },
});
const ended = (name: string, more = {}) => ({ function: name, file: "a.py", tried: 5, ...more });

function reportOf(rows: object[]) {
  const told: FileEdit[] = [];
  const places = ["first", "second"].map((name) => ({ name, file: "a.py" }));
  const report = new SearchReport({ places, margin: 3, onEdit: (one) => told.push(one) });
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

const alike = (text: string, cost = 1, old = "if a > b:\n") =>
  FileEdit.parse({ ...edit(cost, text), old, behaviour: "0" });

test("of edits that do the same and are about as likely the smallest comes first", () => {
  const [long, short] = [alike("if (a + 1) > b:\n"), alike("if a >= b:\n", 1.2)];
  expect(likeliestFirst([long, short])).toEqual([short, long]);
  const unlikely = { ...short, cost: 4 };
  expect(likeliestFirst([long, unlikely])).toEqual([long, unlikely]);
});

test("what the function's name asks for comes first", () => {
  const old = "return min(self.lines, key=lambda one: one[1])[0]\n";
  const edits = [alike(old.replace("1", "0"), 1, old), alike(old.replace("min", "max"), 1.1, old)];
  const places = [{ file: "a.py", name: "Cart.most_expensive", start: 1, end: 2 }];
  expect(likeliestFirst(edits, { places })).toEqual(edits.toReversed());
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
