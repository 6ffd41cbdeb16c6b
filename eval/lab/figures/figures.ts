/** Figures of a measurement: kept in a file, and compared with those of an earlier run on the same machine. */

import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { z } from "zod";
import { UserError } from "../../../utils/base/data/errors.ts";
import { readJsonFile } from "../../../utils/base/data/record.ts";
import { type Arguments, EXIT, type ExitCode } from "../../../utils/program/cli.ts";

export const figuresOptions = {
  out: { value: "FILE", help: "where the figures are written as JSON, for --against" },
  against: { value: "FILE", help: "figures of an earlier run on this machine: exit code 1 if one is 10% worse" },
};

const Saved = z.object({
  unit: z.string(),
  processor: z.string(),
  date: z.string().optional(),
  figures: z.record(z.string(), z.number()),
});
type Saved = z.infer<typeof Saved>;

/** Less is better in all of them. */
export interface Figures {
  unit: string;
  /** By what was measured. */
  figures: Readonly<Record<string, number>>;
  /** The figure of the same run that one stands in relation to; those of peers have none, and are not compared. */
  peerOf?: (name: string) => string | undefined;
}

const MOST_WORSE = 1.1;

/**
 * Reads the file of `--against`, so that a wrong one is reported before anything is measured.
 * @returns a function that writes and compares the figures, and returns the exit code
 * @throws UserError if the file holds no figures
 */
export function figuresKeeper(args: Arguments<keyof typeof figuresOptions>): (measured: Figures) => ExitCode {
  const [out, against] = [args.text("out"), args.text("against")];
  const before = against === undefined ? null : readJsonFile(against, Saved);
  if (against !== undefined && !before) throw new UserError(`${against} holds no figures that --out wrote.`);
  return (measured) => {
    const { unit, figures } = measured;
    const date = new Date().toISOString().slice(0, 10);
    const saved: Saved = { unit, processor: cpus()[0]?.model ?? "unknown", date, figures };
    if (out !== undefined) writeFileSync(out, `${JSON.stringify(saved, null, 2)}\n`);
    return before ? compared(measured, before) : EXIT.ok;
  };
}

/** On a machine that is busy in another way only a figure in relation to its peer's says something. */
function compared({ unit, figures, peerOf }: Figures, before: Saved): ExitCode {
  if (before.unit !== unit) throw new UserError(`The earlier figures are in ${before.unit}, and these in ${unit}.`);
  let isWorse = false;
  for (const name of Object.keys(figures)) {
    const peer = peerOf?.(name);
    if ((peerOf && peer === undefined) || before.figures[name] === undefined) continue;
    const relative = (all: Readonly<Record<string, number>>) =>
      (all[name] ?? Number.NaN) / (peer === undefined ? 1 : (all[peer] ?? Number.NaN));
    const change = relative(figures) / relative(before.figures);
    if (!Number.isFinite(change)) continue;
    const told = change > MOST_WORSE ? "worse" : change < 1 / MOST_WORSE ? "better" : "as before";
    isWorse ||= change > MOST_WORSE;
    const relation = peer === undefined ? "" : ` in relation to ${peer}`;
    console.error(`${name}: ${change.toFixed(2)} of the earlier figure${relation}, ${told}`);
  }
  return isWorse ? EXIT.failed : EXIT.ok;
}
