/** The toolchain is the one that the user's shell takes. The programs here are scripts that say what real ones say. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { findProgram } from "../base/host/host_programs.ts";
import { cargoTest } from "../frameworks/compiled/cargo_test.ts";
import { maven } from "../frameworks/compiled/junit.ts";
import { temporaryFolder } from "../testing/command.ts";
import { DEEP } from "../testing/repeats.ts";
import { toolchain as goToolchain } from "./go/toolchain.ts";
import { toolchain as javaToolchain } from "./java/toolchain.ts";
import { toolchain as rustToolchain } from "./rust/toolchain.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const SYSTEM = "/usr/bin:/bin";
/** Homes of tests are closed to other users: root without bubblewrap would pass them over. */
const OWN_BOX = { shared: false };

/** A home below the system's folder for temporary files, with files of these texts and a linker that Rust asks for. */
function home(files: Record<string, string>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ cc: "#!/bin/sh\n", ...files })) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll("HERE", folder.path), { mode: 0o755 });
  }
  vi.stubEnv("HOME", folder.path);
  vi.stubEnv("CC", join(folder.path, "cc"));
  return folder;
}

const rust = (version: string, root: string) =>
  `#!/bin/sh\ncase "$*" in *sysroot) echo ${root};; *) echo "rustc ${version} (0 2026)";; esac\n`;
const RUSTUP = {
  ".cargo/bin/rustc": "#!/bin/sh\necho of rustup >&2; exit 1\n",
  ".cargo/bin/cargo": "#!/bin/sh\nexit 1\n",
  ".cargo/bin/rustup":
    "#!/bin/sh\nif [ -e rust-toolchain ]; then echo \"error: toolchain '9.9' is not installed\" >&2; exit 1; fi\n" +
    "echo HERE/.rustup/toolchains/new/bin/rustc\n",
  ".rustup/toolchains/new/bin/rustc": rust("1.95.0", "HERE/.rustup/toolchains/new"),
  ".rustup/toolchains/new/bin/cargo": "#!/bin/sh\n",
};

test("Rust: rustup's toolchain where its programs are first on PATH, and no more of the home is shown", async () => {
  using at = home(RUSTUP);
  vi.stubEnv("PATH", `${join(at.path, ".cargo/bin")}:${SYSTEM}`);
  const root = join(at.path, ".rustup/toolchains/new");
  expect(rustToolchain(OWN_BOX)).toMatchObject({ version: "1.95.0", root, compiler: join(root, "bin/rustc") });
  const project = { root: at.path, folder: at.path, target: at.path, shared: false };
  const command = await cargoTest.command({ project, args: [], results: "/results/report" });
  expect(command.env.PATH?.split(":")[0]).toBe(join(root, "bin"));
  expect(command.tool).toBe(`Rust 1.95.0 at ${join(root, "bin/cargo")}`);
  expect(command.readable.filter((path) => path.startsWith(at.path))).toEqual([join(root, "bin"), root]);
});

test("Rust: the error names a version that the project needs and rustup lacks", async () => {
  using at = home({ ...RUSTUP, "project/rust-toolchain": "9.9\n" });
  vi.stubEnv("PATH", `${join(at.path, ".cargo/bin")}:${SYSTEM}`);
  const folder = join(at.path, "project");
  const project = { root: folder, folder, target: folder, shared: false };
  await expect(cargoTest.command({ project, args: [], results: "/results/report" })).rejects.toThrow(
    /rustup has no Rust for .*project: toolchain '9\.9' is not installed\.$/,
  );
});

test("Rust: the toolchain of CARGO comes before the one on PATH", () => {
  using at = home({
    "old/bin/rustc": rust("1.60.0", "HERE/old"),
    "new/bin/rustc": rust("1.90.0", "HERE/new"),
    "new/bin/cargo": "#!/bin/sh\n",
  });
  vi.stubEnv("PATH", `${join(at.path, "old/bin")}:${SYSTEM}`);
  expect(rustToolchain(OWN_BOX)?.version).toBe("1.60.0");
  vi.stubEnv("CARGO", join(at.path, "new/bin/cargo"));
  expect(rustToolchain(OWN_BOX)?.version).toBe("1.90.0");
});

const jdk = (name: string, version: string) => ({
  [`${name}/bin/javac`]: "#!/bin/sh\n",
  [`${name}/bin/java`]: "#!/bin/sh\n",
  [`${name}/lib/modules`]: "",
  [`${name}/release`]: `JAVA_VERSION="${version}"\n`,
});

test("Java: JAVA_HOME, else PATH, where a manager of versions may have put a script", () => {
  using at = home({
    ...jdk("kits/17", "17.0.1"),
    ...jdk("kits/25", "25.0.1"),
    "shims/javac": '#!/bin/sh\necho "    java.home = HERE/kits/25" >&2\n',
  });
  vi.stubEnv("JAVA_HOME", undefined);
  vi.stubEnv("PATH", `${join(at.path, "shims")}:${SYSTEM}`);
  expect(javaToolchain(OWN_BOX)).toEqual({ home: join(at.path, "kits/25"), version: "25.0.1" });
  vi.stubEnv("JAVA_HOME", join(at.path, "kits/17"));
  expect(javaToolchain(OWN_BOX)).toEqual({ home: join(at.path, "kits/17"), version: "17.0.1" });
});

test("Go: what a shim on PATH says, and the version that a project's files make it take", () => {
  const tools = (name: string) => ({
    [`${name}/VERSION`]: `go${name.slice(3)}\n`,
    [`${name}/pkg/tool/${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}/link`]: "",
  });
  using at = home({
    ...tools("go/1.26"),
    ...tools("go/1.27"),
    "shims/go": "#!/bin/sh\nif [ -e go.mod ]; then echo HERE/go/1.27; else echo HERE/go/1.26; fi\n",
    "project/go.mod": "go 1.27\n",
  });
  vi.stubEnv("PATH", `${join(at.path, "shims")}:${SYSTEM}`);
  expect(goToolchain(OWN_BOX)).toMatchObject({ version: "1.26", root: join(at.path, "go/1.26") });
  expect(goToolchain({ ...OWN_BOX, folder: join(at.path, "project") })?.version).toBe("1.27");
});

test("Maven: the repository that .mvn/maven.config names, and no folder that is none", DEEP, async ({ skip }) => {
  if (!findProgram("mvn") || !findProgram("javac")) return skip("there is no Maven or no Java on PATH");
  using at = home({ ".m2/repository/a": "", "project/pom.xml": "", "project/.mvn/a": "" });
  const folder = join(at.path, "project");
  const project = { root: folder, folder, target: folder, shared: false };
  const request = { project, args: ["test"], results: "/results/report" };
  const local = join(at.path, "local");
  mkdirSync(join(local, "org/apache/maven"), { recursive: true });
  writeFileSync(join(folder, ".mvn/maven.config"), `-ntp\n-Dmaven.repo.local=${local}\n`);
  const command = await maven.command(request);
  expect(command.argv).toContain(`-Dmaven.repo.local=${local}`);
  expect(command.readable).toContain(local);
  writeFileSync(join(folder, ".mvn/maven.config"), `-Dmaven.repo.local=${join(at.path, ".ssh")}\n`);
  symlinkSync(at.path, join(at.path, ".ssh"));
  await expect(maven.command(request)).rejects.toThrow(/mend shows no other folder/);
});
