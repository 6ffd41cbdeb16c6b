/** For tests: what somebody does who has just installed mend, with that installation and a Node.js of choice. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { PYTEST_INI } from "../../utils/testing/pytest_plugins.ts";
import { type Ended, execute } from "./packed.ts";

export type Mend = (...args: string[]) => Promise<Ended>;

/** @param program what starts mend, e.g. `[node, mend.js]`, @param folder where it is started, with room for files */
export const mendOf =
  (program: readonly string[], folder: string): Mend =>
  (...args) =>
    execute([...program, ...args], folder);

const SET = ["--model", "search", "--dataset", "builtin", "--few-shot-k", "0"];

/** Repairs a file. */
export async function firstRepair(mend: Mend, folder: string): Promise<void> {
  writeFileSync(join(folder, "half.py"), "def half(x):\n    return x * 2\n");
  writeFileSync(join(folder, "test_half.py"), "from half import half\n\nassert half(3) == 1.5\n");
  const repaired = await mend("repair", "half.py", "--model", "search");
  expect([repaired.exitCode, repaired.stdout]).toEqual([0, expect.stringMatching(/^\+ {4}return x \/ 2$/m)]);
}

/** Repairs a file, measures four tasks, makes a report of them, and runs the self-edit loop without a child. */
export async function firstDay(mend: Mend, folder: string): Promise<void> {
  await firstRepair(mend, folder);
  const measured = await mend("eval", ...SET, "--num", "4", "--run", "four", "--json");
  expect([measured.exitCode, JSON.parse(measured.stdout)]).toEqual([0, expect.objectContaining({ num: 4, errors: 0 })]);
  const reported = await mend("report", "four", "--json");
  expect(JSON.parse(reported.stdout)).toMatchObject({ samples: 4, file: "runs/four/report.html" });
  expect(readFileSync(join(folder, "runs/four/report.html"), "utf8")).toContain("</html>");
  const improved = await mend("improve", ...SET, "--iterations", "0", "--meta-model", "tune", "--num", "3", "--json");
  expect([improved.exitCode, improved.stderr]).toEqual([0, expect.stringContaining("report.html")]);
  expect(JSON.parse(improved.stdout)).toMatchObject({ children: 0, champion: 0 });
}

/** A repository of one package with a failing test, all of it committed. */
export function smallRepository(path: string): void {
  mkdirSync(join(path, "tests"), { recursive: true });
  writeFileSync(join(path, "pytest.ini"), PYTEST_INI["pytest.ini"]);
  writeFileSync(join(path, "shelf.py"), "def free(places, used):\n    return places + used\n");
  writeFileSync(
    join(path, "tests", "test_shelf.py"),
    "from shelf import free\n\n\ndef test_free():\n    assert free(9, 2) == 7\n    assert free(3, 3) == 0\n",
  );
  const git = (...args: string[]) => execFileSync("git", args, { cwd: path, stdio: "ignore" });
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "first");
}
