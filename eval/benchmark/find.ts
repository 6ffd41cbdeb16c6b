/** What a user named as a dataset: where it is on this machine, which benchmark it is, and what functions it holds. */

import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { isRecord } from "../../utils/base/data/record.ts";
import { keepFromBoxes } from "../../utils/sandbox/hidden.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { DEFAULT_CONFIG, KNOWN_TITLES, languageNamed, unknownLanguage } from "../../utils/task/languages.ts";
import { FILES_OF_ROWS, isFileOfRows, rowsIn } from "./files/rows.ts";
import { type Dataset, datasetOf } from "./functions.ts";
import type { HubOptions } from "./hub/hub.ts";
import { BUILTIN_FILE, humanEvalPack } from "./humanevalpack.ts";
import type { BenchmarkRow, FunctionsRow, ReadOptions } from "./row.ts";
import { BENCHMARKS } from "./table.ts";

export interface FoundDataset {
  /** The file's name, the hub id, or `builtin`. */
  name: string;
  path: string;
  benchmark: BenchmarkRow;
}

export interface FindOptions extends Pick<HubOptions, "log">, Partial<Omit<HubOptions, "log">> {
  /** The name of a row, where the data does not say plainly which it is. */
  format?: string | undefined;
}

export type DatasetOptions = FindOptions & Partial<Omit<ReadOptions, "log">>;

export const DEFAULT_DATASET = "bigcode/humanevalpack";
const BUILTIN = "builtin";
/** Where nothing was asked for, a machine without a network must not wait long. */
const DEFAULT_TIMEOUT_MS = 5_000;
const ASKED_TIMEOUT_MS = 30_000;

/**
 * @param spec a file or folder of a benchmark of the table; `builtin`; or a hub id, for other languages than Python
 * with
 *   `:js`. Undefined: HumanEvalPack from cache or hub, else the built-in set
 * @throws UserError in one sentence: what was named cannot be fetched, or is not a benchmark, and why
 */
export async function findBenchmark(spec: string | undefined, options: FindOptions): Promise<FoundDataset> {
  const asked = options.format === undefined ? undefined : rowNamed(options.format);
  const builtin = { name: BUILTIN, path: BUILTIN_FILE, benchmark: humanEvalPack };
  if (spec === BUILTIN) return builtin;
  if (spec === undefined) {
    const timeoutMs = DEFAULT_TIMEOUT_MS;
    const path = await fromHub(DEFAULT_DATASET, { timeoutMs, ...options }).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      options.log(`dataset: ${error.message} Using the built-in tasks; choose with --dataset PATH, hub id or builtin.`);
      return null;
    });
    return path === null ? builtin : await known({ name: DEFAULT_DATASET, path }, asked);
  }
  const place = asked ?? BENCHMARKS.find((row) => row.known.place?.is(spec));
  const name = basename(resolve(spec));
  if (place && !isFileOfRows(spec)) return kept({ name, path: spec, benchmark: place });
  if (isFileOfRows(spec)) return await known({ name, path: spec }, asked);
  await refuseOtherPaths(spec);
  const { id, config, name: shown } = parseHubId(spec);
  const path = await fromHub(id, { timeoutMs: ASKED_TIMEOUT_MS, ...options, config });
  const named = id === DEFAULT_DATASET ? humanEvalPack : asked;
  return await known({ name: shown, path }, named);
}

/**
 * Loads the functions that a user named.
 * @param spec as `findBenchmark` takes it
 * @throws UserError in one sentence: what was named cannot be had or read, or holds no functions, and why
 */
export async function loadDataset(spec: string | undefined, options: DatasetOptions): Promise<Dataset> {
  const found = await findBenchmark(spec, options);
  const { benchmark, path } = found;
  if (!("read" in benchmark)) throw new UserError(`${path} holds no functions, but ${benchmark.about.task} a row.`);
  return await readDataset({ ...found, benchmark }, options);
}

/** The functions of what was found. @throws UserError */
export async function readDataset(
  { benchmark, path, ...found }: FoundDataset & { benchmark: FunctionsRow },
  options: DatasetOptions,
): Promise<Dataset> {
  const { log, slow = false, after } = options;
  if (slow && !benchmark.hasSlowCases)
    throw new UserError(
      `--slow is for ${rowsWith("hasSlowCases")} alone: no other benchmark skips cases that take long.`,
    );
  if (after !== undefined) requireDates(benchmark);
  const contents = await benchmark.read(path, { log, slow, after, openSandbox: options.openSandbox ?? openSandbox });
  const name = after === undefined ? found.name : `${found.name} after ${after}`;
  return datasetOf(name, contents, log);
}

