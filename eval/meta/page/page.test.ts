import { expect, test } from "vitest";
import { VERDICTS } from "../events.ts";
import { temporaryFolder } from "../testing.ts";
import { writeExampleRun } from "./example_run.ts";
import { metaPage } from "./page.ts";

test("the page shows every child with its verdict, hypothesis, diff, calls and notices", () => {
  using folder = temporaryFolder();
  writeExampleRun(folder.path);
  const page = metaPage(folder.path);
  for (const verdict of VERDICTS) expect(page).toContain(`<span class="badge ${verdict}">${verdict}</span>`);
  expect(page).toContain("Iteration 6, round 1: no agent");
  expect(page).toContain("main.1 <b>coder</b>");
  expect(page).toContain("<b>notice</b> main after 12.0 s: You repeat yourself.");
  expect(page).toContain('<span class="removed">-old</span>');
  expect(page).toContain("On the 1 sealed tasks: A_0 0.0%, champion 100.0%");
  expect(page.match(/class="cell solved"/g)).toHaveLength(11);
});

test("nothing a model wrote becomes markup, and nothing in the page may run or load", () => {
  using folder = temporaryFolder();
  writeExampleRun(folder.path);
  const page = metaPage(folder.path);
  expect(page).not.toMatch(/<script|<img|\u202E/);
  expect(page).toContain("&#60;script&#62;");
  expect(page).toContain("default-src 'none'");
});
