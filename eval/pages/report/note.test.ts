import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadRun } from "../../run/load_run.ts";
import { readNotes } from "../../run/notes.ts";
import { startViewServer, type ViewServer } from "../server/server.ts";
import { hasBrowser, openPage } from "../testing/browser.ts";
import { writeMadeUpRun } from "../testing/made_up_run.ts";
import { buildReport } from "./build_report.ts";

const folder = mkdtempSync(join(tmpdir(), "mend-note-"));
const runsFolder = join(folder, "runs");
let server: ViewServer;
beforeAll(async () => {
  for (const [i, name] of ["one", "two", "three"].entries())
    writeMadeUpRun(join(runsFolder, name), { tasks: 5, seed: i + 1 });
  server = await startViewServer({ runsFolder, port: 0 });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const JSON_TYPE = { "Content-Type": "application/json" };

/** Sends a note as a page would, with other headers where they are given. */
async function send(note: unknown, headers: Record<string, string> = {}, path = "runs/one/note") {
  const origin = server.url.replace(/\/$/, "");
  const body = typeof note === "string" ? note : JSON.stringify(note);
  const all = { Origin: origin, ...JSON_TYPE, ...headers };
  const answer = await fetch(new URL(path, server.url), { method: "POST", headers: all, body });
  return { status: answer.status, body: await answer.text() };
}

const NOTE = { task: "Python/1", attempt: 0, text: "forgot the empty list" };

test("a note is kept beside the run, replaced, and removed by an empty one", async () => {
  expect(await send(NOTE)).toEqual({ status: 200, body: "kept" });
  expect(readNotes(join(runsFolder, "one")).get("Python/1#0")).toBe(NOTE.text);
  await send({ ...NOTE, text: "" });
  expect([...readNotes(join(runsFolder, "one"))]).toEqual([]);
});

test("no page of another site leaves a note, nor does a note of a task that is none", async () => {
  expect(await send(NOTE, { Origin: "http://evil.example" })).toMatchObject({ status: 403 });
  expect(await send(NOTE, { Origin: "null" })).toMatchObject({ status: 403 });
  expect(await send(NOTE, { "Content-Type": "text/plain" })).toMatchObject({ status: 403 });
  expect(await send({ ...NOTE, task: "../x" })).toMatchObject({ status: 404 });
  expect(await send({ ...NOTE, text: "x".repeat(10_001) })).toMatchObject({ status: 400 });
  expect(await send("{")).toMatchObject({ status: 400 });
  expect(await send({ ...NOTE, text: "x".repeat(500_000) })).toMatchObject({ status: 413 });
  expect(await send(NOTE, {}, "runs/none/note")).toMatchObject({ status: 404 });
  expect([...readNotes(join(runsFolder, "one"))]).toEqual([]);
});

test("a link in place of the notes leads nowhere", async () => {
  writeFileSync(join(folder, "outside"), "mine");
  symlinkSync(join(folder, "outside"), join(runsFolder, "three", "notes.json"));
  expect((await send(NOTE, {}, "runs/three/note")).status).toBe(500);
  expect(readFileSync(join(folder, "outside"), "utf8")).toBe("mine");
  rmSync(join(runsFolder, "three", "notes.json"));
});

test("the command that is shown runs one task again", DEEP, async () => {
  const made = ["--dataset", "builtin", "--few-shot-k", "0", "--model", "search", "--num", "2", "--run", "first"];
  await run("eval/cli/commands/eval.ts", [...made, "--json"], folder);
  const { again = "" } = loadRun(join(runsFolder, "first")).manifest;
  expect(again).toMatch(/ --dataset builtin --few-shot-k 0 --model search$/);
  const words = again.split(" ").slice(again.split(" ").indexOf("--dataset"));
  const repeated = await run("eval/cli/commands/eval.ts", [...words, "--indices", "1", "--run", "second"], folder);
  expect(repeated.exitCode, repeated.stderr).toBeLessThan(2);
  const [, second] = loadRun(join(runsFolder, "first")).results;
  expect(loadRun(join(runsFolder, "second")).results).toMatchObject([{ task_id: second?.task_id, index: 1 }]);
  rmSync(join(runsFolder, "first"), { recursive: true });
  rmSync(join(runsFolder, "second"), { recursive: true });
});

describe.skipIf(!hasBrowser)("in a browser", () => {
  test("what is noted on a served page is in the list, in the report, and found by the filter", DEEP, async () => {
    await using opened = await openPage(`${server.url}runs/one/#/Python%2F1/0`);
    const { page, problems } = opened;
    const field = page.getByLabel("Note about this task");
    await field.fill("jk? <b>forgot</b> the empty list");
    await field.blur();
    await page.getByText("Saved in the run's notes.json").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".noted-here", { hasText: "jk? <b>forgot</b>" }).waitFor();
    await page.getByLabel("Filter tasks").fill("forgot");
    expect(await page.locator("td.task a").allTextContents()).toEqual(["Python/1"]);
    writeFileSync(join(folder, "report.html"), buildReport(loadRun(join(runsFolder, "one"))).html);
    await page.goto(`${pathToFileURL(join(folder, "report.html"))}#/Python%2F1/0`);
    await page.locator(".noted p", { hasText: "<b>forgot</b> the empty list" }).waitFor();
    expect(await page.locator("textarea").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test(
    "two runs' trajectories of one task stand beside each other, from the comparison and of three runs",
    DEEP,
    async () => {
      await using opened = await openPage(server.url);
      const { page, problems } = opened;
      for (const name of ["one", "two", "three"]) await page.getByLabel(`Compare ${name}`).check();
      await page.locator(".compare-button").click();
      await page.getByRole("heading", { name: "3 runs of" }).waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.getByLabel("Another trajectory beside it").selectOption({ label: "beside: three" });
      await page.locator(".pair .body").nth(1).locator(".turn").first().waitFor();
      expect(await page.locator(".pair .body > h2").allTextContents()).toEqual(["one", "three"]);
      await page.keyboard.press("j");
      await page.locator(".sample-bar h1", { hasText: "Python/1" }).waitFor();
      expect(await page.locator(".pair .body > h2").allTextContents()).toEqual(["one", "three"]);
      await page.goto(`${server.url}board?run=one&run=two`);
      await page.getByRole("link", { name: "Python/2", exact: true }).click();
      await page.locator(".pair .body").nth(1).locator(".turn").first().waitFor();
      expect(await page.locator(".pair .body > h2").allTextContents()).toEqual(["one", "two"]);
      expect(problems).toEqual([]);
    },
  );
});
