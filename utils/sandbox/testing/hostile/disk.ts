/**
 * Programs that try to hold more of the disk than they may, where the supervisor does not see it. Each prints `kept N`
 * and ends where its means were refused, or keeps what it has for ever.
 */

import { type DiskAttack, hidingPlaces } from "./hiding_places.ts";

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
  ...hidingPlaces,
];
