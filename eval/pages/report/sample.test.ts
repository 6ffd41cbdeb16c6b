import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadRun } from "../../run/load_run.ts";
import { startViewServer, type ViewServer } from "../server/server.ts";
import { hasBrowser, openPage } from "../testing/browser.ts";
import { writeMadeUpRun } from "../testing/made_up_run.ts";

const { path: folder } = temporaryFolder();
const runsFolder = join(folder, "runs");
let server: ViewServer;
beforeAll(async () => {
  for (const [i, name] of ["one", "two", "three"].entries())
    writeMadeUpRun(join(runsFolder, name), { tasks: 5, seed: i + 1 });
  server = await startViewServer({ runsFolder, port: 0 });
});
afterAll(() => server.close());

test("the command that is shown runs one task again", DEEP, async () => {
  const made = ["--dataset", "builtin", "--few-shot-k", "0", "--model", "search", "--num", "2", "--run", "first"];
  await run("mend eval", [...made, "--json"], folder);
  const { again: whole, again_one: again = "" } = loadRun(join(runsFolder, "first")).manifest;
  expect(whole).toMatch(/ --num /);
  expect(again).toMatch(/ --dataset builtin --few-shot-k 0 --model search$/);
  const words = again.split(" ").slice(again.split(" ").indexOf("--dataset"));
  const repeated = await run("mend eval", [...words, "--indices", "1", "--run", "second"], folder);
  expect(repeated.exitCode, repeated.stderr).toBeLessThan(2);
  const [, second] = loadRun(join(runsFolder, "first")).results;
  expect(loadRun(join(runsFolder, "second")).results).toMatchObject([{ task_id: second?.task_id, index: 1 }]);
  rmSync(join(runsFolder, "first"), { recursive: true });
  rmSync(join(runsFolder, "second"), { recursive: true });
});

describe.skipIf(!hasBrowser)("in a browser", () => {
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
