/**
 * Runs every attack in the real box, measured as any child is, and an honest child after each.
 * A program of its own, which prints the report: so that a test can run it as an ordinary user. `--probe` only sees
 * whether it could.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { tryForeignText } from "../../../../utils/base/files/foreign_file.ts";
import { removeFolder } from "../../../../utils/base/files/trees/remove_folder.ts";
import { openSandbox } from "../../../../utils/sandbox/sandbox.ts";
import { PROCESS_PROTOCOL } from "../../../../utils/task/process_protocol.ts";
import { toVisible } from "../../../../utils/task/task.ts";
import { functionTask } from "../../../benchmark/functions.ts";
import { type AgentBox, type Mount, openBox } from "../../child/box.ts";
import { STARTED } from "../../child/build.ts";
import { runChild } from "../../child/child.ts";
import { openGateway } from "../../child/gateway.ts";
import { agentLibraries } from "../../child/libraries.ts";
import { type Evaluator, measure } from "../../evaluate.ts";
import { signModel } from "../sign_model.ts";
import { signTasks } from "../sign_tasks.ts";
import { openTestRun } from "../test_run.ts";
import { agentSource, HONEST_ATTACK } from "./agent.ts";
import { ATTACKS, type Attack } from "./attacks.ts";

export interface AttackReport {
  name: string;
  dies: boolean | "maybe";
  status: string;
  score: number;
  /** All that the attack told. */
  trace: string;
  /** What of the host it read or changed, and what it left: empty where it failed. */
  damage: string[];
  /** Of the honest child that came next. */
  nextScore: number;
}

const SECRET = `secret-${"4711".repeat(3)}`;
const CANARY = "untouched";
const MARK = "mend-daemon-mark";
/** Far more than any attack needs, however busy the machine. */
const TIMEOUT_MS = 120_000;

export async function runAttacks(attacks: readonly Attack[] = ATTACKS): Promise<AttackReport[]> {
  const folder = mkdtempSync(join(tmpdir(), "mend-attack-"));
  const secret = join(folder, "secret");
  const canary = join(folder, "canary");
  writeFileSync(secret, SECRET);
  writeFileSync(canary, CANARY, { mode: 0o666 });
  const unix = join(folder, "host.sock");
  const abstract = `\0mend-attack-${process.pid}`;
  const servers = await Promise.all([listen(0), listen(unix), listen(abstract)]);
  const address = servers[0]?.address();
  const tcp = typeof address === "object" && address ? address.port : 0;
  const targets = { secret, canary, unix, abstract, tcp, pid: process.pid };
  const [sandbox, agentSandbox] = await Promise.all([openSandbox(), openSandbox()]);
  const box = await openBox({ unsafe: false });
  const tasks = signTasks(2);
  const { bench } = await openTestRun({
    folder,
    box,
    sandbox,
    agentSandbox,
    solver: signModel(() => ({}), new Set()),
    tasks,
    timeoutMs: TIMEOUT_MS,
  });
  const { evaluator, signal } = bench.parts;
  const [repair] = tasks.map((task) => functionTask(task, toVisible(task)));
  if (!repair) throw new Error("there is no task");
  const program = (name: string, attack: string) => {
    const path = join(folder, name);
    mkdirSync(dirname(join(path, STARTED)), { recursive: true });
    writeFileSync(join(path, "package.json"), '{"type":"module"}');
    writeFileSync(join(path, STARTED), agentSource(attack, targets));
    return path;
  };
  const honest = program("honest", HONEST_ATTACK);
  const measured = async (path: string, timeoutMs = TIMEOUT_MS) => {
    const limited = { ...evaluator, limits: { ...evaluator.limits, timeoutMs } };
    const sample = { task: repair, split: "dev", attempt: 0 } as const;
    const measurement = await measure({ tree: path, program: path }, sample, limited, { recording: null, signal });
    if ("unmeasured" in measurement) throw new Error(measurement.unmeasured);
    return { ...measurement.measured, trace: measurement.trace };
  };
  const before = hostState();
  try {
    const reports: AttackReport[] = [];
    for (const [index, { name, code, isEditor, dies = false, timeoutMs }] of attacks.entries()) {
      const attacker = program(`attack-${index}`, code);
      const got = isEditor ? await edited(attacker, evaluator, signal) : await measured(attacker, timeoutMs);
      const { trace, status, score } = got;
      const next = await measured(honest);
      const damage: string[] = [];
      if (trace.includes(SECRET)) damage.push("it read the secret");
      if (/root:[^:]*:\d*:/.test(trace)) damage.push("it read a file of the system");
      if (readFileSync(canary, "utf8") !== CANARY) damage.push("it wrote the canary");
      writeFileSync(canary, CANARY);
      if (hostState() !== before) damage.push(`the host has changed: ${hostState()}`);
      for (const won of trace.match(/^WON.*/gm) ?? []) damage.push(won);
      reports.push({ name, dies, status, score, trace, damage, nextScore: next.score });
    }
    return reports;
  } finally {
    for (const server of servers) server.close();
    await Promise.all([sandbox.close(), agentSandbox.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs an agent as an editor, in a folder where it may do as it likes: a point for a text that it should not have. */
async function edited(program: string, { box, agentSandbox }: EditorHost, signal: AbortSignal) {
  const workspace = mkdtempSync(join(tmpdir(), "mend-work-"));
  try {
    writeFileSync(join(workspace, "a.txt"), "one\n");
    const mount: Mount = { inside: "/workspace", outside: workspace, writable: true };
    await using gateway = await openGateway({ proxy: null, sandbox: agentSandbox, tasks: [] });
    const steps: string[] = [];
    const end = await runChild({
      ...{ box, program, mode: "improve", timeoutMs: TIMEOUT_MS, signal },
      mounts: [...agentLibraries(), gateway.mount, mount],
      job: {
        ...{ v: PROCESS_PROTOCOL, type: "improve", model: { kind: "host", name: "none" }, feedback: null },
        ...{ workspace: box.path(mount), archive: "/tmp", contextTokens: null },
        socket: `${box.path(gateway.mount)}/${gateway.socketName}`,
        limits: { maxIterations: 1, timeoutMs: TIMEOUT_MS },
      },
      onEvent: (event) => {
        if (event.type === "step") steps.push(event.text);
      },
    });
    const { text } = tryForeignText(workspace, "a.txt", 1024);
    const score = Number(text === "TWO\n" || text?.includes(SECRET) === true);
    return { status: end.status, score, trace: [...steps, end.explanation].join("\n\n") };
  } finally {
    removeFolder(workspace);
  }
}

type EditorHost = Pick<Evaluator, "agentSandbox"> & { box: AgentBox };

/** What of this machine an attack could change or leave: the kernel's switches, processes of ours, folders of ours. */
function hostState(): string {
  const settings = ["kernel/core_pattern", "kernel/hostname", "vm/overcommit_memory"].map((name) =>
    readFileSync(`/proc/sys/${name}`, "utf8").trim(),
  );
  const left = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(MARK));
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith("mend-work-"));
  return JSON.stringify({ settings, left, folders });
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const listen = (where: number | string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end("hello"));
    server.once("error", reject);
    if (typeof where === "number") server.listen(where, "127.0.0.1", () => resolve(server));
    else server.listen(where, () => resolve(server));
  });

if (process.argv[1] === import.meta.filename) {
  if (process.argv[2] === "--probe") await openBox({ unsafe: false });
  else process.stdout.write(JSON.stringify(await runAttacks()));
}
