// @module-tag ci

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { descendants, processes, until } from "../../testing/processes.ts";
import { DEEP, isSlow } from "../../testing/repeats.ts";
import { machineEnvironment } from "../machine.ts";
import { describeLayers } from "../testing/open.ts";
import { LAYERS, type Layer } from "../types.ts";
import { type Command, type CommandBox, type CommandLimits, openCommandBox } from "./command_box.ts";

const PYTHON = process.getuid?.() === 0 ? "/usr/bin/python3" : "python3";
const folder = mkdtempSync(join(tmpdir(), "mend-test-"));
// Without bubblewrap the box's user needs a way to what it is given.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened = await Promise.all(
  LAYERS.map(
    async (layer): Promise<[Layer, CommandBox | null]> => [
      layer,
      await openCommandBox({ layer }).catch((error: unknown) => {
        console.warn(`skipped: ${error}`);
        return null;
      }),
    ],
  ),
);
const boxes = new Map(opened);

const best = LAYERS.find((layer) => boxes.get(layer));

describeLayers("a command in a box", { layers: LAYERS, best }, (layer) => {
  const box = boxes.get(layer) ?? null;
  const run = (argv: string[], limits: Partial<CommandLimits> = {}, more: Partial<Command> = {}) => {
    if (!box) throw new Error("unreachable");
    return box.run({ start: () => ({ argv }), limits, ...more });
  };
  const python = (code: string, limits: Partial<CommandLimits> = {}) => run([PYTHON, "-S", "-c", code], limits);
  const testHere = test.skipIf(!box);
  /** For what costs seconds and is the same under all layers. */
  const testOnce = test.skipIf(!box || (layer !== "plain" && !isSlow));

  testHere("its output and its exit code come back, its input and its variables go in", async () => {
    const result = await box?.run({
      start: (at) => ({
        argv: ["sh", "-c", 'cat; echo "$A" >&2; env | cut -d= -f1 | sort | tr "\\n" " "; exit 3'],
        environment: { A: "b" },
        cwd: at("/tmp"),
      }),
      stdin: "hello\n",
    });
    expect(result).toMatchObject({
      ending: "exited",
      exitCode: 3,
      stdout: `hello\n${["A", "LANG", "PATH", "PWD", ...Object.keys(machineEnvironment(""))].sort().join(" ")} `,
      stderr: "b\n",
      layer,
    });
  });

  testHere.each<[string, string[], Partial<CommandLimits>, object]>([
    ["processor time", ["sh", "-c", "while :; do :; done"], { cpuSeconds: 1 }, { ending: "cpu" }],
    ["waiting", ["sleep", "1000"], { idleSeconds: 1 }, { ending: "blocked" }],
    ["output", ["yes"], { outputBytes: 5000 }, { ending: "output", exitCode: null }],
    ["a signal", ["sh", "-c", "kill -SEGV $$"], {}, { ending: "signal", explanation: "it was ended by SIGSEGV" }],
    [
      "no such command",
      ["no-such-command"],
      {},
      { ending: "not_started", explanation: expect.stringContaining("No such file") },
    ],
  ])("the end is reported: %s", async (_, argv, limits, expected) => {
    expect(await run(argv, limits)).toMatchObject(expected);
  });

  testOnce("the processor time of children counts, too", async () => {
    const argv = ["sh", "-c", "for i in 1 2 3; do (while :; do :; done)& done; wait"];
    expect(await run(argv, { cpuSeconds: 2 })).toMatchObject({ ending: "cpu" });
  });

  testOnce(
    "the kernel's own limit is one of processor time, also where the watcher looks too late to see it spent",
    async () => {
      const loop = "while :; do :; done # late";
      const running = run(["sh", "-c", loop], { cpuSeconds: 1 });
      const program = await until(
        () => descendants(process.pid).find(({ command }) => command.startsWith(`sh -c ${loop}`)),
        "the program runs",
      );
      process.kill(program.parent, "SIGSTOP");
      await until(
        () => processes().some(({ pid, state }) => pid === program.pid && state === "Z"),
        "the kernel ends it",
      );
      process.kill(program.parent, "SIGCONT");
      expect(await running).toMatchObject({ ending: "cpu" });
    },
  );

  testHere("memory is bounded for each process and for all together", DEEP, async () => {
    expect(await python("x = bytearray(b'1') * (3 << 30)", { memoryMb: 500 })).toMatchObject({ ending: "memory" });
    const endless = await python("x = bytearray(1 << 42)", { memoryMb: 500 });
    expect(endless).toMatchObject({ ending: "exited", exitCode: 1, stderr: expect.stringContaining("MemoryError") });
    const many =
      "import os, time\nfor _ in range(4):\n    if os.fork() == 0:\n        x = bytearray(b'1') * (200 << 20); time.sleep(60)\ntime.sleep(60)";
    expect(await python(many, { memoryMb: 500 })).toMatchObject({ ending: "memory" });
  });

  testHere("what it writes is bounded", async () => {
    const work = mkdtempSync(join(folder, "disk-"));
    const code =
      "import time\nfor i in range(100):\n    with open('f%d' % i, 'wb') as f: f.write(b'1' * (10 << 20))\n    time.sleep(0.1)";
    const result = await box?.run({
      mounts: [{ kind: "write", inside: "/work", outside: work }],
      start: (at) => ({ argv: [PYTHON, "-S", "-c", code], cwd: at("/work") }),
      limits: { diskMb: 50 },
    });
    expect(result).toMatchObject({ ending: "disk" });
  });

  test.skipIf(!box || layer === "plain").each([
    ["memory files", "os.write(f, block); kept.append(f)"],
    ["memory files that are mapped alone", "os.write(f, block); kept.append(mmap.mmap(f, 4096)); os.close(f)"],
    [
      "files that lie in a socket",
      "os.write(f, block); a.sendmsg([b'x'], [(1, 1, array.array('i', [f]))]); os.close(f)",
    ],
  ])("what has no name is bounded, too: %s", DEEP, async (what, keep) => {
    if (layer === "landlock" && what.includes("socket")) return;
    const start = layer === "bwrap" ? "a, b = socket.socketpair()" : "";
    const code = `import array, mmap, os, socket, time\n${start}\nblock, kept = b'1' * (1 << 20), []\nfor i in range(200):\n    f = os.memfd_create('x'); ${keep}; time.sleep(0.02)`;
    expect(await python(code, { diskMb: 50 })).toMatchObject({ ending: "disk" });
  });

  test.skipIf(!box || layer === "plain")("no device is made, no other netlink than that of interfaces", async () => {
    const refused = (call: string) => `try: ${call}; print("done")\nexcept OSError as e: print(e.errno)`;
    const code = [
      "import os, socket, stat",
      refused("os.mknod('d', stat.S_IFCHR | 0o600, os.makedev(1, 3))"),
      refused("os.mknod('d', stat.S_IFBLK | 0o600, os.makedev(8, 0))"),
      refused("socket.socket(16, socket.SOCK_RAW, 15)"),
      refused("os.setpriority(os.PRIO_USER, 0, 5)"),
      refused("os.memfd_create('x', 4)"),
    ].join("\n");
    expect((await python(code)).stdout).toBe("1\n".repeat(5));
  });

  testHere("processes are bounded", async () => {
    const code =
      "import os, time\nn = 0\nfor _ in range(500):\n    try:\n        if os.fork() == 0: time.sleep(1); os._exit(0)\n        n += 1\n    except OSError: pass\nprint(n)";
    const { stdout } = await python(code, { processes: 30 });
    expect(Number(stdout)).toBeGreaterThan(5);
    expect(Number(stdout)).toBeLessThan(60);
  });

  testHere("what it leaves running is ended with it", async () => {
    const late = join(folder, `late-${layer}`);
    mkdirSync(late);
    const result = await box?.run({
      mounts: [{ kind: "write", inside: "/work", outside: late }],
      start: (at) => ({
        argv: [
          "sh",
          "-c",
          "(setsid sh -c 'while :; do sleep 0.1; echo x >> late; done' >&- 2>&- &) ; sleep 0.5; echo done",
        ],
        cwd: at("/work"),
      }),
    });
    expect(result).toMatchObject({ ending: "exited", stdout: "done\n" });
    const size = readFileSync(join(late, "late"), "utf8").length;
    await new Promise((done) => setTimeout(done, 500));
    expect(readFileSync(join(late, "late"), "utf8")).toHaveLength(size);
  });

  testHere("folders are there to read, to write, or as a copy whose changes are dropped", async () => {
    const [read, write, copy] = ["read", "write", "copy"].map((kind) => {
      const path = join(folder, `${kind}-${layer}`);
      mkdirSync(path);
      writeFileSync(join(path, "a"), kind);
      return path;
    });
    if (!read || !write || !copy) throw new Error("unreachable");
    const result = await box?.run({
      mounts: [
        { kind: "read", inside: "/r", outside: read },
        { kind: "write", inside: "/w", outside: write },
        { kind: "copy", inside: "/c", outside: copy },
        { kind: "scratch", inside: "/s" },
      ],
      start: (at) => ({
        argv: [
          "sh",
          "-c",
          `cat ${at("/r/a")} ${at("/w/a")} ${at("/c/a")}; for f in ${["/r", "/w", "/c", "/s"].map(at).join(" ")}; do echo new > $f/a; done`,
        ],
      }),
    });
    expect(result?.stdout).toBe("readwritecopy");
    // The plain layer does not restrict writing.
    if (layer !== "plain" || process.getuid?.() === 0) expect(readFileSync(join(read, "a"), "utf8")).toBe("read");
    expect(readFileSync(join(write, "a"), "utf8")).toBe("new\n");
    expect(readFileSync(join(copy, "a"), "utf8")).toBe("copy");
  });

  test.skipIf(!box || process.getuid?.() !== 0)(
    "as root: what is given to read is read, also what others may not read, and what lies where they may not go",
    async () => {
      const home = join(folder, `locked-${layer}`);
      mkdirSync(join(home, "runners"), { recursive: true });
      writeFileSync(join(home, "one.txt"), "one");
      writeFileSync(join(home, "runners", "two.txt"), "two", { mode: 0o600 });
      chmodSync(home, 0o700);
      const result = await box?.run({
        mounts: [
          { kind: "read", inside: "/one.txt", outside: join(home, "one.txt") },
          { kind: "read", inside: "/runners", outside: join(home, "runners") },
        ],
        start: (at) => ({
          argv: ["sh", "-c", `cat ${at("/one.txt")} ${at("/runners/two.txt")}; echo new > ${at("/runners/two.txt")}`],
        }),
      });
      expect(result).toMatchObject({ stdout: "onetwo" });
      expect(readFileSync(join(home, "runners", "two.txt"), "utf8")).toBe("two");
    },
  );

  testHere("an abort ends it and all it started", async () => {
    const mark = join(folder, `aborted-${layer}`);
    mkdirSync(mark);
    const stop = new AbortController();
    const running = box?.run({
      mounts: [{ kind: "write", inside: "/work", outside: mark }],
      start: (at) => ({ argv: ["sh", "-c", "echo a > begun; sleep 1000"], cwd: at("/work") }),
      signal: stop.signal,
    });
    await Promise.race([until(() => existsSync(join(mark, "begun")), "it begins"), running]);
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  test.skipIf(!box || layer !== "bwrap")("the network is a loopback of its own", async () => {
    const code =
      "import socket\ns = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()\nsocket.create_connection(s.getsockname()); print('loop')\ntry: socket.create_connection(('1.1.1.1', 53), 2)\nexcept OSError as e: print(e)";
    expect(await python(code)).toMatchObject({ stdout: "loop\n[Errno 101] Network is unreachable\n" });
  });
});
