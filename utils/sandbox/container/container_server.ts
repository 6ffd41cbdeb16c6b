/**
 * The sandbox's server in a container, for machines that have no layer of their own. It is the same server, confines
 * jobs by Landlock where the engine's kernel has it, and the container keeps all of it from this machine.
 */

import { z } from "zod";
import { UserError } from "../../base/data/errors.ts";
import { readJson } from "../../base/data/record.ts";
import { BOX_FOLDER, PYTHON_FOLDER, pythonCommand } from "../bwrap.ts";
import { DEFAULT_COMMAND_LIMITS } from "../command/command_box.ts";
import { DEVICES, ENVIRONMENT, type LayerPlan } from "../layers.ts";
import { containerArguments, openImage, pullImage } from "./container_box.ts";
import { endContainer, findEngine, ownContainer } from "./engine.ts";

/** Where no other is named. */
export const SANDBOX_IMAGE = "docker.io/library/python:3.12-slim";

const Python = z.object({ executable: z.string(), version: z.string() });
const PROBE =
  'import json, sys; print(json.dumps({"executable": sys.executable, "version": "%d.%d.%d" % sys.version_info[:3]}))';

/** What a program of a job may read: an image has no secrets, but jobs have folders in `/tmp`. */
const READABLE = ["/usr", "/opt", "/bin", "/lib", "/lib64", BOX_FOLDER, ...DEVICES];
/** Jobs that may use their memory at the same time. */
const JOBS = 4;
/** A server lives as long as it is needed; its jobs have their own limits. */
const FOREVER_SECONDS = 1_000_000_000;
const PROCESSES = 1000;
/** Of all jobs, where this process is root. */
const NOBODY = 65534;

/** @returns the plans to try, the best first @throws UserError where no engine works or the image has no Python 3.9 */
export async function planContainer(name: string, memoryMb: number, say: (line: string) => void) {
  const engine = await findEngine();
  await pullImage(engine, name, { say });
  const { box, place } = await openImage({ engine, name, root: "/" });
  const { stdout } = await box.run({ start: () => ({ argv: ["python3", "-c", PROBE] }) });
  const python = readJson(stdout, Python);
  if (python === null) throw new UserError(`${name} has no python3.`);
  const limits = {
    ...DEFAULT_COMMAND_LIMITS,
    memoryMb: JOBS * memoryMb,
    processes: PROCESSES,
    cpuSeconds: FOREVER_SECONDS,
  };
  const uid = process.getuid?.() === 0 ? NOBODY : null;
  const mounts = [{ inside: BOX_FOLDER, outside: PYTHON_FOLDER }];
  const planOf = (layer: "landlock" | "plain"): LayerPlan => ({
    layer,
    python: python.executable,
    command: pythonCommand(python.executable, `${BOX_FOLDER}/fork_server.py`),
    environment: ENVIRONMENT,
    slots: JOBS,
    ownUser: false,
    settings: {
      ...{ layer, uidBase: null, userNamespace: false, readable: READABLE, hidden: [], memoryBytes: memoryMb << 20 },
      ...{ runtimes: {}, runs: {}, judges: {}, inProcess: {}, packages: [] },
    },
    inContainer: (argv) => {
      const container = ownContainer();
      const start = () => ({ argv, cwd: "/", environment: ENVIRONMENT });
      const args = containerArguments(place, { start }, { mounts, uid, container, limits });
      return { argv: [engine.program, ...args], end: (client) => endContainer(engine, container.name, client) };
    },
  });
  return { python, warnings: box.warnings, plans: [planOf("landlock"), planOf("plain")] };
}
