/** Attacks of editors: agents that get a folder to work in, and may start processes. */

import type { Attack } from "./attacks.ts";

/** Python that calls the kernel by number, x86-64 and aarch64, and prints what it says. */
const CALL = `import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
ARM = os.uname().machine == 'aarch64'
def call(name, x86, arm, *args):
    if ARM and arm is None: return
    result = libc.syscall(arm if ARM else x86, *args)
    print(('WON ' if result >= 0 else 'no ') + name, result, ctypes.get_errno())
`;

const kernel = (name: string, calls: string): Attack => ({
  name,
  isEditor: true,
  code: `await attempt(${JSON.stringify(name)}, () => { const lines = python(${JSON.stringify(CALL + calls)}).split("\\n"); return lines.find((line) => line.startsWith("WON")); });`,
});

const folder = (name: string, code: string): Attack => ({ name: `a work folder with ${name}`, isEditor: true, code });

export const EDITOR_ATTACKS: readonly Attack[] = [
  kernel(
    "tracing and reading other processes",
    `buffer = ctypes.create_string_buffer(64)
vector = (ctypes.c_uint64 * 2)(ctypes.addressof(buffer), 64)
for pid in (1, os.getppid()):
    call('ptrace attach', 101, 117, 16, pid, 0, 0)
    call('ptrace seize', 101, 117, 0x4206, pid, 0, 0)
    call('process_vm_readv', 310, 270, pid, vector, 1, vector, 1, 0)
    call('process_vm_writev', 311, 271, pid, vector, 1, vector, 1, 0)
    call('pidfd_open', 434, 434, pid, 0)
    call('kcmp', 312, 272, pid, os.getpid(), 0, 0, 0)
`,
  ),
  kernel(
    "mounts and roots",
    `call('mount tmpfs', 165, 40, b'x', b'/tmp', b'tmpfs', 0, 0)
call('remount /', 165, 40, 0, b'/', 0, 32, 0)
call('remount /proc', 165, 40, 0, b'/proc', 0, 32 | 4096, 0)
call('umount /tmp', 166, 39, b'/tmp', 2)
call('umount /proc', 166, 39, b'/proc', 2)
call('pivot_root', 155, 41, b'/tmp', b'/tmp')
call('chroot', 161, 51, b'/tmp')
call('open_tree', 428, 428, -100, b'/', 1)
call('fsopen', 430, 430, b'tmpfs', 0)
call('mount_setattr', 442, 442, -100, b'/', 0, 0, 0)
`,
  ),
  kernel(
    "namespaces",
    `for flag in (0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x02000000):
    call('unshare %x' % flag, 272, 97, flag)
    call('setns %x' % flag, 308, 268, os.open('/proc/self/ns/mnt', 0), flag)
call('clone3', 435, 435, 0, 0)
def child(flag):
    result = libc.syscall(220 if ARM else 56, flag | 17, 0, 0, 0, 0)
    if result == 0: os._exit(0)
    print(('WON ' if result > 0 else 'no ') + 'clone %x' % flag)
for flag in (0x10000000, 0x00020000, 0x20000000, 0x40000000): child(flag)
`,
  ),
  kernel(
    "devices, modules, keys, the clock",
    `call('mknod', 259, 33, -100, b'/tmp/mem', 0o20666, 0x101)
call('init_module', 175, 105, 0, 0, b'')
call('bpf', 321, 280, 0, 0, 0)
call('io_uring_setup', 425, 425, 1, 0)
call('userfaultfd', 323, 282, 0)
call('perf_event_open', 298, 241, 0, 0, -1, -1, 0)
call('keyctl', 250, 219, 0, -3, 1)
call('add_key', 248, 217, b'user', b'a', b'b', 1, -3)
call('reboot', 169, 142, 0xfee1dead, 672274793, 0)
call('swapon', 167, 224, b'/tmp/a', 0)
call('settimeofday', 164, 170, 0, 0)
call('sethostname', 170, 161, b'cheat', 5)
call('kexec_load', 246, 104, 0, 0, 0, 0)
call('syslog', 103, 116, 3, 0, 0)
call('shmget', 29, 194, 0, 4096, 0o1777)
call('memfd_create', 319, 279, b'a', 0)
for family in (2, 10, 16, 17, 38, 40): call('socket %d' % family, 41, 198, family, 3 if family in (16, 17) else 1, 0)
`,
  ),
  kernel(
    "another user",
    `call('setuid 0', 105, 146, 0)
call('setresuid 0', 117, 147, 0, 0, 0)
call('setgid 0', 106, 144, 0)
call('setgroups', 116, 159, 1, (ctypes.c_uint32 * 1)(0))
call('capset', 126, 91, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[0xffffffff] * 6))
call('prlimit of 1', 302, 261, 1, 7, 0, 0)
import subprocess
for name in ('su', 'sudo', 'mount', 'newgrp', 'passwd', 'bwrap', 'unshare'):
    try: print('no ', name, subprocess.run([name, '--ro-bind', '/', '/', 'id', '-u'] if name == 'bwrap' else [name, '-r', 'id'], stdin=0, capture_output=True, timeout=5).returncode or 'WON')
    except Exception as e: print('no ', name, e)
`,
  ),
  {
    name: "a fork bomb",
    isEditor: true,
    code: `await attempt("more processes than there may be", () => { const out = python("import os, time\\nn = 0\\nfor _ in range(3000):\\n    try:\\n        if os.fork() == 0:\\n            time.sleep(2); os._exit(0)\\n        n += 1\\n    except OSError: pass\\nprint(n)"); return Number(out) > 64 ? out : undefined; });`,
  },
  {
    name: "memory of many processes",
    isEditor: true,
    code: `await attempt("4 GB in ten processes", () => python("import os, time\\nfor _ in range(10):\\n    if os.fork() == 0:\\n        x = bytearray(b'1') * (400 << 20); time.sleep(20); os._exit(0)\\ntime.sleep(15)\\nprint('had it')").trim() || undefined);`,
    dies: true,
  },
  {
    name: "a daemon that stays behind",
    isEditor: true,
    code: `spawn("python3", ["-S", "-c", "import os, time\\nif os.fork(): os._exit(0)\\nos.setsid()\\nif os.fork(): os._exit(0)\\nfor f in range(256):\\n    try: os.close(f)\\n    except OSError: pass\\nwhile True:\\n    time.sleep(0.2)\\n    open(" + JSON.stringify(job.workspace + "/late") + ", 'w').write('cheat')", "mend-daemon-mark"], { detached: true, stdio: "ignore" });
await new Promise((done) => setTimeout(done, 700));
await attempt("it is here", () => { told(fs.existsSync(job.workspace + "/late")); });`,
  },
  folder(
    "links to the host's files",
    `await attempt("links", () => { for (const name of ["a.txt", "b"]) { fs.rmSync(job.workspace + "/" + name, { force: true }); fs.symlinkSync(targets.secret, job.workspace + "/" + name); } fs.symlinkSync("/", job.workspace + "/root"); told(fs.existsSync(job.workspace + "/b")); });
await attempt("hard link", () => { fs.linkSync("/usr/bin/node", job.workspace + "/node"); return "linked"; });
await attempt("out of the folder", () => { fs.writeFileSync(job.workspace + "/../cheat", "cheat"); return "wrote"; });`,
  ),
  folder(
    "pipes and sockets",
    `await attempt("a pipe for a file", () => { fs.rmSync(job.workspace + "/a.txt"); spawnSync("mkfifo", [job.workspace + "/a.txt", job.workspace + "/p"]); told(fs.statSync(job.workspace + "/a.txt").isFIFO()); });
await attempt("a socket", () => new Promise((done) => net.createServer().listen(job.workspace + "/s", () => done())));`,
  ),
  folder(
    "huge and sparse files",
    `await attempt("1 TB", () => { fs.truncateSync(job.workspace + "/a.txt", 2 ** 40); return "1 TB"; });
await attempt("65 MB", () => { fs.writeFileSync(job.workspace + "/b", Buffer.alloc(65 * 2 ** 20)); return "65 MB"; });
await attempt("60 MB of nothing", () => { fs.truncateSync(job.workspace + "/a.txt", 60 * 2 ** 20); });`,
  ),
  {
    ...folder(
      "more files than a disk can bear",
      `await attempt("2 GB", async () => { for (let i = 0; i < 40; i += 1) { fs.writeFileSync(job.workspace + "/big" + i, Buffer.alloc(50 * 2 ** 20, 1)); await new Promise((done) => setTimeout(done, 200)); } return "2 GB"; });`,
    ),
    dies: true,
  },
  {
    // What is too deep to look into ends its writer, who may have answered before.
    dies: "maybe",
    ...folder(
      "folders too deep to name, locked ones, and names that are no text",
      `await attempt("odd folders", () => { python("import os\\nos.chdir(" + JSON.stringify(job.workspace) + ")\\nos.mkdir('locked'); open('locked/a', 'w').close(); os.chmod('locked', 0)\\nopen(b'\\\\xff\\\\xfe', 'w').close()\\nos.mkdir(b'\\\\xff'); open(b'\\\\xff/a', 'w').close()\\nfor _ in range(300):\\n    os.mkdir('d' * 200); os.chdir('d' * 200)"); });
fs.chmodSync(job.workspace, 0);`,
    ),
  },
];
