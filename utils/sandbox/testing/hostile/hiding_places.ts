/** Attacks on the disk limit that keep deleted files where mend may not look: in the kernel, in other processes. */

export interface DiskAttack {
  name: string;
  /** Statements that keep `wanted` files of 16 MB, or as much as they can get. */
  code: string;
  /** It starts processes, which no program that is judged may. */
  starts?: true;
  /** Stopped by seccomp alone. */
  plainCannotStop?: true;
}

export const hidingPlaces: DiskAttack[] = [
  {
    name: "deleted files, kept by unreceived messages",
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
if os.fork():
    while True: os.wait()
for _ in range(wanted): lost()
while True:
    if os.fork(): os._exit(0)`,
  },
  {
    name: "deleted files, kept by unreadable programs",
    starts: true,
    code: `
import shutil
shutil.copyfile("/bin/sleep", "copy")
fd = os.open("program", os.O_WRONLY | os.O_CREAT, 0o111)
os.write(fd, open("copy", "rb").read())
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
