import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../../utils/base/files/trees/remove_folder.ts";
import { firstOutput } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { MAIN, writeAgent } from "../testing/mini_agent.ts";
import { temporaryFolder } from "../testing/test_run.ts";
import { takeSnapshot } from "./snapshot.ts";

const SECRET = "only the host may read this";

function workspace() {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder.path));
  const source = join(folder.path, "workspace");
  writeAgent(source);
  mkdirSync(join(folder.path, "host"));
  writeFileSync(join(folder.path, "host/main.ts"), SECRET);
  return { source, target: join(folder.path, "copy"), host: join(folder.path, "host") };
}

/** Everything under a folder as one text. */
const contents = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => (entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "utf8") : entry.name))
    .join("\n");

test("a copy holds the files, without the folder that is only mounted there", () => {
  const { source, target } = workspace();
  mkdirSync(join(source, "utils"));
  expect(takeSnapshot(source, target, "utils")).toBeNull();
  expect(readFileSync(join(target, MAIN), "utf8")).toBe(readFileSync(join(source, MAIN), "utf8"));
  expect(existsSync(join(target, "utils"))).toBe(false);
});

test("links stay links: what they lead to is not copied", () => {
  const { source, target, host } = workspace();
  symlinkSync(join(host, "main.ts"), join(source, "agent/a.ts"));
  symlinkSync(host, join(source, "agent/folder"));
  expect(takeSnapshot(source, target, "utils")).toBeNull();
  expect(lstatSync(join(target, "agent/a.ts")).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(target, "agent/folder")).isSymbolicLink()).toBe(true);
});

type Refused = [what: string, change: (source: string, host: string) => void, message: string];
test.each<Refused>([
  [
    "a second name of a file",
    (source, host) => linkSync(join(host, "main.ts"), join(source, "agent/a.ts")),
    "second name",
  ],
  ["a pipe", (source) => void spawnSync("mkfifo", [join(source, "agent/a.ts")]), "neither a file nor a folder"],
  [
    "a sparse file of a terabyte",
    (source) => {
      writeFileSync(join(source, "agent/a.ts"), "");
      truncateSync(join(source, "agent/a.ts"), 2 ** 40);
    },
    "larger than 256 KB",
  ],
  [
    "a name that is no text",
    (source) => writeFileSync(Buffer.concat([Buffer.from(join(source, "agent/")), Buffer.from([0xff])]), ""),
    "use letters",
  ],
  [
    "too many folders in each other",
    (source) => mkdirSync(join(source, "agent", ...Array(100).fill("d")), { recursive: true }),
    "too many files or folders",
  ],
])("refused: %s", isRefused);

test.each<Refused>([
  [
    "too many files",
    (source) => Array.from({ length: 5000 }, (_, i) => writeFileSync(join(source, "agent", `n${i}`), "")),
    "too many files",
  ],
])("refused: %s", DEEP, isRefused);

function isRefused(...[, change, message]: Refused): void {
  const { source, target, host } = workspace();
  change(source, host);
  expect(takeSnapshot(source, target, "utils")?.message).toContain(message);
}

test(
  "while files and folders are exchanged for links all the time, nothing behind a link is copied",
  DEEP,
  async () => {
    const { source, target, host } = workspace();
    // One process, as an editor's could be: the folder and a link to the host's folder change places without end.
    const swap = `import os
source, host = ${JSON.stringify(source)}, ${JSON.stringify(host)}
os.chdir(source)
os.symlink(host, 'link')
print('ready', flush=True)
while True:
    os.rename('agent', 'kept'); os.rename('link', 'agent')
    os.rename('agent', 'link'); os.rename('kept', 'agent')
    os.rename('agent/main.ts', 'agent/kept.ts'); os.symlink(host + '/main.ts', 'agent/main.ts')
    os.unlink('agent/main.ts'); os.rename('agent/kept.ts', 'agent/main.ts')
`;
    const child = spawn("python3", ["-c", swap], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await firstOutput(child);
    let copied = 0;
    for (let i = 0; i < 300; i += 1) {
      if (takeSnapshot(source, target, "utils") === null) copied += 1;
      if (existsSync(target)) expect(contents(target)).not.toContain(SECRET);
      removeFolder(target);
    }
    expect(child.exitCode).toBeNull();
    expect(copied).toBeGreaterThan(0);
  },
);

test("what a hostile writer leaves can be removed: deep, locked, with names that are no text", () => {
  const { source } = workspace();
  const leave = `import os
os.chdir(${JSON.stringify(source)})
os.mkdir(b'\\xff'); open(b'\\xff/a', 'w').close()
os.mkdir('locked'); open('locked/a', 'w').close(); os.chmod('locked', 0)
for _ in range(100):
    os.mkdir('d' * 200); os.chdir('d' * 200)
`;
  expect(spawnSync("python3", ["-c", leave]).status).toBe(0);
  removeFolder(source);
  expect(existsSync(source)).toBe(false);
});
