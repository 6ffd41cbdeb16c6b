/** Commands in a copy of a whole repository, confined: what they write is dropped, what is installed is read-only. */

import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { basename, isAbsolute, join, relative } from "node:path";
import { FollowedFile } from "../base/files/followed_file.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../base/files/temporary.ts";
import { WorkingCopy } from "../base/files/trees/working_copy.ts";
import { hasGit } from "../git/changes/trees.ts";
import { asksForGit, OwnGit } from "../git/own_git.ts";
import type { CommandBox, CommandResult } from "../sandbox/command/command_box.ts";
import type { CommandMount } from "../sandbox/command/command_mounts.ts";
import { isMounted, type Project } from "./project.ts";
import { BUILD, inBox, notShown, placed, reported, type TestCommand } from "./test_command.ts";

export interface RepositoryRun {
  /** The tree to run in, as a folder of this machine; its files appear where the project's root is. */
  tree: string;
  /** What to run, in words of this machine; `out` is a folder for what it reports. */
  command: (out: string) => Promise<TestCommand>;
  /** Beside those of the command. */
  environment?: Readonly<Record<string, string>>;
  /** Limit of the processor time of all processes together, in seconds, and of the time in which none wants it. */
  seconds: number;
  memoryMb?: number | undefined;
  stdin?: string | undefined;
  /**
   * Told of each line of the file `lines` in `out` as soon as it is seen, of the last ones before `run` comes back or
   * throws.
   */
  onLine?: ((line: string) => void) | undefined;
  /** Whether it has a git repository from the start. Default: once a command asks for one. */
  needsGit?: boolean;
  /**
   * Called at the end with the copy that it ran in, and with the files that it wrote, made or removed there; new ones
   * only where git would track them.
   */
  onEnd?: ((copy: string, changed: readonly string[]) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The box ended without telling how its command did: someone ended it, say. */
export class BoxFailure extends Error {}

export interface RepositoryRunResult extends CommandResult {
  /** Text of a file that the command left in `out`; null if there is none. */
  report: (name: string) => string | null;
  /** The project's root as the command saw it. */
  root: string;
}

const OUT = "/results";
const LIMITS = { memoryMb: 4096, outputBytes: 4 * 1024 * 1024, fileMb: 512, diskMb: 1024 };
const MOST_REPORTED = 50_000_000;

export class RepositoryBox implements Disposable {
  readonly #free: WorkingCopy[] = [];
  #git: OwnGit | null = null;

  /**
   * What the first run built, of the tree as it was. Later runs get copies: nothing that a change does gets into it.
   */
  #build: TemporaryFolder | null = null;
  #built: ReadonlyMap<string, string> = new Map();

  readonly box: CommandBox;
  readonly project: Project;
  readonly installed: ReadonlyMap<string, string>;
  readonly #committed: string | undefined;

  /**
   * @param installed folders of installed packages by their path under the root, such as `node_modules`
   * @param committed tree that its git repository has as the last commit. Default: that of the first command that asks
   */
  constructor(box: CommandBox, project: Project, installed: ReadonlyMap<string, string>, committed?: string) {
    this.box = box;
    this.project = project;
    this.installed = installed;
    this.#committed = committed;
  }

  /**
   * Runs a command to its end in a copy of `tree` that no other command has changed. If it fails and asks for a git
   * repository, it runs again with one of its own, unless `onLine` has already received its lines.
   * @throws BoxFailure; the reason of `signal`
   */
  async run(request: RepositoryRun): Promise<RepositoryRunResult> {
    if (request.needsGit) this.#git ??= this.#newGit(request);
    const copy = this.#free.pop() ?? new WorkingCopy();
    let result: RepositoryRunResult;
    try {
      result = await runIn(copy, this, request, this.#git);
    } catch (error) {
      // Who knows what still writes into it.
      copy[Symbol.dispose]();
      throw error;
    }
    this.#free.push(copy);
    const wantsGit = this.#git === null && result.exitCode !== 0 && asksForGit(result.stdout + result.stderr);
    if (!wantsGit) {
      if (request.onEnd) request.onEnd(copy.path, this.#tracked(copy, request));
      return result;
    }
    this.#git = this.#newGit(request);
    return request.onLine ? result : await this.run(request);
  }

  #newGit({ tree }: RepositoryRun): OwnGit {
    return new OwnGit(this.#committed ?? tree);
  }

  /** Without new files that git would not track. */
  #tracked(copy: WorkingCopy, request: RepositoryRun): string[] {
    const changed = copy.changed() ?? [];
    const isNew = (name: string) => !existsSync(join(request.tree, name));
    if (!hasGit() || !changed.some(isNew)) return changed;
    this.#git ??= this.#newGit(request);
    const known = new Set(this.#git.untracked(copy.path));
    return changed.filter((name) => !isNew(name) || known.has(name));
  }

  /** The folder for what is built, and whether it is filled by now. @param copy in which it is built */
  readonly build = (copy: WorkingCopy): { kind: "write" | "copy"; outside: string } => {
    if (this.#build !== null) {
      copy.renew(this.#built);
      return { kind: "copy", outside: this.#build.path };
    }
    this.#built = copy.state;
    this.#build = makeTemporaryFolder("built");
    return { kind: "write", outside: this.#build.path };
  };

  [Symbol.dispose](): void {
    for (const copy of this.#free) copy[Symbol.dispose]();
    this.#git?.[Symbol.dispose]();
    this.#build?.[Symbol.dispose]();
  }
}

async function runIn(
  copy: WorkingCopy,
  { box, project, installed, build }: RepositoryBox,
  request: RepositoryRun,
  ownGit: OwnGit | null,
): Promise<RepositoryRunResult> {
  const { tree, command, environment, seconds, signal } = request;
  using folder = makeTemporaryFolder("repository");
  // Without bubblewrap its user goes through it to what is its own.
  chmodSync(folder.path, 0o711);
  const out = join(folder.path, "out");
  mkdirSync(out);
  const { argv, env, readable, builds } = await command(OUT);
  const inside = (path: string) => (path === project.root ? (project.inside ?? inBox(path)) : inBox(path));
  const root = inside(project.root);
  copy.update(tree);
  ownGit?.putInto(copy.path, tree);
  const mounts: CommandMount[] = [{ kind: "write", inside: root, outside: copy.path, onReady: () => copy.remember() }];
  // Elsewhere links in the copy lead to them.
  for (const [name, real] of installed)
    mounts.push({ ...shown(real), inside: isMounted(box.layer) ? join(root, name) : inBox(real) });
  if (builds) mounts.push({ ...build(copy), inside: BUILD });
  // Managers of versions keep interpreters in folders of their own, which no box shows.
  const program = argv.slice(0, 1).filter((path) => isAbsolute(path) && project.inside === undefined);
  const others = notShown(
    [...readable, ...program],
    mounts.map(({ inside }) => inside),
    project.inside === undefined,
  );
  let place = (path: string) => path;
  using lines = new FollowedFile(join(out, "lines"), request.onLine ?? (() => {}));
  const ran = box.run({
    mounts: [
      ...mounts,
      ...others.map((path): CommandMount => ({ ...shown(path), inside: inBox(path) })),
      { kind: "write", inside: OUT, outside: out },
    ],
    start: (at) => {
      place = at;
      const known = [project.root, OUT, ...(builds ? [BUILD] : []), ...others];
      const moved = (word: string) => placed(word, known, (path) => at(inside(path)));
      const words = Object.entries({ ...env, ...environment });
      return {
        argv: argv.map(moved),
        cwd: at(join(root, relative(project.root, project.folder))),
        environment: Object.fromEntries(words.map(([name, value]) => [name, moved(value)])),
      };
    },
    limits: {
      ...LIMITS,
      ...(request.memoryMb === undefined ? {} : { memoryMb: request.memoryMb }),
      cpuSeconds: seconds,
      idleSeconds: Math.min(seconds, MOST_IDLE_SECONDS),
    },
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    ...(signal ? { signal } : {}),
  });
  const result = await ran.finally(() => lines.read());
  if (result.ending === "box_error") throw new BoxFailure(`the box failed: ${result.explanation}`);
  const reports = new Map(
    ["report", "coverage"].flatMap((name) => {
      const text = reported(join(out, name), MOST_REPORTED);
      return text === null ? [] : [[name, text] as const];
    }),
  );
  return { ...result, report: (name) => reports.get(name) ?? null, root: place(root) };
}

/** Tools of JavaScript write into the folder of packages: vite bundles its settings there. */
const shown = (outside: string) => {
  const kind: "packages" | "read" = basename(outside) === "node_modules" ? "packages" : "read";
  return { kind, outside };
};

/** A run in which nothing happens for so long will not go on. */
const MOST_IDLE_SECONDS = 60;
