// @module-tag ci

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { findPython, findSharedPython } from "../base/host/python.ts";
import { compiledModule, ended, firstOutput } from "../testing/command.ts";
import { descendants, processes, until } from "../testing/processes.ts";
import { DEEP, isSlow } from "../testing/repeats.ts";
import { planLayer } from "./layers.ts";
import { openSandbox, probeLayers } from "./sandbox.ts";
import { Server } from "./server.ts";
import { describeLayers } from "./testing/open.ts";
import type { Sandbox } from "./types.ts";

const HONEST = { program: "def f(x):\n    return x", entryPoint: "f", test: "assert f(1) == 1", timeoutMs: 10_000 };
const FOREVER = { code: "while True: pass", timeoutMs: 60_000 };
const onLinux = process.platform === "linux";
const working = (await probeLayers()).filter(({ works }) => works).map(({ layer }) => layer);
// The best and the worst: with and without namespaces that take everything along.
const layers = working.filter((_, i) => i === 0 || i === working.length - 1);

const TEMPORARY = await mkdtemp(join(tmpdir(), "mend-test-"));
await chmod(TEMPORARY, 0o755);
process.env.TMPDIR = TEMPORARY;
afterAll(() => rm(TEMPORARY, { recursive: true }));

const temporaryFolders = () => readdirSync(TEMPORARY).filter((name) => name.startsWith("mend-temporary-box-"));

/** The fork server, its jobs included: bwrap and the supervisor name its file among their arguments, too. */
const isForkServer = (command: string) => /^(?!.*(?:bwrap |supervisor\.py)).*fork_server\.py/s.test(command);

/** A sandbox and the processes that came with it. */
async function openWatched(options: Parameters<typeof openSandbox>[0]) {
  const before = new Set(descendants(process.pid).map(({ pid }) => pid));
  const foldersBefore = new Set(temporaryFolders());
  const sandbox = await openSandbox(options);
  const own = () => descendants(process.pid).filter(({ pid }) => !before.has(pid));
  const server = (name: string) => {
    const isNamed = (command: string) =>
      name === "fork_server.py" ? isForkServer(command) : command.includes(name) && !command.includes("bwrap ");
    const found = own().find(({ command }) => isNamed(command));
    if (!found) throw new Error(`no process runs ${name}`);
    return found.pid;
  };
  /**
   * The fork server's pid, as soon as a job runs in it; a job is a child of the same name that leads a session, as
   * what the server forks while it starts does not. Not the server `but`.
   */
  const busyServer = (but?: number) =>
    until(() => {
      const forked = own().filter(({ command }) => isForkServer(command));
      return forked.find(
        ({ pid }) => pid !== but && forked.some((job) => job.parent === pid && job.session === job.pid),
      )?.pid;
    }, "a job runs");
  const folders = () => temporaryFolders().filter((name) => !foldersBefore.has(name));
  return { sandbox, own, server, busyServer, folders };
}

