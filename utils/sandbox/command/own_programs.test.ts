import { expect, test } from "vitest";
import { openForTests } from "../testing/open.ts";
import type { AgentSandbox, RunJob } from "../types.ts";
import { sandboxWhenNeeded } from "./own_programs.ts";

const sandbox = await openForTests();
const testInBoxes = test.skipIf(sandbox.info.layer !== "bwrap");

/** One that counts how often the servers are asked for. */
function counted(): { box: AgentSandbox; opened: () => number } {
  let opened = 0;
  const box = sandboxWhenNeeded(sandbox.info.layer, async () => {
    opened += 1;
    return sandbox;
  });
  return { box, opened: () => opened };
}

const job = (code: string, more: Partial<RunJob> = {}): RunJob => ({ code, timeoutMs: 10_000, isOurs: true, ...more });

/** What a program finds, and what becomes of what it may not do. */
const LOOK = `
import builtins, ctypes, os, resource, socket, sys
def tried(what):
    try:
        return repr(what())
    except BaseException as error:
        return type(error).__name__ + " " + str(getattr(error, "errno", ""))
def forked():
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
disk = os.statvfs("/tmp")
libc = ctypes.CDLL(None, use_errno=True)
def called(name, *arguments):
    ctypes.set_errno(0)
    result = getattr(libc, name)(*arguments)
    return result, ctypes.get_errno()
print("names", sorted(globals()), __name__, sys.argv, sys.path, sys.flags)
print("builtins", [name for name in ("exit", "quit", "help", "copyright") if hasattr(builtins, name)])
print("environment", sorted(os.environ.items()), os.getcwd(), os.uname().nodename, sys.stdin.read())
print("limits", [(name, resource.getrlimit(getattr(resource, name))) for name in dir(resource) if "RLIMIT" in name])
print("disk", disk.f_blocks * disk.f_frsize, disk.f_files, os.listdir("/tmp"))
print("shown", [sorted(os.listdir(path)) for path in ("/dev", "/usr", "/usr/share")], tried(lambda: os.listdir("/root")))
print("processes", os.path.exists("/proc/self"), os.path.exists("/etc/passwd"))
for path in ("/here", "/dev/shm/here", "/usr/here", "/var/tmp/here", "/run/here"):
    print("write", path, tried(lambda: open(path, "w")))
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16):
    print("socket", family, tried(lambda: socket.socket(family).close()))
print("root", os.getuid() == 0, os.getgroups(), tried(lambda: os.setuid(0)), tried(forked))
print("calls", called("unshare", 0x20000), called("unshare", 0x10000000), called("mount", b"a", b"/tmp", b"tmpfs", 0, None))
print("calls", called("prctl", 39, 0, 0, 0, 0), called("prctl", 21, 0, 0, 0, 0), called("ptrace", 0, 0, 0, 0))
print("hash", hash("a"))
def deep(calls):
    try:
        return deep(calls + 1)
    except RecursionError:
        return calls
print("calls until recursion ends", deep(0))
`;

testInBoxes(
  "a program of ours finds in a box of its own what a job of a sandbox finds, and may do no more",
  async () => {
    const { box, opened } = counted();
    const [here, there] = [await box.run(job(LOOK)), await sandbox.run(job(LOOK))];
    expect(here.stderr).toBe("");
    expect(here.stdout.split("\n")).toEqual(there.stdout.split("\n"));
    expect(here).toMatchObject({ status: "exited", exitCode: 0, explanation: "", truncated: false });
    expect(opened()).toBe(0);
  },
);

testInBoxes("it is held by the same limits", async () => {
  const { box, opened } = counted();
  const endless = await box.run(job("while True: pass", { timeoutMs: 300 }));
  expect(endless).toMatchObject({ status: "timeout", exitCode: null });
  const large = await box.run(job("try: bytearray(2 << 30)\nexcept MemoryError: print('no')"));
  expect(large).toMatchObject({ status: "exited", stdout: "no\n" });
  const loud = await box.run(job("while True: print('x' * 10000)"));
  expect(loud.status).toBe("output_limit");
  const full = await box.run(job("import os\nfor i in range(9): open(f'/tmp/{i}', 'wb').write(bytes(15 << 20))"));
  expect(full).toMatchObject({ status: "exited", exitCode: 1 });
  expect(full.stderr).toContain("No space left");
  const stopped = box.run(job("while True: pass", { signal: AbortSignal.timeout(300) }));
  await expect(stopped).rejects.toThrow(/timeout/i);
  expect(opened()).toBe(0);
});

test("a program of a model's, another language and a judgement go to the servers, which start once", async () => {
  const { box, opened } = counted();
  const code = "print(input())";
  expect((await box.run({ code, stdin: "a", timeoutMs: 10_000, isOurs: true })).stdout).toBe("a\n");
  expect((await box.run({ code: "print(1)", timeoutMs: 10_000 })).stdout).toBe("1\n");
  expect((await box.run(job("console.log(2)", { language: "javascript" }))).stdout).toBe("2\n");
  expect(opened()).toBe(1);
});
