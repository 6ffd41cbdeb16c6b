// Runs a file of plain assertions as one test: `run_script.mjs RESULTS FILE`. It fails where something is thrown, a
// promise is rejected, or a console.assert (which Node itself only prints) does not hold.
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

// The script sees the command line that it has without mend.
const [, results] = process.argv.splice(1, 2);
const [, file] = process.argv;
const name = basename(file);
const said = (error) => {
  const where = String(error?.stack ?? "").match(/([\w.-]+\.[cm]?[jt]sx?):(\d+):\d+\)?$/m);
  const text = `${error?.name ?? "Error"}: ${error?.message ?? error}`;
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 6)
    .join("\n");
  return (where ? `${where[1]}:${where[2]}: ${lines}` : lines).slice(0, 1500);
};
const problems = [];
const end = (rows) =>
  writeFileSync(results, [...rows, { end: true }].map((row) => `${JSON.stringify(row)}\n`).join(""));

console.assert = (holds, ...message) => {
  if (!holds) problems.push(new Error(["console.assert", ...message].join(" ")));
};
process.on("unhandledRejection", (error) => problems.push(error));
process.on("uncaughtException", (error) => problems.push(error));
let loaded = false;
// Only a program that comes to its end by itself has passed: one that exits early has not.
process.once("beforeExit", () => {
  if (!loaded) return;
  const status = problems.length > 0 ? "failed" : "passed";
  end([{ name, status, message: problems[0] ? said(problems[0]) : "" }]);
  process.exitCode = problems.length > 0 ? 1 : 0;
});
try {
  await import(pathToFileURL(file));
} catch (error) {
  const missing = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(error?.code) || error instanceof SyntaxError;
  if (missing) {
    end([{ fatal: said(error) }]);
    process.exit(1);
  }
  problems.push(error);
}
loaded = true;
