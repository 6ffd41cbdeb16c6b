/** For tests: what hostile code tries to reach of this machine, in a row's tests and in the build of a project. */

/** What hostile code tries, as an expression of Python that is true if it gets there. */
export const TRIED: Record<string, string> = {
  "a file of the user": 'text("FOLDER/user/secret")',
  "the same through a link of the repository": 'text("linked/secret")',
  "the same through another process": 'any(os.path.exists("/proc/%s/rootFOLDER/user/secret" % p) for p in processes())',
  "a folder that everybody may write to": 'open("FOLDER/open/written", "w")',
  "a server of this machine": 'socket.create_connection(("127.0.0.1", PORT), 2)',
  "a server elsewhere": 'socket.create_connection(("192.0.2.1", 53), 2)',
  "a name of the network": 'socket.getaddrinfo("example.com", 80)',
  "hidden tests anywhere": 'found("_".join(["hidden", "words", "of", "the", "test"]))',
  "a key in variables": '"-".join(["key", "of", "the", "user"]) in str(dict(os.environ))',
  "a key of other processes":
    'any("-".join(["key", "of", "the", "user"]) in text("/proc/%s/environ" % p) for p in processes())',
  "processes without end": "all(forked() for _ in range(1500))",
  "more than its disk": 'all(open("/tmp/disk%d" % i, "wb").write(bytes(1 << 28)) for i in range(5))',
  "a file of root's": 'open("mine", "w") and os.chown("mine", 0, 0) is None',
  "to be root": "os.setuid(0) is None",
  "a device": 'os.mknod("/tmp/device", 0o60600, os.makedev(8, 0)) is None',
  "the process of mend": "os.kill(MEND, 0) is None",
  "settings of the kernel": 'open("/proc/sys/kernel/core_pattern", "a")',
};

const TRIES = `import glob, json, os, socket, subprocess

CHILDREN = []
# The whole system would take an hour.
AROUND = [".", ".."] if os.path.realpath("..") != "/" else ["."]

def text(path):
    try:
        with open(path, errors="replace") as file:
            return file.read(1 << 16)
    except OSError:
        return ""

def processes():
    return [name for name in os.listdir("/proc") if name.isdigit()]

def found(words):
    places = ["FOLDER", "/tmp", "/outside/tmp", "/results", "/build", "/run", "/var/tmp", "/dev/shm", "/home", "/testbed"]
    files = (os.path.join(at, name) for place in places + AROUND for at, _, names in os.walk(place) for name in names)
    return any(words in text(file) for file in files if os.path.isfile(file))

def forked():
    CHILDREN.append(subprocess.Popen(["sleep", "60"]))
    return True

def tidy():
    for child in CHILDREN:
        child.kill()
        child.wait()
    for file in glob.glob("/tmp/disk*"):
        os.remove(file)
    CHILDREN.clear()

TRIED = json.loads(r"""TRIED""")

def reached(name):
    try:
        return bool(eval(TRIED[name]))
    except Exception:
        return False
    finally:
        tidy()
`;

/**
 * A module of Python with `TRIED` and `reached(name)`.
 * @param folder with `user/secret`, which has the text `secret`, and `open`, where everybody may write
 * @param port of a server of this machine
 */
export const triesIn = (folder: string, port: number): string =>
  TRIES.replace('TRIED"', () => `${JSON.stringify(TRIED)}"`)
    .replaceAll("FOLDER", folder)
    .replaceAll("PORT", String(port))
    .replaceAll("MEND", String(process.pid));
