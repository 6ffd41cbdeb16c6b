/** Tasks by name: from a file, from the Hugging Face hub, or the built-in set. */

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../utils/errors.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { Task } from "../../utils/task.ts";
import type { Admitted, LeftOut } from "./admission.ts";
import { withCalledEntryPoints } from "./entry_point.ts";
import { isDataFile, readTasks } from "./files.ts";
import type { HubOptions, HubResult } from "./hub.ts";
import { isQuixBugs, readQuixBugs } from "./quixbugs.ts";
import { type Remark, tellRemarks } from "./remarks.ts";
import { KNOWN_TITLES, languageNamed, unknownLanguage } from "./rows.ts";

export interface Dataset {
  /** The file's name, the hub id, or `builtin`. */
  name: string;
  source: "hub" | "file" | "builtin";
  /** Of the tasks themselves, so that the same tasks in another file format have the same hash. */
  sha256: string;
  tasks: Task[];
  /** What the dataset holds and cannot be scored here; each was told to `log`. */
  leftOut: LeftOut[];
  /** What else is to be known of its tasks; told to `log`, too. */
  remarks: Remark[];
  /** True where the correct programs were seen to pass the hidden tests when the dataset was read. */
  hiddenTestsHold: boolean;
  /** Where hidden tests come from another file: its name. They are data rather than text that a model could be shown. */
  hiddenTestsFrom?: string;
  /** Where no dataset was named and the built-in set stands in for the hub's: why. */
  fallback?: string;
}

export interface DatasetOptions extends Pick<HubOptions, "log">, Partial<Omit<HubOptions, "log">> {
  /** Opens the sandbox in which a dataset's own solutions are tried, where it needs one. */
  openSandbox?: () => Promise<Sandbox>;
  /** A file with HumanEval+, whose tests replace the hidden ones. */
  plus?: string;
  /** Of QuixBugs, also the cases that its own tests skip because they take long. Default: no. */
  slow?: boolean;
}

export const DEFAULT_DATASET = "bigcode/humanevalpack";
const BUILTIN = "builtin";
const BUILTIN_FILE = fileURLToPath(new URL("./builtin/builtin.jsonl", import.meta.url));
/** Where nothing was asked for, a machine without a network must not wait long. */
const DEFAULT_TIMEOUT_MS = 5_000;
const ASKED_TIMEOUT_MS = 30_000;

/**
 * Loads the dataset a user named.
 * @param spec a path that ends in .jsonl, .jsonl.gz or .parquet; a folder with QuixBugs; `builtin`; or a hub id, for other
 *   languages than Python with `:js`.
 *   Undefined: HumanEvalPack from cache or hub, else the built-in set with a line to `log` that says so
 * @throws UserError in one sentence: what was named cannot be had or read, and why
 */
export async function loadDataset(spec: string | undefined, options: DatasetOptions): Promise<Dataset> {
  if (options.slow && !(spec !== undefined && isQuixBugs(spec)))
    throw new UserError("--slow is for a folder with QuixBugs alone: no other dataset skips cases that take long.");
  const dataset = await loadNamed(spec, options);
  return options.plus === undefined ? dataset : joinPlus(dataset, options.plus, options);
}

async function loadNamed(spec: string | undefined, options: DatasetOptions): Promise<Dataset> {
  if (spec === undefined) return loadDefault(options);
  if (spec === BUILTIN) return loadBuiltin();
  if (isDataFile(spec)) return describeRunnable(basename(spec), "file", await readTasks(spec), options);
  if (isQuixBugs(spec)) return loadQuixBugs(spec, options);
  await refuseOtherPaths(spec);
  const { id, config, name } = parseHubId(spec);
  const found = await fromHub(id, { timeoutMs: ASKED_TIMEOUT_MS, ...options, config });
  if (!found.ok) throw new UserError(found.problem);
  return describeRunnable(name, "hub", await readTasks(found.file), options);
}

async function loadDefault(options: DatasetOptions): Promise<Dataset> {
  const found = await fromHub(DEFAULT_DATASET, { timeoutMs: DEFAULT_TIMEOUT_MS, ...options });
  if (found.ok) return describeRunnable(DEFAULT_DATASET, "hub", await readTasks(found.file), options);
  const builtin = await loadBuiltin();
  const count = builtin.tasks.length;
  options.log(
    `dataset: ${found.problem} Using the ${count} built-in tasks; choose with --dataset PATH, hub id or builtin.`,
  );
  return { ...builtin, fallback: found.problem };
}

