/**
 * Runs the hostile programs under one layer and reports what came of them. Also a command, so that tests can run it as
 * another user: `hostile/run.ts LAYER [SET]` prints the report as JSON.
 */

import { randomBytes, randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeTemporaryFolder } from "../../../base/files/temporary.ts";
import { commandLines } from "../../../testing/processes.ts";
import { repeats } from "../../../testing/repeats.ts";
import { openSandbox } from "../../sandbox.ts";
import { LAYERS, type Layer, type Outcome, type Sandbox, type SandboxInfo } from "../../types.ts";
import { HOSTILE_CPP } from "./cpp.ts";
import { HOSTILE_GO } from "./go.ts";
import { HOSTILE_JAVA } from "./java.ts";
import { HOSTILE_JAVASCRIPT } from "./javascript.ts";
import type { HostileProgram } from "./program.ts";
import { HOSTILE_PROGRAMS } from "./programs.ts";
import { HOSTILE_RUST } from "./rust.ts";
import { HOSTILE_TESTS } from "./tests.ts";

export interface HostileReport {
  info: SandboxInfo;
  programs: {
    name: string;
    /** `skipped`: the plain layer cannot stop it, and running it would do harm. */
    outcome: Outcome | "skipped";
    explanation: string;
    /** Outcome of the honest program judged right after it; null where none was. */
    next: Outcome | null;
    /** And that of a wrong one, after a hostile test: it could make all pass. */
    nextWrong?: Outcome;
    /** Command lines of its processes that ran when its verdict had been given. Only of those that show its mark. */
    outlived: string[];
  }[];
  /** Changes of files that no program may touch. */
  damage: string[];
  /** Command lines of processes that outlived the sandbox. */
  leftovers: string[];
}

export const DAEMON = "a daemon that outlives its verdict";

const SETS = new Map([
  ["all", HOSTILE_PROGRAMS],
  ["javascript", HOSTILE_JAVASCRIPT],
  ["java", HOSTILE_JAVA],
  ["go", HOSTILE_GO],
  ["cpp", HOSTILE_CPP],
  ["rust", HOSTILE_RUST],
  ["tests", HOSTILE_TESTS],
]);

const USAGE = `usage: hostile/run.ts ${LAYERS.join("|")} [${[...SETS.keys()].join("|")}]`;

/** What can be run at a time: a set by its name, or of `all 1/6` every sixth, from the second. The daemon is in all parts. */
export function partNamed(name: string): HostileProgram[] {
  const [, set = "", from = "0", of = "1"] = /^(\w+)(?: (\d+)\/(\d+))?$/.exec(name) ?? [];
  const whole = SETS.get(set);
  if (!whole) throw new Error(USAGE);
  return whole.filter((program, i) => program.name === DAEMON || i % Number(of) === Number(from));
}

/** In the environment; a parent process may have set it. */
const SECRET = process.env.MEND_HOSTILE_SECRET ?? newSecret();
process.env.MEND_HOSTILE_SECRET = SECRET;
const MEBIBYTE = 1024 * 1024;
const TIMEOUT_MS = 200;
const CONCURRENCY = 6;
/** Of processor time: what does not come to an end shows its limit at less cost than by the usual one. */
const COMPILE_SECONDS = 4;
function javaTest(condition: string): string {
  return `public class Main {\n    public static void main(String[] args) {\n        if (!${condition}) throw new AssertionError();\n    }\n}\n`;
}

