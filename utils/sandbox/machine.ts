/**
 * The small machine that commands find in a box: its own `/etc`, system folders, a user and a hostname.
 */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { oneOf } from "../base/text/patterns.ts";
import { HOSTNAME, type Mount } from "./bwrap.ts";

const USER = "user";

/** Shown to commands in addition to every box's paths: what compilers, clocks, terminals and hardware tests read. */
export const COMMAND_FOLDERS = [
  ...["/usr/share", "/usr/include", "/usr/libexec"],
  ...["/usr/local/bin", "/usr/local/lib", "/usr/local/share", "/usr/local/include"],
  ...["/sys/devices/system", "/sys/kernel/mm", "/sys/fs/cgroup"],
];

/** Parts of this machine's `/etc` that reveal nothing about users, services or keys. */
const COPIED = [
  ...[
    "services",
    "protocols",
    "rpc",
    "ethertypes",
    "networks",
    "shells",
    "mime.types",
    "magic",
    "magic.mime",
    "gai.conf",
  ],
  ...["localtime", "timezone", "os-release", "debian_version", "ld.so.cache", "ld.so.conf", "locale.alias", "inputrc"],
  ...[
    "ssl/openssl.cnf",
    "pki/tls/openssl.cnf",
    "xattr.conf",
    "host.conf",
    "login.defs",
    "bash.bashrc",
    "profile",
    "mke2fs.conf",
  ],
];
const SHOWN = new RegExp(
  `^${oneOf(
    /alternatives|ld\.so\.conf\.d|java(?:-.*)?|perl|fonts|terminfo|python3?(?:\..*)?/,
    /maven|xml|sgml|crypto-policies/,
  )}$`,
);
const SHOWN_DEEPER = ["ssl/certs", "pki/ca-trust/extracted", "pki/tls/certs", "ca-certificates/extracted"];

/** What Landlock lets commands read of the kernel and of this machine's own `/etc`: without its users' names. */
export const readableFiles = (): string[] => [
  ...["cpuinfo", "meminfo", "loadavg", "uptime", "version", "stat", "filesystems"].map((name) => join("/proc", name)),
  ...etcFiles(),
];

const etcFiles = (): string[] =>
  [...COPIED, ...SHOWN_DEEPER, "hosts", "hostname", "nsswitch.conf", "resolv.conf", ...shownFolders()].map((name) =>
    join("/etc", name),
  );

const shownFolders = () => (existsSync("/etc") ? readdirSync("/etc").filter((name) => SHOWN.test(name)) : []);

/** Texts of our own. No name server is asked: a name in no file does not exist. */
const texts = (uid: number): Record<string, string> => {
  return {
    hosts: `127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n127.0.1.1 ${HOSTNAME}\n`,
    hostname: `${HOSTNAME}\n`,
    passwd: [
      ...(uid === 0 ? [] : ["root:x:0:0:root:/root:/bin/sh"]),
      `${USER}:x:${uid}:${uid}:${USER}:${HOME}:${SHELL}`,
      "nobody:x:65534:65534:nobody:/nonexistent:/bin/false\n",
    ].join("\n"),
    group: `${uid === 0 ? "" : "root:x:0:\n"}${USER}:x:${uid}:\nnogroup:x:65534:\n`,
    "nsswitch.conf": ["passwd", "group", "shadow", "hosts", "networks", "protocols", "services", "ethers", "rpc"]
      .map((name) => `${name}: files\n`)
      .join(""),
    "resolv.conf": "",
  };
};

const HOME = "/tmp";
export const SHELL = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";

/** By user and shown folders. Boxes can only read it, so they may share it. */
const made = new Map<string, Mount[]>();

/**
 * The box's `/etc`. Links of this machine's `/etc` stay links.
 * @param uid of the one user, whose group has the same number, @returns the mounts that make it whole
 */
export function etcFor(uid: number): Mount[] {
  const shown = [...shownFolders(), ...SHOWN_DEEPER].filter((name) => existsSync(join("/etc", name)));
  const key = [uid, ...shown].join("\n");
  const known = made.get(key);
  if (known?.every(({ outside }) => existsSync(outside))) return known;
  const { path } = makeTemporaryFolder("etc");
  chmodSync(path, 0o755);
  const mounts = makeEtc(path, uid, shown);
  made.set(key, mounts);
  return mounts;
}

/** Fills an empty folder. */
function makeEtc(folder: string, uid: number, shown: readonly string[]): Mount[] {
  for (const [name, text] of Object.entries(texts(uid))) writeFileSync(join(folder, name), text);
  for (const name of COPIED) copyEntry(join("/etc", name), join(folder, name));
  for (const name of shown) mkdirSync(join(folder, name), { recursive: true });
  return [
    { inside: "/etc", outside: folder },
    ...shown.map((name) => ({ inside: join("/etc", name), outside: join("/etc", name) })),
  ];
}

function copyEntry(from: string, to: string): void {
  const found = lstatSync(from, { throwIfNoEntry: false });
  if (!found) return;
  mkdirSync(dirname(to), { recursive: true });
  if (found.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (found.isFile()) copyFileSync(from, to);
}

/** User, home and a dumb terminal of a command. @param home its own empty folder */
export const machineEnvironment = (home: string) => ({
  HOME: home,
  TMPDIR: home,
  USER: USER,
  LOGNAME: USER,
  SHELL,
  TERM: "dumb",
  // Where the machine's own may not be read, git would end.
  GIT_CONFIG_NOSYSTEM: "1",
  XDG_CONFIG_HOME: join(home, ".config"),
  XDG_CACHE_HOME: join(home, ".cache"),
  XDG_DATA_HOME: join(home, ".local/share"),
  XDG_STATE_HOME: join(home, ".local/state"),
  XDG_RUNTIME_DIR: join(home, ".runtime"),
});
