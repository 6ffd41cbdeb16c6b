/** Commands in a project, confined: the project's folder read-only, another text in the place of one file. */

import { chmodSync, existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { readNamed, tryForeignText } from "../files/foreign_file.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../files/temporary.ts";
import { isOfSystem } from "../sandbox/bwrap.ts";
import type { CommandBox, CommandResult } from "../sandbox/command_box.ts";
import type { CommandMount } from "../sandbox/command_mounts.ts";
import { isHidden } from "../sandbox/hidden.ts";
import type { Layer } from "../sandbox/types.ts";
import { copyProject, filesOf } from "./copy.ts";
import { type Project, runsAsOther, within } from "./project.ts";

/** A command that runs tests in the project's folder. */
export interface TestCommand {
  argv: string[];
  env: Record<string, string>;
  /** Files and folders outside of the project that it needs to read. */
  readable: string[];
}

export interface BoxRequest {
  /** What to run, in words of this machine; `results` is where the framework's report goes. */
  command: (results: string) => Promise<TestCommand>;
  /** Of the target; null: the file as it is. */
  text: string | null;
  /** Limit of the processor time of all processes together, in seconds, and of the time in which none wants it. */
  seconds: number;
  signal?: AbortSignal;
}

interface BoxResult extends CommandResult {
  /** Text of the report; null where none was written. */
  results: string | null;
}

export interface ProjectBox extends AsyncDisposable {
  /** As its commands have it. */
  readonly project: Project;
  readonly layer: Layer;
  readonly warnings: readonly string[];
  /** Runs a command to its end. Rejects only with the reason of `signal`, or where the harness failed. */
  run(request: BoxRequest): Promise<BoxResult>;
}

/**
 * What a command reads that its box does not show yet, with its links followed; what is not there is left out.
 * @param shown folders in the box. Mend itself is hidden in them; a link to it is not what has to be shown, but where it leads
 */
export function notShown(readable: readonly string[], shown: readonly string[]): string[] {
  const wanted = readable.filter((path) => existsSync(path)).flatMap((path) => [path, realpathSync(path)]);
  const isShown = (path: string) => isOfSystem(path) || shown.some((folder) => within(folder, inBox(path)));
  return [...new Set(wanted)].filter((path) => !isShown(path) || (isHidden(path) && realpathSync(path) === path));
}

/** Folders that a box has for itself: what lies there on this machine is shown elsewhere. */
const OWN_FOLDERS = ["/tmp", "/dev", "/proc", "/run"];
export const inBox = (path: string): string =>
  OWN_FOLDERS.some((folder) => within(folder, path)) ? `/outside${path}` : path;
const RESULTS = "/results";
const LIMITS = { memoryMb: 4096, outputBytes: 4 * 1024 * 1024 };

/**
 * Under bubblewrap the project is shown where it is, with the candidate's file bound over the target. Where nothing can
 * be bound, or the box's user may not read the project, commands run in a copy.
 * @throws UserError where the project is too large to be copied
 */
export async function openProjectBox(project: Project, box: CommandBox): Promise<ProjectBox> {
  const folder = makeTemporaryFolder("project");
  try {
    chmodSync(folder.path, 0o755);
    const make = box.layer === "bwrap" && othersMayRead(project) ? shownInPlace : copied;
    return new OpenProjectBox(box, project, folder, make(project, folder.path, box));
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** Where a candidate's text is written, and what shows it to commands. */
interface Stage {
  file: string;
  mounts: CommandMount[];
}

function shownInPlace({ root, target }: Project, folder: string): Stage {
  const file = join(folder, "candidate");
  return { file, mounts: [read(root), { kind: "read", inside: inBox(target), outside: file }] };
}

function copied({ root, target }: Project, folder: string, { layer }: CommandBox): Stage {
  const copy = join(folder, "copy");
  const { installed } = copyProject(filesOf(root, "all"), copy, layer);
  const mounts: CommandMount[] = [{ kind: "read", inside: inBox(root), outside: copy }];
  const kept = [...installed].map(
    ([name, real]): CommandMount =>
      layer === "bwrap"
        ? { kind: "read", inside: inBox(join(root, name)), outside: real }
        : { kind: "read", inside: real, outside: real },
  );
  return { file: join(copy, relative(root, target)), mounts: [...mounts, ...kept] };
}

const read = (path: string): CommandMount => ({ kind: "read", inside: inBox(path), outside: path });

/** A box that we start as root runs as a user of its own. */
const othersMayRead = ({ root, target }: Project): boolean =>
  process.getuid?.() !== 0 || ((statSync(root).mode & 0o005) === 0o005 && (statSync(target).mode & 0o004) !== 0);

class OpenProjectBox implements ProjectBox {
  readonly project: Project;
  readonly layer: Layer;
  readonly warnings: readonly string[];
  readonly #box: CommandBox;
  readonly #folder: TemporaryFolder;
  readonly #stage: Stage;
  readonly #original: Buffer;
  #runs = 0;

  constructor(box: CommandBox, project: Project, folder: TemporaryFolder, stage: Stage) {
    this.layer = box.layer;
    this.warnings = box.warnings;
    this.#box = box;
    // Bubblewrap shows programs wherever they lie; elsewhere a user of its own must be able to reach them.
    this.project = { ...project, shared: runsAsOther(box.layer) };
    this.#folder = folder;
    this.#stage = stage;
    this.#original = readNamed(project.target);
  }

  async run({ command, text, seconds, signal }: BoxRequest): Promise<BoxResult> {
    this.#runs += 1;
    const out = join(this.#folder.path, `results${this.#runs}`);
    mkdirSync(out);
    writeFileSync(this.#stage.file, text ?? this.#original);
    chmodSync(this.#stage.file, 0o644);
    const { argv, env, readable } = await command(join(RESULTS, "report"));
    const shown = this.#stage.mounts.map(({ inside }) => inside);
    const others = notShown(readable, shown);
    const result = await this.#box.run({
      mounts: [...others.map(read), ...this.#stage.mounts, { kind: "write", inside: RESULTS, outside: out }],
      start: (at) => {
        const place = (word: string) => placed(word, [this.project.root, RESULTS, ...others], at);
        return {
          argv: argv.map(place),
          cwd: at(inBox(this.project.folder)),
          environment: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, place(value)])),
        };
      },
      limits: { ...LIMITS, cpuSeconds: seconds, idleSeconds: seconds },
      ...(signal ? { signal } : {}),
    });
    if (result.ending === "box_error") throw new Error(`the box failed: ${result.explanation}`);
    return { ...result, results: reported(join(out, "report"), MAX_REPORT) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#folder[Symbol.dispose]();
  }
}

const MAX_REPORT = 10_000_000;

/** The text that a command of a box left in a file; null for none, for more than `most` bytes, and for a link or a pipe. */
export function reported(file: string, most: number): string | null {
  return tryForeignText(dirname(file), basename(file), most).text;
}

/** A word of a command with each path of this machine as the box has it: `--out=/home/…`, `A:B`, `file:///…` too. */
export function placed(word: string, folders: readonly string[], at: (inside: string) => string): string {
  const known = folders.toSorted((a, b) => b.length - a.length);
  return word.replace(/file:\/\/\/\S*|(?<=^|=|:(?!\/\/))\/[^:]*/g, (found) => {
    // A URL has its own spelling of what is no plain letter.
    const spelt = found.startsWith("/") ? (path: string) => path : (path: string) => pathToFileURL(path).href;
    const folder = known.find((one) => within(spelt(one), found));
    return folder === undefined ? found : spelt(at(inBox(folder))) + found.slice(spelt(folder).length);
  });
}
