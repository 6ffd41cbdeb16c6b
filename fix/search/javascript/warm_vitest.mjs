// The search in tests of vitest: `warm_vitest.mjs PROGRAM ARGUMENTS...`, the words that start vitest. One process of
// its own takes all files, runs them once, and then again and again (warm_vitest.cjs); here modules are made for it.
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [program, ...words] = process.argv.slice(2);
// Before vitest is loaded: it makes stdin one that does not wait.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vitest-"));
const at = (name) => path.join(folder, name);
fs.writeFileSync(at("job"), fs.readFileSync(0));
Object.assign(process.env, { MEND_VITEST: program, MEND_VITEST_SOCKET: at("socket"), MEND_JOB: at("job") });

const { version } = JSON.parse(fs.readFileSync(path.join(path.dirname(program), "package.json"), "utf8"));
const { createVitest, parseCLI } = await import(pathToFileURL(path.join(path.dirname(program), "dist/node.js")).href);
const { filter, options } = parseCLI(["vitest", ...words]);

const vitest = await createVitest("test", {
  ...options,
  watch: false,
  pool: "forks",
  isolate: false,
  // Before vitest 4.
  ...(Number.parseInt(version, 10) < 4 && { poolOptions: { forks: { isolate: false, singleFork: true } } }),
  fileParallelism: false,
  coverage: { enabled: false },
  reporter: undefined,
  reporters: [{}],
  outputFile: undefined,
  runner: fileURLToPath(new URL("./warm_vitest_runner.mjs", import.meta.url)),
});
if (typeof vitest.invalidateFile !== "function") throw new Error("this version of vitest is not known");
const server = net.createServer((connection) => {
  // A line is a file that is to be made anew; the answer is the processor time of this process in ms.
  connection.setEncoding("utf8").on("data", (text) => {
    for (const file of text.split("\n").filter(Boolean)) vitest.invalidateFile(file);
    const { user, system } = process.cpuUsage();
    connection.write(`${(user + system) / 1000}\n`);
  });
});
server.listen(at("socket"));
await vitest.start(filter);
process.exit();
