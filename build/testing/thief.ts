/**
 * For tests, bundled into an installed mend: in each kind of box a program reads every file that it can and looks for
 * tasks with tests. Prints the paths it found, by box. `thief.js FOLDER FILE…`: a folder that command boxes show, datasets.
 */

import { dirname } from "node:path";
import { openBox } from "../../eval/meta/child/box.ts";
import { agentLibraries, allLibraries } from "../../eval/meta/child/libraries.ts";
import { Subprocess } from "../../utils/base/host/subprocess.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { keepFromBoxes } from "../../utils/sandbox/hidden.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { LAYERS, type Layer } from "../../utils/sandbox/types.ts";

const [project = "", ...datasets] = process.argv.slice(2);
/** A folder above may be one that cannot be listed. */
const STARTS = JSON.stringify([
  "/",
  "/usr/lib",
  project,
  import.meta.dirname.replace(/\/build\/testing$/, ""),
  ...datasets.map(dirname),
]);

const PYTHON = `
import json, os
found = set()
seen = set()
for start in ${STARTS}:
    for folder, folders, names in os.walk(start):
        if folder in seen:
            folders.clear()
            continue
        seen.add(folder)
        if folder == "/":
            folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
        for name in names:
            if name.endswith(".jsonl"):
                try:
                    with open(os.path.join(folder, name)) as file:
                        if "task_id" in file.read():
                            found.add(os.path.join(folder, name))
                except OSError:
                    pass
print(json.dumps(sorted(found)))
`;

const JAVASCRIPT = `
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const found = new Set();
const seen = new Set();
const look = (folder) => {
  if (seen.has(folder)) return;
  seen.add(folder);
  let entries = [];
  try { entries = readdirSync(folder, { withFileTypes: true }); } catch {}
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !["/proc", "/sys", "/dev"].includes(path)) look(path);
    else if (entry.name.endsWith(".jsonl")) try { if (readFileSync(path, "utf8").includes("task_id")) found.add(path); } catch {}
  }
};
${STARTS}.forEach(look);
console.log(JSON.stringify([...found].sort()));
`;

const TIMEOUT_MS = 60_000;

async function candidates(layer: Layer): Promise<Record<string, string>> {
  await using sandbox = await openSandbox({ layer });
  const python = await sandbox.run({ code: PYTHON, timeoutMs: TIMEOUT_MS });
  const javascript = await sandbox.run({ code: JAVASCRIPT, language: "javascript", timeoutMs: TIMEOUT_MS });
  const [inPython, inJavascript] = [python, javascript].map(({ stdout, explanation }) => stdout || explanation);
  return { [`${layer} python`]: inPython ?? "", [`${layer} javascript`]: inJavascript ?? "" };
}

async function commands(layer: Layer): Promise<Record<string, string>> {
  const box = await openCommandBox({ layer });
  const { stdout, explanation, stderr } = await box.run({
    mounts: [{ kind: "read", inside: "/project", outside: project }],
    start: () => ({ argv: ["/usr/bin/python3", "-c", PYTHON] }),
  });
  return { [`${layer} command`]: stdout || explanation || stderr };
}

async function agents(): Promise<Record<string, string>> {
  const box = await openBox({ unsafe: false });
  const found = [agentLibraries(), allLibraries()].map(async (libraries) => {
    const agent = new Subprocess(box.start(["node", "-e", JAVASCRIPT], libraries, "/tmp"));
    agent.endInput();
    const { stdout, stderr } = await agent.wait();
    return stdout || stderr;
  });
  const [agent = "", compiler = ""] = await Promise.all(found);
  return { agent, compiler };
}

for (const dataset of datasets) keepFromBoxes(dataset);
const report: Record<string, string> = {};
for (const layer of LAYERS.filter((name) => name !== "plain"))
  Object.assign(report, await candidates(layer), await commands(layer));
Object.assign(report, await agents());
console.log(JSON.stringify(report));
