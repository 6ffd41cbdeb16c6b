/**
 * Programs that try to hold more of the disk than they may, where the supervisor does not see it. Each prints `kept N`
 * and ends where its means were refused, or keeps what it has for ever.
 */

export interface DiskAttack {
  name: string;
  /** Statements that keep `wanted` files of 16 MB, or as much as they can get. */
  code: string;
  /** It starts processes, which no program that is judged may. */
  starts?: true;
  /** Stopped by seccomp alone. */
  plainCannotStop?: true;
}

const PRELUDE = `
import ctypes, ctypes.util, mmap, os, socket, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.argtypes = [ctypes.c_long] * 7
FILE, wanted, kept, things = 1 << 24, 8, 0, []
arm = os.uname().machine == "aarch64"
def fill(fd, size=FILE):
    for _ in range(size >> 20): os.write(fd, b"x" * (1 << 20))
def lost(name="lost"):
    fd = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(name)
    fill(fd)
    return fd
def wait():
    while True: time.sleep(100)
`;

/** The whole program, to be run; with `inCall` it does its work in a call of \`f\` and is to be judged. */
export function attackProgram({ code }: DiskAttack, inCall = false): string {
  const body = code.trim().replaceAll("\n", "\n    ");
  const end = inCall ? "return kept" : 'print("kept", kept)';
  return `${PRELUDE}
def f(x):
    global kept
    try:
        ${body.replaceAll("\n", "\n    ")}
    except (OSError, ValueError, RuntimeError) as problem: print(repr(problem), flush=True)
    if kept * FILE > 1 << 26: wait()
    ${end}
${inCall ? "" : "f(1)\n"}`;
}