const loadBuiltin = async (): Promise<Dataset> => describe(BUILTIN, "builtin", await readTasks(BUILTIN_FILE));

async function loadQuixBugs(folder: string, options: DatasetOptions): Promise<Dataset> {
  await using sandbox = await (options.openSandbox ?? openSandbox)();
  const admitted = await readQuixBugs(folder, sandbox, options.slow ?? false);
  return { ...describeAdmitted(basename(resolve(folder)), "file", admitted, options), hiddenTestsHold: true };
}

async function joinPlus(dataset: Dataset, file: string, options: DatasetOptions): Promise<Dataset> {
  const { name, source, tasks, remarks } = dataset;
  const { withPlusTests } = await import("./plus.ts");
  await using sandbox = await (options.openSandbox ?? openSandbox)();
  options.log(`dataset: running the canonical solutions of ${tasks.length} tasks on the inputs of ${basename(file)} …`);
  const admitted = await withPlusTests(tasks, file, sandbox);
  const joined = describeAdmitted(`${name} with ${basename(file)}`, source, admitted, options);
  const leftOut = [...dataset.leftOut, ...joined.leftOut];
  return { ...joined, leftOut, remarks, hiddenTestsHold: true, hiddenTestsFrom: basename(file) };
}

/** Without the tasks whose correct program cannot run on this machine, whatever a model answers. */
function describeRunnable(name: string, source: Dataset["source"], tasks: Task[], options: DatasetOptions): Dataset {
  const leftOut = tasks.flatMap((task) => {
    const reason = LANGUAGES[task.language].unavailable(task.declaration + task.canonicalCode);
    return reason === null ? [] : [{ id: task.id, reason }];
  });
  const ids = new Set(leftOut.map(({ id }) => id));
  const { tasks: named, remarks } = withCalledEntryPoints(tasks.filter(({ id }) => !ids.has(id)));
  return describeAdmitted(name, source, { tasks: named, leftOut, remarks }, options);
}

function describeAdmitted(
  name: string,
  source: Dataset["source"],
  { tasks, leftOut, remarks = [] }: Admitted & { remarks?: Remark[] },
  { log }: DatasetOptions,
): Dataset {
  tellRemarks(name, [...leftOut.map((one): Remark => ({ ...one, kind: "left_out" })), ...remarks], log);
  if (tasks.length === 0) throw new UserError(`${name} holds no task that can be scored.`);
  return { ...describe(name, source, tasks), leftOut, remarks };
}

const describe = (name: string, source: Dataset["source"], tasks: Task[]): Dataset => ({
  name,
  source,
  sha256: createHash("sha256").update(JSON.stringify(tasks)).digest("hex"),
  tasks,
  leftOut: [],
  remarks: [],
  hiddenTestsHold: false,
});

/** The hub's client takes a tenth of a second to load, and most runs do not need it. */
async function fromHub(id: string, options: HubOptions): Promise<HubResult> {
  const { fetchFromHub } = await import("./hub.ts");
  return fetchFromHub(id, options);
}

const HUB_ID = /^(?:datasets\/)?([A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*)(?::(.+))?$/;

function parseHubId(spec: string): { id: string; config: string; name: string } {
  const [, id, written = "python"] = HUB_ID.exec(spec) ?? [];
  if (id === undefined) {
    throw new UserError(
      `"${spec}" is no dataset: give a .jsonl, .jsonl.gz or .parquet file, builtin, or a hub id such as ${DEFAULT_DATASET}.`,
    );
  }
  const language = languageNamed(written);
  if (!language) {
    const unknown = unknownLanguage(written);
    throw new UserError(
      `${spec}: only ${KNOWN_TITLES} tasks can be run${unknown ? `, not ${unknown}` : ""}; write ${id} or ${id}:js.`,
    );
  }
  const { name, config } = language;
  return { id, config, name: name === "python" ? id : `${id}:${config}` };
}

async function refuseOtherPaths(spec: string): Promise<void> {
  const found = await stat(spec).catch(() => undefined);
  if (found?.isDirectory())
    throw new UserError(
      `${spec} is a folder without python_programs; give a .jsonl, .jsonl.gz or .parquet file in it, or QuixBugs.`,
    );
  if (found) throw new UserError(`${spec} is a file of another kind; give a .jsonl, .jsonl.gz or .parquet file.`);
}