/** @throws UserError where its rows have no dates */
export function requireDates({ hasDates, name }: BenchmarkRow): void {
  if (hasDates) return;
  throw new UserError(`--after is for ${rowsWith("hasDates")}: tasks of ${name} do not say when they were published.`);
}

const rowsWith = (property: "hasSlowCases" | "hasDates"): string =>
  BENCHMARKS.flatMap((row) => (row[property] ? row.name : [])).join(" and ");

function kept(found: FoundDataset): FoundDataset {
  keepFromBoxes(found.path);
  return found;
}

/** Rows in which a benchmark is looked for: a damaged one at the beginning must not hide it. */
const ROWS_LOOKED_AT = 100;

/** A file of rows is known by the fields of its first row that has those of a benchmark. */
async function known(found: Omit<FoundDataset, "benchmark">, asked: BenchmarkRow | undefined): Promise<FoundDataset> {
  keepFromBoxes(found.path);
  if (asked) return { ...found, benchmark: asked };
  const rows = await firstRows(found.path);
  const fitting = (row: object) => BENCHMARKS.filter((benchmark) => missingFields(benchmark, row)?.length === 0);
  const fits = rows.objects.map(fitting).find(({ length }) => length > 0) ?? [];
  const [benchmark, other] = fits;
  if (benchmark && !other) return { ...found, benchmark };
  if (benchmark)
    throw new UserError(
      `${found.path} could be ${fits.map(({ name }) => name).join(" or ")}: say which with --format NAME.`,
    );
  const [row] = rows.objects;
  if (!row) throw new UserError(rows.problem ?? `${found.path} holds no tasks.`);
  const misfits = BENCHMARKS.flatMap((one) => {
    const fields = missingFields(one, row);
    return fields ? `  ${one.name}: ${fields.map((field) => `"${field}"`).join(", ")}` : [];
  });
  throw new UserError(
    `${found.path} is not a benchmark that mend knows. Fields that its first row lacks for each --format:\n` +
      `${misfits.join("\n")}`,
  );
}

/** Rows that are objects, and what is wrong with the first row if there are none. */
async function firstRows(file: string): Promise<{ objects: object[]; problem: string | null }> {
  const objects: object[] = [];
  let problem: string | null = null;
  let looked = 0;
  for await (const row of rowsIn(file)) {
    const value = row.problem === undefined ? row.value : undefined;
    if (isRecord(value)) objects.push(value);
    else problem ??= `${file} has no row that can be read. ${row.place}: ${row.problem ?? "it is not an object"}.`;
    looked += 1;
    if (looked === ROWS_LOOKED_AT) break;
  }
  return { objects, problem };
}

/**
 * The fields that a row lacks of those that a benchmark is known by, of alternatives the first; undefined for what has
 * no rows.
 */
function missingFields({ known: { fields } }: BenchmarkRow, row: object): string[] | undefined {
  const lacks = fields?.map((names) => names.filter((name) => !(name in row)));
  return lacks?.find(({ length }) => length === 0) ?? lacks?.[0];
}

/** @throws UserError where there is none */
function rowNamed(name: string): BenchmarkRow {
  const found = BENCHMARKS.find((row) => row.name === name);
  if (found) return found;
  throw new UserError(`--format takes ${BENCHMARKS.map((row) => row.name).join(", ")}, not "${name}".`);
}

/** The hub's client takes a tenth of a second to load, and most runs do not need it. */
async function fromHub(id: string, options: HubOptions): Promise<string> {
  const { fetchFromHub } = await import("./hub/hub.ts");
  return fetchFromHub(id, options);
}

const HUB_ID = /^(?:datasets\/)?([A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*)(?::(.+))?$/;

function parseHubId(spec: string): { id: string; config: string; name: string } {
  const [, id, written = DEFAULT_CONFIG] = HUB_ID.exec(spec) ?? [];
  if (id === undefined) {
    throw new UserError(
      `"${spec}" is not a dataset: use a ${FILES_OF_ROWS}, builtin, or a hub id such as ${DEFAULT_DATASET}.`,
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
  if (found?.isDirectory()) {
    const places = BENCHMARKS.flatMap(({ known: { place } }) => place?.what ?? []).join(" nor ");
    throw new UserError(`${spec} is a folder, and neither ${places}; give a ${FILES_OF_ROWS} in it.`);
  }
  if (found) throw new UserError(`${spec} is a file of another kind; give a ${FILES_OF_ROWS}.`);
}
