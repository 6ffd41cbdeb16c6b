/**
 * Runs the attacks on the disk limit under one layer. Also a command, so that tests can run it as another user:
 * `hostile/hold_disk.ts LAYER` prints the report as JSON.
 */

import { pathToFileURL } from "node:url";
import { openSandbox } from "../../sandbox.ts";
import { LAYERS, type Layer, type SandboxInfo } from "../../types.ts";
import { attackProgram, DISK_ATTACKS } from "./disk.ts";

export interface DiskReport {
  info: SandboxInfo;
  attacks: {
    name: string;
    mode: "run" | "judge";
    /** `refused`: it could not keep much; `ended`: for what it kept; else how it went on. */
    ending: "refused" | "ended" | string;
  }[];
}

/** Reached by what is not stopped alone: a busy disk takes a second for what another does in a hundredth. */
const TIMEOUT_MS = 20_000;
const REFUSED = /^(kept [0-4]|.*returned [0-4]\b.*)$/ms;
const ENDED = /held more than 64 MB|killed by SIGKILL/;

/** Try each attack, run and judged. */
export async function holdDisk(layer: Layer, attacks = DISK_ATTACKS): Promise<DiskReport> {
  await using sandbox = await openSandbox({ layer, concurrency: 2 });
  const tried = attacks.filter(({ plainCannotStop }) => layer !== "plain" || !plainCannotStop);
  const jobs = tried.flatMap((attack) => [
    (async () => {
      const { status, stdout, stderr, explanation } = await sandbox.run({
        code: attackProgram(attack),
        timeoutMs: TIMEOUT_MS,
      });
      return { name: attack.name, mode: "run" as const, ending: ending(`${status} ${explanation}`, stdout + stderr) };
    })(),
    ...(attack.starts
      ? []
      : [
          (async () => {
            const { outcome, explanation, stdout } = await sandbox.judge({
              program: attackProgram(attack, true),
              entryPoint: "f",
              test: "assert f(1) == -1",
              timeoutMs: TIMEOUT_MS,
            });
            return { name: attack.name, mode: "judge" as const, ending: ending(`${outcome} ${explanation}`, stdout) };
          })(),
        ]),
  ]);
  return { info: sandbox.info, attacks: await Promise.all(jobs) };
}

function ending(told: string, output: string): string {
  if (ENDED.test(told)) return "ended";
  return REFUSED.test(output) || REFUSED.test(told) ? "refused" : `${told}\n${output}`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const layer = LAYERS.find((name) => name === process.argv[2]);
  if (!layer) throw new Error(`usage: hostile/hold_disk.ts ${LAYERS.join("|")}`);
  process.stdout.write(`${JSON.stringify(await holdDisk(layer))}\n`);
}
