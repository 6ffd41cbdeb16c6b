import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { compiledModule } from "../testing/command.ts";

const NOBODY = ["--reuid=63127", "--regid=63127", "--clear-groups"];
const CHECK = `import(process.argv[1]).then(({ requireProcesses }) => {
  try { requireProcesses(); console.log("enough"); } catch (error) { console.log(error.message); }
})`;

const under = (limit: number) =>
  spawnSync("setpriv", [...NOBODY, "prlimit", `--nproc=${limit}`, process.execPath, "-e", CHECK, MODULE], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
const MODULE = compiledModule("utils/program/process_limit.ts");
const works = under(1000).stdout === "enough\n";
if (!works) console.warn("skipped: a limit of processes needs root, setpriv, prlimit and a clone that others may read");

test.skipIf(!works)("a process limit that is too low is an error before Node.js aborts", () => {
  expect(under(20).stdout).toMatch(/^You may run 20 processes and threads at a time \(ulimit -u\), and too few/);
});
