/**
 * Fetches the modules of a project in Go, Rust or Java, in a box that reaches their registry and nothing else: what a
 * build starts runs there alone. They are kept for all projects that name the same, and tests find them there offline.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../../base/data/errors.ts";
import { tryForeignText } from "../../../base/files/foreign_file.ts";
import { makeTemporaryFolder } from "../../../base/files/temporary.ts";
import { copyWritable } from "../../../base/files/trees/copy_tree.ts";
import { findPython } from "../../../base/host/python.ts";
import { listed } from "../../../base/text/text.ts";
import type { LanguageName } from "../../../languages/language.ts";
import { MODULES } from "../../../languages/source_files.ts";
import { isOfSystem } from "../../../sandbox/bwrap.ts";
import type { CommandBox } from "../../../sandbox/command/command_box.ts";
import type { CommandMount } from "../../../sandbox/command/command_mounts.ts";
import { filesOf } from "../../copy.ts";
import { LIMITS, takeBack } from "../install.ts";
import { SOCKET } from "../proxy.ts";
import { openModulesProxy } from "./modules_proxy.ts";
import { FETCHERS, type Fetcher } from "./registries.ts";

export interface FetchOptions {
  language: LanguageName;
  /** The box in which what is missing is fetched; null: it is not. */
  box: CommandBox | null;
  /** Where modules are kept. */
  folder: string;
  /** A change of the project, with which its tests need modules, too. */
  change?: { patch: string; applyTo: (tree: string) => unknown } | undefined;
  /** Called before something is fetched. */
  onFetch?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

const [SCRIPT, PROXY, PROJECT, KEPT] = ["/opt/through_proxy.py", "/opt/proxy", "/project", "/modules"];
/** Folders of one project in which the program is started. */
const MOST_FOLDERS = 40;
/** Of the way in which they are kept. */
const VERSION = 1;

const underWay = new Map<string, Promise<string | null>>();

/**
 * The folder of what a project's tests need, fetched where it is not kept yet.
 * @returns its path; null where nothing is needed or kept; `problem` in the program's own words
 * @throws UserError where this machine lacks the program or bubblewrap; the reason of `signal`
 */
export async function modulesOf(tree: string, options: FetchOptions): Promise<string | null | { problem: string }> {
  const { language, box, folder, change, onFetch } = options;
  const fetcher = FETCHERS[language];
  const manifests = fetcher ? manifestsOf(tree, fetcher) : [];
  const changed = fetcher && change && changes(change.patch, fetcher) ? change.patch : "";
  const texts = [...manifests.map(([, text]) => text), changed.replace(/^\+/gm, "")];
  if (!fetcher || !texts.some((text) => fetcher.needs.test(text))) return null;
  const key = createHash("sha256")
    .update(JSON.stringify([VERSION, manifests, changed]))
    .digest("hex")
    .slice(0, 16);
  const place = join(folder, `${language}-${key}`, MODULES);
  if (existsSync(place)) return place;
  if (box === null) return null;
  onFetch?.();
  if (box.layer !== "bwrap")
    throw new UserError("modules are fetched under bubblewrap alone: `sudo apt install bubblewrap`");
  const fetching = { ...options, tree, fetcher, box, isChanged: changed !== "" };
  const made = underWay.get(place) ?? make(place, fetching).finally(() => underWay.delete(place));
  underWay.set(place, made);
  const problem = await made;
  return problem === null ? place : { problem };
}

/** Whether a patch changes which modules a project needs. */
const changes = (patch: string, { manifests }: Fetcher): boolean =>
  [...patch.matchAll(/^(?:\+\+\+|---) [ab]\/(.+)$/gm)].some(([, file = ""]) => manifests.test(basename(file)));

interface Fetching extends Pick<FetchOptions, "change" | "signal"> {
  tree: string;
  fetcher: Fetcher;
  box: CommandBox;
  /** Whether the change needs other modules: then those of the project before it are fetched, too. */
  isChanged: boolean;
}

