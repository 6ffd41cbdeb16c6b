/** What mend needs or can use of a machine: one row a check. */

import { existsSync, readdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listModels, serverFrom } from "../../agent/models/server.ts";
import { messageOf, UserError } from "../../utils/base/data/errors.ts";
import type { Env } from "../../utils/base/data/hub.ts";
import { installCommand } from "../../utils/base/host/own_packages.ts";
import { findPython } from "../../utils/base/host/python.ts";
import { hasLibrary, INSTALL_LIBRARY } from "../../utils/inference/failures.ts";
import { cacheFolder, DTYPE_NAMES } from "../../utils/inference/files/folders.ts";
import { isDownloaded } from "../../utils/inference/files/locate.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { calledAs } from "../../utils/program/called_as.ts";
import { findEngine } from "../../utils/sandbox/container/engine.ts";
import { probeLayers } from "../../utils/sandbox/sandbox.ts";
import { openBox } from "../meta/child/box.ts";
import { missingForLoop } from "../meta/child/libraries.ts";

export interface DoctorFinding {
  name: string;
  /** `missing`: no function can be repaired without it. `optional`: something else cannot be done. */
  state: "works" | "optional" | "missing";
  text: string;
  /** The one command, or sentence, that puts it right. */
  fix?: string;
}

interface Check {
  name: string;
  /** What it throws is the finding. */
  find(env: Env): Promise<Omit<DoctorFinding, "name">> | Omit<DoctorFinding, "name">;
}

/** Every check's finding, in their order. A check that throws found that what it looked for is missing. */
export const runChecks = (checks: readonly Check[], env: Env): Promise<DoctorFinding[]> =>
  Promise.all(
    checks.map(async ({ name, find }) => {
      try {
        return { name, ...(await find(env)) };
      } catch (error) {
        return { name, state: "missing" as const, text: messageOf(error) };
      }
    }),
  );

const BUBBLEWRAP = "install bubblewrap: `sudo apt install bubblewrap`, or the package of your system";
const GB = 1e9;
/** Less than a small model and a run take. */
const SCARCE_BYTES = 2 * GB;
const SERVER_TIMEOUT_MS = 5000;

export const CHECKS: readonly Check[] = [
  { name: "node", find: () => findNode(process.versions.node, process.execPath) },
  { name: "python", find: () => needsPython(findInterpreter) },
  { name: "sandbox", find: () => needsPython(findLayers) },
  { name: "containers", find: findContainers },
  ...compiledLanguages(),
  { name: "local models", find: findLocalModels },
  { name: "server", find: findServer },
  { name: "self-edit", find: findSelfEdit },
  { name: "disk", find: findDisk },
];

/** @param version such as `20.19.0`, @param place path of the program */
export function findNode(version: string, place: string): Omit<DoctorFinding, "name"> {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fix = "install Node.js 24: https://nodejs.org";
  if (major < 20 || (major === 20 && minor < 19))
    return { state: "missing", text: `${version} at ${place}, but mend needs 20.19 or later`, fix };
  if (major < 22)
    return {
      state: "optional",
      text: `${version} at ${place} works, but gets no more security fixes and starts slower than 24`,
      fix,
    };
  return { state: "works", text: `${version} at ${place}` };
}

/** Toolchains of languages whose tasks are left out without them. */
function compiledLanguages(): Check[] {
  return Object.values(LANGUAGES).flatMap(({ name, title, runtime }) => {
    if (!runtime?.compiled) return [];
    const { version, place, install } = runtime;
    const missing = {
      state: "optional" as const,
      text: `not installed: mend cannot repair ${title}`,
      fix: `\`${install}\``,
    };
    return { name, find: () => (version === null ? missing : { state: "works", text: `${version} at ${place}` }) };
  });
}

async function findInterpreter(): Promise<Omit<DoctorFinding, "name">> {
  const { executable, version } = await findPython();
  return { state: "works", text: `${version} at ${executable}` };
}

/** What a check finds, or why it cannot look: all of these need Python. */
async function needsPython(find: () => Promise<Omit<DoctorFinding, "name">>): Promise<Omit<DoctorFinding, "name">> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { state: "missing", text: error.message, fix: "install Python: `sudo apt install python3`" };
  }
}