export const DISK_ATTACKS: DiskAttack[] = [
  {
    name: "files without a name",
    code: `
for _ in range(wanted):
    fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
    fill(fd)
    kept += 1`,
  },
  {
    name: "files without a name, by a newer call",
    code: `
how = (ctypes.c_uint64 * 3)(os.O_TMPFILE | os.O_RDWR, 0o600, 0)
name = ctypes.create_string_buffer(b".")
for _ in range(wanted):
    fd = libc.syscall(437, -100, ctypes.addressof(name), ctypes.addressof(how), 24, 0, 0)
    if fd < 0: raise OSError(ctypes.get_errno(), "openat2")
    fill(fd)
    kept += 1`,
  },
  {
    name: "deleted files, kept by descriptors",
    code: `
for _ in range(wanted):
    lost()
    kept += 1`,
  },
  {
    name: "deleted files, kept by mappings",
    code: `
for _ in range(wanted):
    fd = lost()
    things.append(mmap.mmap(fd, 4096))
    os.close(fd)
    kept += 1`,
  },
  {
    name: "holes of deleted files, filled by mappings",
    code: `
for _ in range(wanted):
    fd = os.open("lost", os.O_RDWR | os.O_CREAT)
    os.unlink("lost")
    os.ftruncate(fd, FILE)
    area = mmap.mmap(fd, FILE)
    os.close(fd)
    for place in range(0, FILE, 4096): area[place] = 1
    things.append(area)
    kept += 1`,
  },
  {
    name: "space taken at once, beyond a file's end",
    code: `
for _ in range(wanted):
    fd = os.open("lost", os.O_RDWR | os.O_CREAT)
    os.unlink("lost")
    if libc.syscall(47 if arm else 285, fd, 1, 0, 1 << 28, 0, 0): raise OSError(ctypes.get_errno(), "fallocate")
    kept += 16`,
  },
  {
    name: "space taken at once",
    code: `
for number in range(wanted):
    fd = os.open("file%d" % number, os.O_RDWR | os.O_CREAT)
    os.posix_fallocate(fd, 0, FILE)
    os.close(fd)
    kept += 1`,
  },
  {
    name: "files deep below",
    code: `
for _ in range(30):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
for number in range(wanted):
    fd = os.open("file%d" % number, os.O_WRONLY | os.O_CREAT)
    fill(fd)
    os.close(fd)
    kept += 1`,
  },
  {
    name: "deleted files deep below",
    code: `
for _ in range(30):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
for number in range(wanted):
    lost()
    kept += 1`,
  },
  {
    name: "files in a folder that cannot be listed",
    code: `
os.mkdir("locked", 0o300)
for number in range(wanted):
    fd = os.open("locked/file%d" % number, os.O_WRONLY | os.O_CREAT)
    fill(fd)
    os.close(fd)
    kept += 1`,
  },
  {
    name: "files in a folder that is locked when they are there",
    code: `
os.mkdir("locked")
for number in range(wanted):
    fd = os.open("locked/file%d" % number, os.O_WRONLY | os.O_CREAT)
    fill(fd)
    os.close(fd)
    kept += 1
    os.chmod("locked", 0o300)`,
  },
  {
    name: "many small files",
    code: `
for number in range(wanted << 8):
    with open("file%d" % number, "w") as file: file.write("x" * 65536)
kept = wanted`,
  },
  {
    name: "deleted files that have another name, which is deleted later",
    code: `
for number in range(wanted):
    fd = os.open("first", os.O_RDWR | os.O_CREAT)
    os.link("first", "second")
    os.unlink("first")
    fill(fd)
    os.unlink("second")
    kept += 1`,
  },
  {
    name: "deleted files, kept by a process that cannot be looked at",
    code: `
libc.prctl(4, 0, 0, 0, 0)
for _ in range(wanted):
    lost()
    kept += 1`,
  },
  {
    name: "deleted files, kept by a process whose first thread has ended",
    code: `
def keep():
    for _ in range(wanted): lost()
    wait()
threading.Thread(target=keep).start()
kept = wanted
libc.pthread_exit(None)`,
  },
  {
    name: "deleted files, kept by a process with countless threads",
    code: `
threading.stack_size(32768)
for _ in range(wanted):
    lost()
    kept += 1
for _ in range(3000): threading.Thread(target=wait, daemon=True).start()`,
  },
  {
    name: "deleted files, kept by a process with countless mappings",
    code: `
for _ in range(wanted):
    lost()
    kept += 1
for number in range(60000): things.append(mmap.mmap(-1, 4096, prot=1 + number % 2, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))`,
  },
  {
    name: "deleted files, kept by messages that nobody receives",
    plainCannotStop: true,
    code: `
ours, theirs = socket.socketpair()
for _ in range(wanted):
    fd = lost()
    socket.send_fds(ours, [b"x"], [fd])
    os.close(fd)
    kept += 1`,
  },
  {
    name: "deleted files, kept by rules of Landlock",
    plainCannotStop: true,
    code: `
class Rule(ctypes.Structure): _pack_, _fields_ = 1, [("access", ctypes.c_uint64), ("fd", ctypes.c_int32)]
access = ctypes.c_uint64(4)
rules = libc.syscall(444, ctypes.addressof(access), 8, 0, 0, 0, 0)
if rules < 0: raise OSError(ctypes.get_errno(), "landlock")
for _ in range(wanted):
    fd = lost()
    rule = Rule(4, fd)
    if libc.syscall(445, rules, 1, ctypes.addressof(rule), 0, 0, 0): raise OSError(ctypes.get_errno(), "landlock")
    os.close(fd)
    kept += 1`,
  },
  {
    name: "deleted files, kept by threads that wait for a full pipe",
    plainCannotStop: true,
    code: `
reading, writing = os.pipe()
os.set_blocking(writing, False)
try:
    while True: os.write(writing, b"x" * 4096)
except BlockingIOError: pass
os.set_blocking(writing, True)
failed = []
def send(fd):
    try: os.sendfile(writing, fd, 0, 4096)
    except OSError as problem: failed.append(problem)
for _ in range(10):
    fd = lost()
    threading.Thread(target=send, args=[fd], daemon=True).start()
    time.sleep(0.05)
    os.close(fd)
    if failed: raise failed[0]
    kept += 1`,
  },
  {
    name: "deleted files, kept by threads with descriptors of their own",
    plainCannotStop: true,
    code: `
answers = []
def keep():
    answers.append(libc.syscall(436, 1000, 1001, 2, 0, 0, 0))
    if answers[-1] == 0:
        for _ in range(2): lost("lost%d" % threading.get_ident())
    answers.append(0)
    wait()
for _ in range(10): threading.Thread(target=keep, daemon=True).start()
while answers.count(0) < 10: time.sleep(0.01)
if -1 not in answers: kept = 20`,
  },
  {
    name: "deleted files, kept by children",
    starts: true,
    code: `
for _ in range(6):
    if os.fork() == 0:
        for _ in range(2): lost("lost%d" % os.getpid())
        wait()
kept = 12
wait()`,
  },
  {
    name: "deleted files, kept by orphans of another session",
    starts: true,
    code: `
for _ in range(6):
    if os.fork() == 0:
        os.setsid()
        if os.fork(): os._exit(0)
        for _ in range(2): lost("lost%d" % os.getpid())
        wait()
kept = 12
wait()`,
  },
  {
    name: "deleted files, handed on from process to process",
    starts: true,
    code: `
if os.fork(): wait()
for _ in range(wanted): lost()
while True:
    if os.fork(): os._exit(0)`,
  },
  {
    name: "deleted files, kept by programs that nobody may read",
    starts: true,
    code: `
import shutil
shutil.copyfile("/bin/sleep", "nobody")
fd = os.open("program", os.O_WRONLY | os.O_CREAT, 0o111)
os.write(fd, open("nobody", "rb").read())
os.close(fd)
for _ in range(wanted): os.set_inheritable(lost(), True)
kept = wanted
os.execv("program", ["program", "1000"])`,
  },
  {
    name: "deleted files, kept by being run",
    starts: true,
    code: `
program = open("/bin/sleep", "rb").read()
for number in range(8):
    fd = os.open("program%d" % number, os.O_WRONLY | os.O_CREAT, 0o755)
    os.write(fd, program)
    fill(fd, 15 << 20)
    os.close(fd)
    if os.fork() == 0: os.execv("program%d" % number, ["program", "1000"])
    time.sleep(0.02)
    os.unlink("program%d" % number)
kept = 8`,
  },
];
