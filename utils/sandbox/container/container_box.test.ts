import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { makeImage, podmanForTests } from "../../testing/container_image.ts";
import { until } from "../../testing/processes.ts";
import { CI, DEEP } from "../../testing/repeats.ts";
import type { Command, CommandLimits } from "../command/command_box.ts";
import { copyFromImage, openContainerBox } from "./container_box.ts";
import { demand, sweep } from "./engine.ts";

const engine = await podmanForTests("ci");
const FILES = {
  "testbed/a.py": "one = 1\n",
  "testbed/.git/config": "[core]\n",
  "opt/miniconda3/bin/activate": 'export CONDA="$1" PATH="/opt/own/bin:$PATH"\n',
  "opt/own/bin/python": "#!/bin/sh\necho own\n",
};
const image = engine && (await makeImage(engine, FILES));
afterAll(() => image?.[Symbol.asyncDispose]());
const box = engine && image && (await openContainerBox({ engine, name: image.name, root: "/testbed" }));

test.skipIf(!engine)(
  "what tools have downloaded into the home of an image's own user is found there",
  DEEP,
  async () => {
    if (!engine) throw new Error("unreachable");
    const more = (root: string) => chmodSync(join(root, "root"), 0o700);
    await using made = await makeImage(engine, { "root/.m2/kept": "kept" }, { more });
    const home = await openContainerBox({ engine, name: made.name, root: "/testbed" });
    expect(home.warnings).toEqual([expect.stringContaining("run as its own user")]);
    const start = () => ({ argv: ["sh", "-c", 'cat "$HOME/.m2/kept"; touch /root/.m2/more || echo " for reading"'] });
    expect(await home.run({ start })).toMatchObject({ stdout: "kept for reading\n" });
  },
);

