/** Probes that Python runs: the standard library as test suites use it. */

import { NO_MOUNTS, NO_SOCKETS, type Probe, probes } from "./probe.ts";

const SERVER = `
import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
`;

export const PYTHON_PROBES: readonly Probe[] = [
  ...probes("python", {
    "os.getlogin or getpass.getuser": "import getpass; assert getpass.getuser()",
    "socket.getservbyname": "import socket; assert socket.getservbyname('http') == 80",
    "socket.getprotobyname": "import socket; assert socket.getprotobyname('tcp') == 6",
    "mimetypes knows svg and wasm":
      "import mimetypes; assert mimetypes.guess_type('a.svg')[0] and mimetypes.guess_type('a.wasm')[0]",
    "a default SSL context has certificates": "import ssl; assert ssl.create_default_context().get_ca_certs()",
    "time.tzname and localtime": "import time; assert time.tzname[0] and time.localtime().tm_year > 2000",
    zoneinfo: "import zoneinfo; assert zoneinfo.ZoneInfo('America/New_York') and zoneinfo.available_timezones()",
    "locale.setlocale":
      "import locale; locale.setlocale(locale.LC_ALL, 'C.UTF-8'); locale.setlocale(locale.LC_ALL, '')",
    "os.mkfifo":
      "import os, tempfile; d = tempfile.mkdtemp(); os.mkfifo(d + '/p'); r = os.open(d + '/p', os.O_RDONLY | os.O_NONBLOCK); assert os.open(d + '/p', os.O_WRONLY) > r",
    "os.memfd_create":
      "import os; f = os.memfd_create('x'); assert os.write(f, b'abc') == 3 and os.pread(f, 3, 0) == b'abc'",
    "os.eventfd": "import os, sys\nif hasattr(os, 'eventfd'):\n    f = os.eventfd(1); assert os.eventfd_read(f) == 1",
    "timerfd, signalfd, inotify by ctypes":
      "import ctypes; c = ctypes.CDLL(None); assert c.timerfd_create(1, 0) >= 0 and c.inotify_init() >= 0",
    "300 threads":
      "import threading\ne = threading.Event()\nts = [threading.Thread(target=e.wait) for _ in range(300)]\n[t.start() for t in ts]; e.set(); [t.join() for t in ts]",
    "1000 open files": "import tempfile; fs = [tempfile.TemporaryFile() for _ in range(1000)]; assert len(fs) == 1000",
    "tempfile of each kind":
      "import tempfile, os; assert os.path.isdir(tempfile.mkdtemp()); tempfile.NamedTemporaryFile().write(b'x'); tempfile.SpooledTemporaryFile().write(b'x')",
    "shutil.copy2 keeps times":
      "import os, shutil, tempfile; d = tempfile.mkdtemp(); a = d + '/a'; open(a, 'w').close(); os.utime(a, (1, 1)); shutil.copy2(a, d + '/b'); assert os.stat(d + '/b').st_mtime == 1",
    "fcntl locks":
      "import fcntl, tempfile; f = tempfile.TemporaryFile(); fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_UN)",
    "mmap of a file":
      "import mmap, tempfile; f = tempfile.TemporaryFile(); f.truncate(4096); m = mmap.mmap(f.fileno(), 4096); m[0] = 1",
    "signal.alarm and setitimer":
      "import signal; hit = []; signal.signal(signal.SIGALRM, lambda *_: hit.append(1)); signal.setitimer(signal.ITIMER_REAL, 0.05); signal.pause(); assert hit",
    "os.kill of the own process":
      "import os, signal; hit = []; signal.signal(signal.SIGUSR1, lambda *_: hit.append(1)); os.kill(os.getpid(), signal.SIGUSR1); assert hit",
    "os.setsid, setpgid, nice":
      "import os\nif os.fork() == 0: os.setsid(); os.nice(1); os._exit(0)\nassert os.waitstatus_to_exitcode(os.wait()[1]) == 0",
    "resource.setrlimit lower":
      "import resource as r; s, h = r.getrlimit(r.RLIMIT_NOFILE); r.setrlimit(r.RLIMIT_NOFILE, (64, h))",
    "os.sched_getaffinity": "import os; assert os.sched_getaffinity(0) and os.cpu_count()",
    "os.getloadavg": "import os; assert len(os.getloadavg()) == 3",
    "os.statvfs": "import os; assert os.statvfs('.').f_bsize",
    "os.sendfile and copy_file_range":
      "import os, tempfile; a = tempfile.TemporaryFile(); a.write(b'abc'); a.flush(); b = tempfile.TemporaryFile(); assert os.sendfile(b.fileno(), a.fileno(), 0, 3) == 3",
    xattr:
      "import os, tempfile; f = tempfile.NamedTemporaryFile(); os.setxattr(f.name, 'user.x', b'1')\nassert os.getxattr(f.name, 'user.x') == b'1'",
    "os.posix_fallocate": "import os, tempfile; f = tempfile.TemporaryFile(); os.posix_fallocate(f.fileno(), 0, 4096)",
    "sqlite3 on disk with WAL":
      "import sqlite3, tempfile; c = sqlite3.connect(tempfile.mkdtemp() + '/x.db'); c.execute('pragma journal_mode=wal'); c.execute('create table t (a)')",
    dbm: "import dbm, tempfile\nwith dbm.open(tempfile.mkdtemp() + '/x', 'c') as d: d['a'] = 'b'",
    "curses.setupterm": "import curses; curses.setupterm()",
    readline: "import readline; readline.get_history_length()",
    "ctypes.util.find_library": "import ctypes.util; assert ctypes.util.find_library('c')",
    platform:
      "import platform; assert platform.node() and platform.platform() and platform.freedesktop_os_release()['ID']",
    "uuid1 and getnode": "import uuid; assert uuid.uuid1() and uuid.getnode()",
    "subprocess with a shell":
      "import subprocess; assert subprocess.check_output('echo a | cat', shell=True) == b'a\\n'",
    venv: "import subprocess, sys, tempfile; d = tempfile.mkdtemp(); subprocess.check_call([sys.executable, '-m', 'venv', '--without-pip', d]); subprocess.check_call([d + '/bin/python', '-c', ''])",
    "a compiled extension by ctypes":
      "import ctypes, subprocess, tempfile; d = tempfile.mkdtemp(); open(d + '/a.c', 'w').write('int f(void){return 5;}'); subprocess.check_call(['cc', '-shared', '-fPIC', '-o', d + '/a.so', d + '/a.c']); assert ctypes.CDLL(d + '/a.so').f() == 5",
    "open /dev/stdout in Python": "open('/dev/stdout', 'w').write('x')",
    "faulthandler and a core limit": "import faulthandler, sys; faulthandler.enable(sys.stderr)",
    "a MemoryError for too much": "try: bytearray(1 << 42)\nexcept MemoryError: pass\nelse: raise SystemExit(1)",
    "os.link, os.symlink, os.readlink":
      "import os, tempfile; d = tempfile.mkdtemp(); open(d + '/a', 'w').close(); os.link(d + '/a', d + '/b'); os.symlink('a', d + '/c'); assert os.readlink(d + '/c') == 'a'",
    "os.chmod of a folder":
      "import os, tempfile; d = tempfile.mkdtemp(); os.chmod(d, 0o500); assert os.stat(d).st_mode & 0o777 == 0o500; os.chmod(d, 0o700)",
    "os.chown to oneself":
      "import os, tempfile; f = tempfile.NamedTemporaryFile(); os.chown(f.name, os.getuid(), os.getgid())",
  }),
  ...probes(
    "python",
    {
      "localhost resolves": "import socket; assert socket.getaddrinfo('localhost', 80)",
      "the own hostname resolves": "import socket; assert socket.gethostbyname(socket.gethostname())",
      getfqdn: "import socket; assert socket.getfqdn()",
      "an HTTP server on localhost": `${SERVER}assert urllib.request.urlopen('http://localhost:%d/' % server.server_port).status == 200`,
      "a server on ::1":
        "import socket; s = socket.create_server(('::1', 0), family=socket.AF_INET6); socket.create_connection(s.getsockname()[:2])",
      "UDP on localhost":
        "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('127.0.0.1', 0)); s.sendto(b'x', s.getsockname()); assert s.recv(1) == b'x'",
      "a unix socket by path":
        "import socket, tempfile; p = tempfile.mkdtemp() + '/s'; s = socket.socket(socket.AF_UNIX); s.bind(p); s.listen(); socket.socket(socket.AF_UNIX).connect(p)",
      socketpair: "import socket; a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'",
      "asyncio with a subprocess":
        "import asyncio\nasync def m():\n    p = await asyncio.create_subprocess_exec('echo', 'a', stdout=-1); assert (await p.communicate())[0] == b'a\\n'\nasyncio.run(m())",
      "asyncio server":
        "import asyncio\nasync def m():\n    s = await asyncio.start_server(lambda r, w: w.close(), 'localhost', 0); await asyncio.open_connection('localhost', s.sockets[0].getsockname()[1])\nasyncio.run(m())",
      "multiprocessing.Manager":
        "import multiprocessing\nif __name__ == '__main__':\n    with multiprocessing.Manager() as m: d = m.dict(); d['a'] = 1; assert d['a'] == 1",
      "an unreachable address fails at once":
        "import socket\ntry: socket.create_connection(('192.0.2.1', 80), timeout=5)\nexcept OSError: pass",
      "socket.if_nameindex": "import socket; assert any(name == 'lo' for _, name in socket.if_nameindex())",
    },
    NO_SOCKETS,
  ),
  ...probes(
    "python",
    {
      "pwd of the own user": "import os, pwd; assert pwd.getpwuid(os.getuid()).pw_dir == os.path.expanduser('~')",
      "grp of the own group": "import os, grp; assert grp.getgrgid(os.getgid()).gr_name",
      "pathlib owner and group":
        "import pathlib, tempfile\nwith tempfile.NamedTemporaryFile() as f: assert pathlib.Path(f.name).owner() and pathlib.Path(f.name).group()",
      "os.openpty, pty.fork":
        "import os, pty\npid, fd = pty.fork()\nif pid == 0: os._exit(7)\nassert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7",
      "multiprocessing.Pool":
        "import multiprocessing\nif __name__ == '__main__':\n    with multiprocessing.Pool(4) as p: assert p.map(abs, [-1, 2]) == [1, 2]",
      "multiprocessing shared memory":
        "from multiprocessing import shared_memory as s; m = s.SharedMemory(create=True, size=9); m.buf[0] = 1; m.close(); m.unlink()",
      ProcessPoolExecutor:
        "from concurrent.futures import ProcessPoolExecutor as P\nwith P(2) as p: assert list(p.map(abs, [-1])) == [1]",
    },
    NO_MOUNTS,
  ),
];