/** @returns why it cannot be made */
async function make(place: string, fetching: Fetching): Promise<string | null> {
  mkdirSync(dirname(dirname(place)), { recursive: true });
  const draft = mkdtempSync(`${dirname(place)}.`);
  using copy = makeTemporaryFolder("project");
  try {
    const kept = join(draft, MODULES);
    mkdirSync(kept);
    copyWritable(fetching.tree, copy.path);
    const before = fetching.isChanged ? await fetchInto(kept, copy.path, fetching) : null;
    fetching.change?.applyTo(copy.path);
    const problem = before ?? (await fetchInto(kept, copy.path, fetching));
    takeBack(draft, MODULES);
    // Another process may have been faster.
    if (problem === null && !existsSync(place)) renameSync(draft, dirname(place));
    return problem;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Manifests of a tree by their path, with their texts. */
const manifestsOf = (tree: string, { manifests }: Fetcher): [file: string, text: string][] =>
  filesOf(tree, "all")
    .files.filter((file) => manifests.test(basename(file)) && !/(?:^|\/)testdata\//.test(file))
    .map((file) => [file, tryForeignText(tree, file).text ?? ""]);

/** Folders in which the program is started. */
function foldersOf(manifests: readonly [file: string, text: string][], { manifest, isEach }: Fetcher): string[] {
  const all = manifests.filter(([file]) => basename(file) === manifest).map(([file]) => dirname(file));
  const isOuter = (folder: string) =>
    !all.some((other) => other !== folder && (other === "." || folder.startsWith(`${other}/`)));
  return all.filter((folder) => isEach || isOuter(folder)).slice(0, MOST_FOLDERS);
}

/** Fetches what the projects in a copy need. @returns why something cannot be fetched */
async function fetchInto(kept: string, copy: string, { fetcher, box, signal }: Fetching): Promise<string | null> {
  const { registry, readable, argv } = fetcher.open(copy);
  const { executable, prefixes } = await findPython();
  await using proxy = await openModulesProxy(registry);
  const shown = [...new Set([...readable, executable, ...prefixes])].filter(
    (one) => !isOfSystem(one) && one !== "/usr",
  );
  const mounts: CommandMount[] = [
    { kind: "read", inside: SCRIPT, outside: fileURLToPath(new URL("../through_proxy.py", import.meta.url)) },
    ...shown.map((path): CommandMount => ({ kind: "read", inside: path, outside: path })),
    { kind: "sockets", inside: PROXY, outside: proxy.folder },
    { kind: "write", inside: PROJECT, outside: copy },
    { kind: "write", inside: KEPT, outside: kept },
  ];
  const problems: string[] = [];
  for (const folder of foldersOf(manifestsOf(copy, fetcher), fetcher)) {
    const { ending, exitCode, explanation, stdout, stderr } = await box.run({
      mounts,
      start: () => ({
        argv: [executable, "-I", SCRIPT, `${PROXY}/${SOCKET}`, JSON.stringify([argv(KEPT)])],
        cwd: join(PROJECT, folder),
      }),
      limits: { ...LIMITS, processes: 512 },
      ...(signal ? { signal } : {}),
    });
    const said = stderr + stdout;
    const isFailure = exitCode !== 0 || fetcher.failure?.test(said);
    if (isFailure || ending !== "exited") problems.push(ending === "exited" ? lastWords(said, fetcher) : explanation);
  }
  return problems.length === 0 ? null : listed(problems, 2);
}

/** The lines that say why. */
function lastWords(text: string, { failure }: Fetcher): string {
  const lines = text.split("\n").filter((line) => !/^\s*(?:Caused by:)?\s*$/.test(line));
  const telling = failure ? lines.filter((line) => failure.test(line)) : [];
  return (telling.length > 0 ? telling : lines)
    .slice(0, 4)
    .join("; ")
    .replace(/http:\/\/127\.0\.0\.1:\d+\/?/g, "")
    .slice(0, 400);
}