/** By language: a test for the secret, an honest program with its test, and after how many programs, which are no tests, it is judged. */
const LANGUAGES = {
  python: {
    test: (secret: string) => `def check(f):\n    assert f(1) == "${secret}"\ncheck(f)`,
    honest: { program: "def f(x):\n    return x + 1\n", entryPoint: "f", test: "assert f(1) == 2" },
    wrong: "def f(x):\n    return x\n",
    honestAfter: 1,
    helpers: "",
  },
  javascript: {
    test: (secret: string) => `const check = () => {\n  console.assert(f(1) === "${secret}")\n}\ncheck()`,
    honest: { program: "const f = (x) => x + 1;\n", entryPoint: "f", test: "console.assert(f(1) === 2)" },
    wrong: "const f = (x) => x;\n",
    // Each is a process of Node.js, which costs as much as the hostile program.
    honestAfter: repeats(1, 4),
    helpers: "",
  },
  java: {
    test: (secret: string) => javaTest(`new Solution().f(1).equals("${secret}")`),
    honest: {
      program: "class Solution {\n    public String f(int x) {\n        return String.valueOf(x + 1);\n    }\n}\n",
      entryPoint: "f",
      test: javaTest('new Solution().f(1).equals("2")'),
    },
    wrong: 'class Solution {\n    public String f(int x) {\n        return "";\n    }\n}\n',
    honestAfter: repeats(1, 8),
    helpers: "class Solution {\n    public String f(int x) {\n",
  },
  go: {
    test: (secret: string) => `func TestF(t *testing.T) {\n    if f(1) != "${secret}" {\n        t.Fail()\n    }\n}\n`,
    honest: {
      program: "func f(x int) string {\n    return strconv.Itoa(x + 1)\n}\n",
      entryPoint: "f",
      test: 'func TestF(t *testing.T) {\n    if f(1) != "2" {\n        t.Fail()\n    }\n}\n',
    },
    wrong: 'func f(x int) string {\n    return ""\n}\n',
    honestAfter: repeats(1, 8),
    helpers: "func f(x int) string {\n",
  },
  cpp: {
    test: (secret: string) => `#include <assert.h>\nint main() {\n    assert (f(1) == "${secret}");\n}\n`,
    honest: {
      program: "string f(int x) {\n    return to_string(x + 1);\n}\n",
      entryPoint: "f",
      test: '#include <assert.h>\nint main() {\n    assert (f(1) == "2");\n}\n',
    },
    wrong: 'string f(int x) {\n    return "";\n}\n',
    honestAfter: repeats(1, 8),
    helpers: "using namespace std;\nstring f(int x) {\n",
  },
  rust: {
    test: (secret: string) => `#[test]\nfn returns() {\n    assert_eq!(f(1), "${secret}");\n}\n`,
    honest: {
      program: "fn f(x: i32) -> String {\n    (x + 1).to_string()\n}\n",
      entryPoint: "f",
      test: '#[test]\nfn returns() {\n    assert_eq!(f(1), "2");\n}\n',
    },
    wrong: "fn f(_: i32) -> String {\n    String::new()\n}\n",
    honestAfter: repeats(1, 8),
    helpers: "fn f(x: i32) -> String {\n",
  },
};

export function newSecret(): string {
  return `secret-${randomBytes(16).toString("hex")}`;
}

/** Run the programs, by default all. Rejects where the layer does not work here. */
export async function runHostilePrograms(
  layer: Layer,
  hostilePrograms: HostileProgram[] = HOSTILE_PROGRAMS,
): Promise<HostileReport> {
  const secret = SECRET;
  using canary = await plantCanary(secret);
  await using port = await serveSecret(secret);
  using verdicts = await makeVerdictFolder();
  // Shows in the command line of every process of this sandbox, and in no other's.
  const memoryBytes = 400 * MEBIBYTE + randomInt(600 * MEBIBYTE);
  const mark = `86${randomBytes(4).readUInt32BE()}`;
  const sandbox = await openSandbox({
    layer,
    concurrency: CONCURRENCY,
    memoryMb: memoryBytes / MEBIBYTE,
    compileSeconds: COMPILE_SECONDS,
  });
  const judging = hostilePrograms.map((hostile, index) => {
    const own = { mark: mark + String(index).padStart(4, "0"), verdict: join(verdicts.path, String(index)), index };
    const filled = (source: string) =>
      source
        .replaceAll("@FILE@", canary.file)
        .replaceAll("@PORT@", String(port.number))
        .replaceAll("@PARENT@", String(process.pid))
        .replaceAll("@MARK@", own.mark)
        .replaceAll("@VERDICT@", own.verdict);
    const { language = "python" } = hostile;
    const test =
      hostile.test === undefined
        ? LANGUAGES[language].test(secret)
        : filled(hostile.test).replaceAll("@SECRET@", secret);
    return judge(sandbox, { ...hostile, program: filled(hostile.program), test }, own);
  });
  const programs = await Promise.all(judging);
  await sandbox.close();
  return {
    info: sandbox.info,
    programs,
    leftovers: processesWith([`"memoryBytes": ${memoryBytes}`, mark]),
    damage: await canary.damage(),
  };
}

