/** How the modules of a language are fetched: which files name them, from where they come, and by which program. */

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UserError } from "../../../base/data/errors.ts";
import { findProgram } from "../../../base/host/host_programs.ts";
import { toolchain as goToolchain } from "../../../languages/go/toolchain.ts";
import {
  toolchain as javaToolchain,
  mavenInstallation,
  SYSTEM_MAVEN,
  settingsFolders,
} from "../../../languages/java/toolchain.ts";
import type { LanguageName } from "../../../languages/language.ts";
import { toolchain as rustToolchain } from "../../../languages/rust/toolchain.ts";
import { outputOf } from "../../../languages/toolchains.ts";
import { type Registry, registryAt } from "../registry_access.ts";

export interface Fetcher {
  /** Names of the files that decide which modules there are. */
  manifests: RegExp;
  /** The one of them that makes a folder a project. */
  manifest: string;
  /** Whether a manifest needs any. */
  needs: RegExp;
  /** Whether every folder with a manifest is fetched for, not only the outermost. */
  isEach?: true;
  /** What a program prints that ends with 0 although something was not fetched. */
  failure?: RegExp;
  /**
   * @param folder of the project, which may name a version of the program
   * @throws UserError where the program is not here, or the user's settings name no registry
   */
  open(folder: string): FetchCommand;
}

interface FetchCommand {
  registry: Registry;
  /** Folders of this machine that the program reads. */
  readable: string[];
  /** Words that fetch what one folder needs into `modules`; `{proxy}` is the address of the registry. */
  argv: (modules: string) => string[];
}

function registryOf(what: string, address: string): Registry {
  const found = registryAt(address);
  if (found === null) throw new UserError(`${what} names no registry that can be read: "${address}".`);
  return found;
}

const env = (variables: Record<string, string>): string[] => [
  "/usr/bin/env",
  ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
];

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

const go: Fetcher = {
  manifests: /^go\.(?:mod|sum|work|work\.sum)$/,
  manifest: "go.mod",
  needs: /^\s*require\b/m,
  isEach: true,
  open: (folder) => {
    const found = goToolchain({ folder });
    if (found === null)
      throw new UserError("There is no go on PATH: sudo apt install golang-go, or https://go.dev/dl.");
    const program = join(found.root, "bin/go");
    const told = outputOf(program, ["env", "GOPROXY"]);
    return {
      registry: registryOf("GOPROXY", told.split(/[,|]/).find((one) => one.startsWith("http")) ?? told),
      readable: [found.root],
      // What go.sum names is compared with it; who keeps the sums of all modules cannot be asked here.
      argv: (modules) => [
        ...env({ GOPROXY: "{proxy}", GOSUMDB: "off", GOTOOLCHAIN: "local", GOFLAGS: "-modcacherw" }),
        ...[`GOMODCACHE=${modules}`, "GOCACHE=/tmp/go-build", "GOPATH=/tmp/go", program, "mod", "download"],
      ],
    };
  },
};

/** The index of crates, as the settings of cargo name another in its place. */
function cargoIndex(): string {
  const home = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const text = textOf(join(home, "config.toml")) || textOf(join(home, "config"));
  const [, name] = /^\[source\.crates-io\][^[]*?^\s*replace-with\s*=\s*"([\w-]+)"/m.exec(text) ?? [];
  const [, address] = new RegExp(
    `^\\[source\\.${name}\\][^[]*?^\\s*registry\\s*=\\s*"(?:sparse\\+)?([^"]+)"`,
    "m",
  ).exec(text) ?? [undefined, "https://index.crates.io/"];
  return address ?? "";
}

const rust: Fetcher = {
  manifests: /^Cargo\.(?:toml|lock)$/,
  manifest: "Cargo.toml",
  needs: /dependencies\b/,
  open: (folder) => {
    const found = rustToolchain({ folder });
    const cargo = found && join(found.root, "bin/cargo");
    if (!found || !cargo || !existsSync(cargo))
      throw new UserError("There is no cargo on PATH: sudo apt install cargo, or https://rustup.rs.");
    const settings = ['source.crates-io.replace-with="proxy"', 'source.proxy.registry="sparse+{proxy}/"'];
    return {
      registry: registryOf("cargo", cargoIndex()),
      readable: [found.root],
      argv: (modules) => [
        ...env({
          CARGO_HOME: "/tmp/cargo",
          CARGO_TERM_COLOR: "never",
          PATH: `${join(found.root, "bin")}:/usr/bin:/bin`,
        }),
        ...[cargo, ...settings.flatMap((one) => ["--config", one]), "vendor", "--quiet"],
        ...["--respect-source-config", "--no-delete", "--versioned-dirs", modules],
      ],
    };
  },
};

/** A mirror of all that the user's settings name; else Maven Central. */
const mavenMirror = (): string => {
  const text = textOf(join(homedir(), ".m2/settings.xml")).replace(/<!--[\s\S]*?-->/g, "");
  const mirrors = [...text.matchAll(/<mirror>[\s\S]*?<\/mirror>/g)].map(([one]) => one);
  const mirror = mirrors.find((one) => /<mirrorOf>\s*(?:\*|central|external:\*)/.test(one)) ?? "";
  return /<url>\s*(\S+?)\s*<\/url>/.exec(mirror)?.[1] ?? "https://repo.maven.apache.org/maven2/";
};

/** In place of the program that runs tests. Surefire takes a path that ends like this. */
const NO_JAVA = "/tmp/none/bin/java";
const MIRROR = `<mirror><id>proxy</id><mirrorOf>*</mirrorOf><url>\${env.PROXY}/</url></mirror>`;
const SETTINGS = `<settings><mirrors>${MIRROR}</mirrors></settings>`;

const maven: Fetcher = {
  manifests: /^(?:pom\.xml|maven\.config|extensions\.xml)$/,
  manifest: "pom.xml",
  needs: /<project\b/,
  failure:
    /^\[(?:ERROR|FATAL)\].*(?:Could not (?:resolve|find|transfer|collect)|Failed to (?:read|collect)|Non-resolvable)/m,
  open: () => {
    const program = findProgram("mvn");
    const java = javaToolchain({});
    if (program === undefined) throw new UserError("There is no mvn on PATH: sudo apt install maven.");
    if (java === null) throw new UserError("There is no javac on PATH: sudo apt install openjdk-17-jdk-headless.");
    const installation = mavenInstallation(program);
    const options = [
      ...["-B", "-ntp", "--fail-never", "-Dstyle.color=never", "-s", "/tmp/settings.xml"],
      // What runs tests is fetched when they are to start. They do not: their code could change what is kept.
      ...[`-Djvm=${NO_JAVA}`, "-Dmaven.compiler.failOnError=false"],
    ];
    const noJava = `mkdir -p ${dirname(NO_JAVA)} && cp /bin/false ${NO_JAVA}`;
    const line = `printf %s "$SETTINGS" > /tmp/settings.xml; ${noJava}; exec ${join(installation, "bin/mvn")} "$@"`;
    return {
      registry: registryOf("~/.m2/settings.xml", mavenMirror()),
      readable: [
        java.home,
        ...settingsFolders(java.home),
        installation,
        ...SYSTEM_MAVEN.filter((one) => existsSync(one)),
      ],
      argv: (modules) => [
        ...env({ PROXY: "{proxy}", JAVA_HOME: java.home, SETTINGS }),
        ...["/bin/sh", "-c", line, "sh", ...options, `-Dmaven.repo.local=${modules}`, "test"],
      ],
    };
  },
};
export const FETCHERS: Partial<Record<LanguageName, Fetcher>> = { go, rust, java: maven };