describeLayers("servers", { layers: onLinux ? layers : [], best: layers[0] }, (layer) => {
  /** For what costs seconds and is the same under all layers. */
  const testOnce = test.skipIf(layer !== layers.at(-1) && !isSlow);

  test("close leaves no process and no folder, whatever runs", async () => {
    const { sandbox, own, busyServer, folders } = await openWatched({ layer });
    const running = sandbox.run(FOREVER).catch((error: unknown) => error);
    await busyServer();
    const pids = own().map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(1);
    await sandbox.close();
    expect(await running).toBeInstanceOf(Error);
    expect(processes().filter(({ pid, command }) => pids.includes(pid) && command.includes("fork_server"))).toEqual([]);
    expect(folders()).toEqual([]);
    await expect(sandbox.run(FOREVER)).rejects.toThrow("closed");
  });

  test("the fork server gets its settings, and none of them as arguments", async () => {
    const { sandbox, own } = await openWatched({ layer });
    const servers = own().filter(({ command }) => isForkServer(command));
    expect(servers.length).toBeGreaterThan(0);
    expect(servers.filter(({ command }) => command.includes("memoryBytes"))).toEqual([]);
    await sandbox.close();
  });

  test.each(["supervisor.py", "fork_server.py"])(
    "a job is tried again when %s is killed under it",
    DEEP,
    async (name) => {
      const { sandbox, server, busyServer } = await openWatched({ layer });
      const code = "import time\nprint('begun', flush=True)\ntime.sleep(3)\nprint('done')";
      const running = sandbox.run({ code, timeoutMs: 10_000 });
      const missed = running.then(() => {
        throw new Error("the job ended before it was seen to run");
      });
      await Promise.race([busyServer(), missed]);
      missed.catch(() => {});
      process.kill(server(name), "SIGKILL");
      expect(await running).toMatchObject({ status: "exited", stdout: "begun\ndone\n" });
      expect(await sandbox.judge(HONEST)).toMatchObject({ outcome: "passed" });
      await sandbox.close();
    },
  );

  testOnce(
    "a supervisor that was stopped is replaced; one that works is left alone, however long a job takes",
    async () => {
      const plan = planLayer(layer, await findSharedPython(await findPython()), 1024);
      if ("unavailable" in plan) throw new Error(plan.unavailable);
      const before = new Set(descendants(process.pid).map(({ pid }) => pid));
      const server = await Server.start(plan.plan, 8);
      const ask = (program: string) =>
        server.ask({ kind: "run", language: "python", timeoutMs: 60_000, job: { program } });
      const long = "import time\nend = time.process_time() + 4\nwhile time.process_time() < end: pass";
      expect(await ask(long)).toMatchObject({ result: { status: "exited", exitCode: 0 } });
      const supervisor = descendants(process.pid).find(
        ({ pid, command }) => !before.has(pid) && command.includes("supervisor.py"),
      );
      if (!supervisor) throw new Error("no process runs supervisor.py");
      process.kill(supervisor.pid, "SIGSTOP");
      expect(await ask("print(1)")).toHaveProperty("lost");
      expect(await ask("print(1)")).toMatchObject({ result: { stdout: "1\n" } });
      await server.close();
    },
  );

  test("a job that loses its server twice is an error of the sandbox, and the next is not affected", DEEP, async () => {
    const { sandbox, busyServer } = await openWatched({ layer });
    const running = sandbox.judge({ ...HONEST, program: "while True: pass", timeoutMs: 30_000 });
    // A server that is killed while it starts takes its supervisor along: the job must run in it.
    let killed: number | undefined;
    for (let kills = 0; kills < 2; kills++) {
      killed = await busyServer(killed);
      process.kill(killed, "SIGKILL");
    }
    const verdict = await running;
    expect(verdict).toMatchObject({ outcome: "sandbox_error", passed: false });
    expect(verdict.explanation).toMatch(/server (?:process was )?ended/);
    expect(await sandbox.judge(HONEST)).toMatchObject({ outcome: "passed" });
    await sandbox.close();
  });

  test("an aborted job ends at once, running or waiting", async () => {
    await using sandbox = await openSandbox({ layer, concurrency: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = sandbox.run({ ...FOREVER, signal: first.signal });
    const waiting = sandbox.judge({ ...HONEST, signal: second.signal });
    running.catch(() => {});
    waiting.catch(() => {});
    second.abort(new Error("not needed"));
    await expect(waiting).rejects.toThrow("not needed");
    first.abort(new Error("stop"));
    await expect(running).rejects.toThrow("stop");
    expect(await sandbox.judge(HONEST)).toMatchObject({ outcome: "passed" });
    await expect(sandbox.run({ ...FOREVER, signal: AbortSignal.abort(new Error("late")) })).rejects.toThrow("late");
  });

  test("what a job started lives on when its parent ends, whichever other job ends meanwhile", async () => {
    const { sandbox } = await openWatched({ layer, concurrency: 2 });
    const code = `import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    time.sleep(0.5)
    open("done", "w").close()
    os._exit(0)
while not os.path.exists("done"): time.sleep(0.01)
print("done")`;
    let ended = false;
    const running = sandbox.run({ code, timeoutMs: 4000 }).finally(() => {
      ended = true;
    });
    while (!ended) await sandbox.run({ code: "pass", timeoutMs: 4000 });
    expect(await running).toMatchObject({ status: "exited", stdout: "done\n" });
    await sandbox.close();
  });

  test("the death of our process takes the servers and their jobs along", async () => {
    const script = `
      const { openSandbox } = await import(${JSON.stringify(compiledModule("utils/sandbox/sandbox.ts"))});
      const sandbox = await openSandbox({ layer: ${JSON.stringify(layer)} });
      sandbox.run(${JSON.stringify(FOREVER)});
      setTimeout(() => console.log("running"), 300);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
    await firstOutput(child);
    const pids = descendants(child.pid ?? -1).filter(({ command }) => command.includes("_server.py"));
    expect(pids.length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    const left = () =>
      processes().filter(({ pid, command }) => command.includes("_server.py") && pids.some((own) => own.pid === pid));
    await until(() => left().length === 0, "the servers end");
  });

  test("a sandbox that was not closed lets our process end once it has answered, and leaves nothing", async () => {
    const script = `
      const { openSandbox } = await import(${JSON.stringify(compiledModule("utils/sandbox/sandbox.ts"))});
      const sandbox = await openSandbox({ layer: ${JSON.stringify(layer)} });
      for (const code of ["print(1)", "print(2)"]) await sandbox.run({ code, timeoutMs: 60_000 });
      sandbox.run({ code: "print(3)", timeoutMs: 60_000 }).then(({ stdout }) => console.log(stdout));`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
    const said = text(child.stdout);
    await ended(child);
    expect([child.exitCode, await said]).toEqual([0, "3\n\n"]);
    await until(() => temporaryFolders().length === 0, "its folder is gone");
  });
});

describe("a user's mistake is reported in one sentence", () => {
  test("no such interpreter", async () => {
    await expect(openSandbox({ python: "/no/such/python3" })).rejects.toThrow(
      "No working Python interpreter at `/no/such/python3`; give the path of Python 3.9 or newer.",
    );
  });

  test("an interpreter that is too old, and a program that is none", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mend-test-"));
    const script = async (name: string, text: string) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(folder, name), 0o755);
      return join(folder, name);
    };
    const probe =
      '{"executable": "/x", "version": [3, 8, 1], "prefixes": [], "packages": [], "machine": "x", "release": "1"}';
    await expect(findPython(await script("old", `echo '${probe}'`))).rejects.toThrow(
      /is Python 3\.8\.1; mend needs Python 3\.9/,
    );
    await expect(findPython(await script("none", "echo hello"))).rejects.toThrow(/does not behave like Python/);
    await rm(folder, { recursive: true });
  });

  test("a layer that does not work here", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mend-test-"));
    // Another name for the interpreter, so that the failure is not remembered for the other tests.
    const python = join(folder, "python3");
    await symlink((await findPython()).executable, python);
    const path = process.env.PATH;
    process.env.PATH = folder;
    try {
      const named = openSandbox({ layer: "bwrap", python });
      await expect(named).rejects.toThrow(
        /^The sandbox layer bwrap does not work here: .*\. Choose another, or auto\.$/,
      );
      const { info, close } = await withClose(openSandbox({ python }));
      expect(info.layer).not.toBe("bwrap");
      expect(info.warnings[0]).toMatch(/^The bwrap layer is not used: .*\.$/);
      await close();
    } finally {
      process.env.PATH = path;
      await rm(folder, { recursive: true });
    }
  });
});

const withClose = async (opening: Promise<Sandbox>) => {
  const sandbox = await opening;
  return { info: sandbox.info, close: () => sandbox.close() };
};