async function judge(
  sandbox: Sandbox,
  hostile: HostileProgram & { test: string },
  own: { mark: string; verdict: string; index: number },
): Promise<HostileReport["programs"][number]> {
  const { name, program, test, language = "python" } = hostile;
  const { honest, wrong, honestAfter, helpers } = LANGUAGES[language];
  if (sandbox.info.layer === "plain" && unstoppable(hostile, sandbox.info)) {
    const explanation = hostile.plainCannotStop?.why ?? "";
    return { name, outcome: "skipped", explanation, next: "passed", outlived: [] };
  }
  const verdict = await sandbox.judge({
    program,
    entryPoint: "f",
    language,
    test,
    helpers,
    timeoutMs: hostile.timeoutMs ?? TIMEOUT_MS,
  });
  // At once: not even for a moment may anything run on.
  writeFileSync(own.verdict, "");
  const outlived = (program + test).includes(own.mark) ? processesWith([own.mark]) : [];
  const isTest = HOSTILE_TESTS.some((one) => one.name === name);
  const isFollowed = isTest || own.index % honestAfter === 0;
  const next = isFollowed ? (await sandbox.judge({ ...honest, helpers, language, timeoutMs: 10_000 })).outcome : null;
  const { outcome, explanation } = verdict;
  const report = { name, outcome, explanation, next, outlived };
  if (!isTest) return report;
  const last = await sandbox.judge({ ...honest, helpers, program: wrong, language, timeoutMs: 10_000 });
  return { ...report, nextWrong: last.outcome };
}

const unstoppable = (hostile: HostileProgram, info: SandboxInfo) =>
  hostile.plainCannotStop !== undefined && !(hostile.plainCannotStop.unless === "separate users" && info.separateUsers);

/** A file that everybody may read and write, in a folder whose content is compared afterwards. */
async function plantCanary(secret: string) {
  const temporary = makeTemporaryFolder("canary");
  const folder = temporary.path;
  const file = join(folder, "canary.txt");
  await writeFile(file, secret);
  // Whatever the umask says: only the sandbox is to stand in the way.
  await chmod(file, 0o666);
  await chmod(folder, 0o777);
  const look = async () => {
    const status = await stat(file).catch(() => undefined);
    const names = (await readdir(folder)).join(" ");
    const content = await readFile(file, "utf8").catch(() => "");
    return [
      `names ${names}`,
      `content ${content}`,
      `mode ${status?.mode}`,
      `changed ${status?.mtimeMs} ${status?.ctimeMs}`,
    ];
  };
  const before = await look();
  return {
    file,
    damage: async () => (await look()).filter((line, index) => line !== before[index]),
    [Symbol.dispose]: temporary[Symbol.dispose],
  };
}

async function serveSecret(secret: string) {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(secret);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP port");
  return {
    number: address.port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A folder that everybody may look into, for files that say that a verdict has been given. */
async function makeVerdictFolder() {
  const folder = makeTemporaryFolder("verdicts");
  await chmod(folder.path, 0o755);
  return folder;
}

/** Command lines of the processes that mention one of `marks` now. */
const processesWith = (marks: string[]) => commandLines().filter((line) => marks.some((mark) => line.includes(mark)));

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const layer = LAYERS.find((name) => name === process.argv[2]);
  if (!layer) throw new Error(USAGE);
  const part = partNamed(process.argv[3] ?? "all");
  process.stdout.write(`${JSON.stringify(await runHostilePrograms(layer, part))}\n`);
}