describe.skipIf(!box)("a command in a container", () => {
  const run = (argv: string[], limits: Partial<CommandLimits> = {}, more: Partial<Command> = {}) => {
    if (!box) throw new Error("unreachable");
    return box.run({ start: () => ({ argv }), limits, ...more });
  };
  const left = async () =>
    engine && image
      ? await demand(engine, ["ps", "--all", "--filter", `ancestor=${image.name}`, "--format", "{{.Names}}"])
      : "";

  test("its output and its exit code come back, its input and its environment go in", CI, async () => {
    const result = await box?.run({
      start: (at) => ({
        argv: ["sh", "-c", 'cat; echo "$A $CONDA" >&2; python; exit 3'],
        environment: { A: "b" },
        cwd: at("/tmp"),
      }),
      stdin: "hello\n",
    });
    expect(result).toMatchObject({ ending: "exited", exitCode: 3, stdout: "hello\nown\n", stderr: "b testbed\n" });
  });

  test.each<[string, string[], Partial<CommandLimits>, object]>([
    ["processor time", ["sh", "-c", "while :; do :; done"], { cpuSeconds: 1 }, { ending: "cpu" }],
    ["memory", ["python3", "-c", "x = bytearray(b'1') * (300 << 20)"], { memoryMb: 100 }, { ending: "memory" }],
    ["output", ["sh", "-c", "while :; do echo y; done"], { outputBytes: 5000 }, { ending: "output", exitCode: null }],
    ["no such command", ["no-such-command"], {}, { ending: "not_started" }],
    ["a command that is not there for its shell", ["sh", "-c", "no-such"], {}, { ending: "exited", exitCode: 127 }],
    ["the code of engines", ["sh", "-c", "exit 125"], {}, { ending: "exited", exitCode: 125 }],
  ])("the end is reported: %s", DEEP, async (_, argv, limits, expected) => {
    expect(await run(argv, limits)).toMatchObject(expected);
    expect(await left()).not.toContain("mend-");
  });

  test("it is no root, without capabilities and network, and its system is read-only", CI, async () => {
    const code = [
      "import os, socket",
      "print(os.getuid() == 0, [l.split()[1] for l in open('/proc/self/status') if l[:6] in ('CapEff', 'CapBnd', 'NoNewP')])",
      "for what in (lambda: socket.create_connection(('1.1.1.1', 53), 2), lambda: open('/etc/x', 'w'), lambda: open('/testbed/x', 'w')):",
      "    try: what(); print('done')",
      "    except OSError as e: print(e.errno)",
    ].join("\n");
    const { stdout } = await run(["python3", "-c", code]);
    expect(stdout).toBe("False ['0000000000000000', '0000000000000000', '1']\n101\n30\n30\n");
  });

  test("processes and what is written are bounded", DEEP, async () => {
    const forks =
      "import os, time\nn = 0\nfor _ in range(200):\n    try:\n        if os.fork() == 0: time.sleep(3); os._exit(0)\n        n += 1\n    except OSError: pass\nprint(n)";
    expect(Number((await run(["python3", "-c", forks], { processes: 30 })).stdout)).toBeLessThan(30);
    using folder = temporaryFolder();
    const writes =
      "import time\nfor i in range(100):\n    with open('/work/f%d' % i, 'wb') as f: f.write(b'1' * (5 << 20))\n    time.sleep(0.2)";
    const result = await run(
      ["python3", "-c", writes],
      { diskMb: 20 },
      { mounts: [{ kind: "write", inside: "/work", outside: folder.path }] },
    );
    expect(result).toMatchObject({ ending: "disk" });
  });

  test("folders are there to read, to write, or as a copy whose changes are dropped", CI, async () => {
    using folder = temporaryFolder();
    const [read, write, copy] = ["read", "write", "copy"].map((kind) => {
      mkdirSync(join(folder.path, kind));
      writeFileSync(join(folder.path, kind, "a"), kind);
      return join(folder.path, kind);
    });
    if (!read || !write || !copy) throw new Error("unreachable");
    const script = "cat /r/a /w/a /c/a; for f in /r /w /c; do echo new > $f/a; done";
    const mounts: Command["mounts"] = [
      { kind: "read", inside: "/r", outside: read },
      { kind: "write", inside: "/w", outside: write },
      { kind: "copy", inside: "/c", outside: copy },
    ];
    expect((await run(["sh", "-c", script], {}, { mounts })).stdout).toBe("readwritecopy");
    expect([read, write, copy].map((path) => readFileSync(join(path, "a"), "utf8"))).toEqual(["read", "new\n", "copy"]);
  });

  test("an abort ends the container and all in it", DEEP, async () => {
    using folder = temporaryFolder();
    const stop = new AbortController();
    const mounts: Command["mounts"] = [{ kind: "write", inside: "/work", outside: folder.path }];
    const running = run(
      ["sh", "-c", "touch /work/begun; trap '' TERM; sleep 1000"],
      {},
      { mounts, signal: stop.signal },
    );
    await Promise.race([until(() => existsSync(join(folder.path, "begun")), "it begins"), running]);
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    expect(await left()).not.toContain("mend-");
  });

  test.each([100, 200, 300])("nor does an abort leave one that is not up yet: after %i ms", DEEP, async (delayMs) => {
    const stop = new AbortController();
    const running = run(["sleep", "1000"], {}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), delayMs);
    await expect(running).rejects.toThrow("enough");
    expect(await left()).not.toContain("mend-");
  });

  test.each([250, 400, 600])("nor the end of a process that copies a project: after %i ms", DEEP, async (delayMs) => {
    if (!engine || !image) throw new Error("unreachable");
    using folder = temporaryFolder();
    const place = { engine, name: image.name, root: "/usr" };
    const program = `
      import { copyFromImage } from ${JSON.stringify(new URL("./container_box.ts", import.meta.url).href)};
      setTimeout(() => process.exit(), ${delayMs});
      await copyFromImage(${JSON.stringify(place)}, ${JSON.stringify(folder.path)});`;
    const mend = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
      stdio: "inherit",
    });
    await new Promise((done) => mend.once("close", done));
    expect(await left()).not.toContain("mend-");
  });

  test("what a killed process leaves behind is removed by the next one", DEEP, async () => {
    if (!engine || !image) throw new Error("unreachable");
    const program = `
      import { openContainerBox } from ${JSON.stringify(new URL("./container_box.ts", import.meta.url).href)};
      const engine = ${JSON.stringify(engine)};
      const box = await openContainerBox({ engine, name: ${JSON.stringify(image.name)}, root: "/testbed" });
      await box.run({ start: () => ({ argv: ["sleep", "1000"] }) });`;
    const mend = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
      stdio: "inherit",
    });
    const names = async () => (await left()).split("\n").filter((name) => name.startsWith(`mend-${mend.pid}-`));
    const running = async () =>
      (await demand(engine, ["ps", "--no-trunc", "--format", "{{.Names}} {{.Command}}"])).split("\n");
    while (!(await running()).some((line) => line.startsWith(`mend-${mend.pid}-`) && line.includes("sleep 1000")))
      expect(mend.exitCode).toBeNull();
    mend.kill("SIGKILL");
    await new Promise((done) => mend.once("close", done));
    expect(await names()).toHaveLength(1);
    await sweep(engine);
    expect(await names()).toEqual([]);
  });

  test("the project comes out of the image without its history", DEEP, async () => {
    if (!engine || !image) throw new Error("unreachable");
    using folder = temporaryFolder();
    await copyFromImage({ engine, name: image.name, root: "/testbed" }, folder.path);
    expect(readFileSync(join(folder.path, "a.py"), "utf8")).toBe("one = 1\n");
    expect(existsSync(join(folder.path, ".git"))).toBe(false);
    using other = temporaryFolder();
    const copied = copyFromImage({ engine, name: image.name, root: "/opt" }, other.path, 2000);
    await expect(copied, "what a project may hold has an end").rejects.toThrow(/^\/opt of .* is larger than/);
  });
});