async function findLayers(): Promise<Omit<DoctorFinding, "name">> {
  const probes = await probeLayers();
  const works = probes.filter((probe) => probe.works).map(({ layer }) => layer);
  const [best] = works;
  const reasons = probes.flatMap(({ layer, reason }) => (reason ? `${layer} does not work: ${reason}` : []));
  if (best === undefined) return { state: "missing", text: reasons.join("; "), fix: BUBBLEWRAP };
  const text = [`mend uses ${best} (these work: ${works.join(", ")})`, ...reasons].join("; ");
  if (best === "plain")
    return { state: "optional", text: `${text}; programs run with all of your rights`, fix: BUBBLEWRAP };
  return works.includes("bwrap") ? { state: "works", text } : { state: "optional", text, fix: BUBBLEWRAP };
}

async function findContainers(): Promise<Omit<DoctorFinding, "name">> {
  try {
    const { name, program, isRootless } = await findEngine();
    return { state: "works", text: `${name} at ${program}${isRootless ? ", without root" : ""}` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const fix = "install Podman: `sudo apt install podman`, or start Docker";
    return { state: "optional", text: `${error.message} SWE-bench runs in containers`, fix };
  }
}

function findLocalModels(env: Env): Omit<DoctorFinding, "name"> {
  if (!hasLibrary()) {
    return { state: "optional", text: "the package @huggingface/transformers is not installed", fix: INSTALL_LIBRARY };
  }
  const models = cachedModels(env);
  if (models.length > 0) return { state: "works", text: `in the cache: ${models.join(", ")}` };
  const command = `${calledAs("models prepare")} Qwen/Qwen2.5-Coder-1.5B-Instruct`;
  const fix = `\`${command}\` downloads one and makes a faster copy`;
  return { state: "optional", text: `no model in ${join(cacheFolder(env), "models")}`, fix };
}

/** `onnx-community/NAME (q4)` of every model whose files are all here. */
function cachedModels(env: Env): string[] {
  const folder = join(cacheFolder(env), "models");
  const ids = existsSync(folder) ? readdirSync(folder).map((name) => name.replace("--", "/")) : [];
  return ids.flatMap((id) => {
    const dtypes = DTYPE_NAMES.filter((dtype) => isDownloaded(id, dtype, env));
    return dtypes.length > 0 ? `${id} (${dtypes.join(", ")})` : [];
  });
}

async function findServer(env: Env): Promise<Omit<DoctorFinding, "name">> {
  if (!env.OPENAI_BASE_URL?.trim() && !env.OPENAI_API_KEY?.trim()) {
    const fix = "`export OPENAI_BASE_URL=http://localhost:8080/v1` with your server's address";
    return { state: "optional", text: "no server is set", fix };
  }
  const server = serverFrom(env);
  try {
    const models = await listModels(server, SERVER_TIMEOUT_MS);
    const more = models.length > 5 ? ` and ${models.length - 5} more` : "";
    return { state: "works", text: `${server.address} offers ${models.slice(0, 5).join(", ") || "no model"}${more}` };
  } catch (error) {
    const fix = "start the server, or correct OPENAI_BASE_URL and OPENAI_API_KEY";
    return { state: "optional", text: messageOf(error), fix };
  }
}

/** The loop compiles the agent's edits and runs them in a box of bubblewrap's. */
async function findSelfEdit(): Promise<Omit<DoctorFinding, "name">> {
  const missing = missingForLoop();
  if (missing.length > 0) {
    return { state: "optional", text: `${missing.join(" and ")} not installed`, fix: installCommand(missing) };
  }
  const python = await needsPython(findInterpreter);
  if (python.state === "missing") return { ...python, state: "optional" };
  try {
    await openBox({ unsafe: false });
    return { state: "works", text: "the agent can edit itself inside bubblewrap" };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { state: "optional", text: error.message, fix: BUBBLEWRAP };
  }
}

function findDisk(env: Env): Omit<DoctorFinding, "name"> {
  const places = [process.cwd(), tmpdir(), existing(cacheFolder(env))];
  const free = [...new Set(places)].map((path) => ({ path, bytes: freeBytes(path) }));
  const text = free.map(({ path, bytes }) => `${(bytes / GB).toFixed(1)} GB free in ${path}`).join(", ");
  const scarce = free.find(({ bytes }) => bytes < SCARCE_BYTES);
  if (!scarce) return { state: "works", text };
  return { state: "optional", text, fix: `free some space in ${scarce.path}, where mend writes runs and models` };
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** The folder itself, or the nearest above it that is there. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)));
