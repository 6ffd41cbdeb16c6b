/** Tasks by name: from a file or folder, from the Hugging Face hub, or the built-in set. */

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../utils/data/errors.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { keepFromBoxes } from "../../utils/sandbox/hidden.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { Task } from "../../utils/task/task.ts";
import { plural } from "../../utils/text/format.ts";
import type { LeftOut } from "./admission.ts";
import type { Contents, DatasetFormat, ReadOptions } from "./format.ts";
import { FORMATS, formatOf } from "./formats.ts";
import { DEFAULT_CONFIG, type HubOptions, type HubResult } from "./hub.ts";
import { allRemarks, type Remark, tellRemarks } from "./remarks.ts";
import { KNOWN_TITLES, languageNamed, unknownLanguage, withCalledEntryPoints } from "./rows.ts";

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

export interface DatasetOptions
  extends Pick<HubOptions, "log">,
    Partial<Omit<HubOptions, "log">>,
    Partial<Omit<ReadOptions, "log">> {
  /** A file with HumanEval+, whose tests replace the hidden ones. */
  plus?: string | undefined;
  /** Default: the table. */
  formats?: readonly DatasetFormat[];
}

const DEFAULT_DATASET = "bigcode/humanevalpack";
const BUILTIN = "builtin";
const BUILTIN_FILE = fileURLToPath(new URL("./builtin/builtin.jsonl", import.meta.url));
/** Where nothing was asked for, a machine without a network must not wait long. */
const DEFAULT_TIMEOUT_MS = 5_000;
const ASKED_TIMEOUT_MS = 30_000;

/** What a spec names on this machine. */
interface Found extends Pick<Dataset, "name" | "source"> {
  path: string;
  fallback?: string;
}

/**
 * Loads the dataset a user named.
 * @param spec a file or a folder in one of the formats of `formats.ts`; `builtin`; or a hub id, for other languages than
 *   Python with `:js`. Undefined: HumanEvalPack from cache or hub, else the built-in set with a line to `log` that says so
 * @throws UserError in one sentence: what was named cannot be had or read, and why
 */
export async function loadDataset(spec: string | undefined, options: DatasetOptions): Promise<Dataset> {
  const { log, slow = false, formats = FORMATS, plus } = options;
  const named = spec === undefined ? undefined : formatOf(spec, formats);
  if (slow && !named?.hasSlowCases) {
    const those = formats.flatMap(({ hasSlowCases, what }) => (hasSlowCases ? what : [])).join(" or ");
    throw new UserError(`--slow is for ${those} alone: no other dataset skips cases that take long.`);
  }
  const { path, fallback, ...shown } = await find(spec, named, options);
  keepFromBoxes(path);
  const format = formatOf(path, formats);
  if (!format) throw new UserError(`${path} is in no format that mend knows.`);
  const opened = options.openSandbox ?? openSandbox;
  const contents = runnable(await format.read(path, { log, slow, openSandbox: opened }));
  const dataset = describe(shown, contents, options);
  if (fallback !== undefined) {
    const count = dataset.tasks.length;
    log(`dataset: ${fallback} Using the ${count} built-in tasks; choose with --dataset PATH, hub id or builtin.`);
    dataset.fallback = fallback;
  }
  return plus === undefined ? dataset : joinPlus(dataset, plus, options);
}

async function find(
  spec: string | undefined,
  named: DatasetFormat | undefined,
  options: DatasetOptions,
): Promise<Found> {
  const builtin: Found = { name: BUILTIN, source: "builtin", path: BUILTIN_FILE };
  if (spec === BUILTIN) return builtin;
  if (spec === undefined) {
    const found = await fromHub(DEFAULT_DATASET, { timeoutMs: DEFAULT_TIMEOUT_MS, ...options });
    if (found.ok) return { name: DEFAULT_DATASET, source: "hub", path: found.file };
    return { ...builtin, fallback: found.problem };
  }
  if (named) return { name: basename(resolve(spec)), source: "file", path: spec };
  await refuseOtherPaths(spec);
  const { id, config, name } = parseHubId(spec);
  const found = await fromHub(id, { timeoutMs: ASKED_TIMEOUT_MS, ...options, config });
  if (!found.ok) throw new UserError(found.problem);
  return { name, source: "hub", path: found.file };
}

async function joinPlus(dataset: Dataset, file: string, options: DatasetOptions): Promise<Dataset> {
  keepFromBoxes(file);
  const { name, source, tasks, remarks } = dataset;
  const { withPlusTests } = await import("./plus.ts");
  await using sandbox = await (options.openSandbox ?? openSandbox)();
  options.log(
    `dataset: running the canonical solutions of ${plural(tasks.length, "task")} on the inputs of ${basename(file)} …`,
  );
  const admitted = await withPlusTests(tasks, file, sandbox);
  const joined = describe({ name: `${name} with ${basename(file)}`, source }, admitted, options);
  const leftOut = [...dataset.leftOut, ...joined.leftOut];
  return { ...joined, leftOut, remarks, hiddenTestsHold: true, hiddenTestsFrom: basename(file) };
}

/** Without the tasks whose correct program cannot run on this machine, whatever a model answers. */
function runnable({ tasks, leftOut = [], remarks = [], ...rest }: Contents): Contents {
  const unavailable = tasks.flatMap((task) => {
    const reason = LANGUAGES[task.language].unavailable(task.declaration + task.canonicalCode);
    return reason === null ? [] : [{ id: task.id, reason }];
  });
  const ids = new Set(unavailable.map(({ id }) => id));
  const named = withCalledEntryPoints(tasks.filter(({ id }) => !ids.has(id)));
  return {
    ...rest,
    tasks: named.tasks,
    leftOut: [...leftOut, ...unavailable],
    remarks: [...remarks, ...named.remarks],
  };
}

function describe(
  { name, source }: Pick<Dataset, "name" | "source">,
  { tasks, leftOut = [], remarks = [], hiddenTestsHold = false }: Contents,
  { log }: DatasetOptions,
): Dataset {
  tellRemarks(name, allRemarks({ leftOut, remarks }), log);
  if (tasks.length === 0) throw new UserError(`${name} holds no task that can be scored.`);
  const sha256 = createHash("sha256").update(JSON.stringify(tasks)).digest("hex");
  return { name, source, sha256, tasks, leftOut, remarks, hiddenTestsHold };
}

/** The hub's client takes a tenth of a second to load, and most runs do not need it. */
async function fromHub(id: string, options: HubOptions): Promise<HubResult> {
  const { fetchFromHub } = await import("./hub.ts");
  return fetchFromHub(id, options);
}

const HUB_ID = /^(?:datasets\/)?([A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*)(?::(.+))?$/;

function parseHubId(spec: string): { id: string; config: string; name: string } {
  const [, id, written = DEFAULT_CONFIG] = HUB_ID.exec(spec) ?? [];
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
  const { config } = language;
  return { id, config, name: config === DEFAULT_CONFIG ? id : `${id}:${config}` };
}

async function refuseOtherPaths(spec: string): Promise<void> {
  const found = await stat(spec).catch(() => undefined);
  if (found?.isDirectory())
    throw new UserError(
      `${spec} is a folder without python_programs; give a .jsonl, .jsonl.gz or .parquet file in it, or QuixBugs.`,
    );
  if (found) throw new UserError(`${spec} is a file of another kind; give a .jsonl, .jsonl.gz or .parquet file.`);
}
