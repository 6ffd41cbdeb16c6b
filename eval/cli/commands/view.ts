/** `mend view`: all runs in a browser on this machine, live while they go. */

import { once } from "node:events";
import { UserError } from "../../../utils/base/data/errors.ts";
import { isFolder } from "../../../utils/base/files/stat.ts";
import { type Arguments, EXIT, type ExitCode, listenForInterrupt, printDocument } from "../../../utils/program/cli.ts";
import { startViewServer } from "../../pages/server/server.ts";
import { RUNS_FOLDER } from "../../run/lock.ts";
import { repairsFolder } from "../../run/repairs/folder.ts";

export const command = {
  usage: "[options]",
  summary: "Shows all runs in a browser on this machine, and updates the page while they run. Ctrl-C stops it.",
  exits: { ok: "stopped by Ctrl-C", interrupted: "" },
  options: {
    port: { value: "N", help: "port on 127.0.0.1 (default 4747; 0 takes any free port)" },
    repairs: { help: "show repairs by mend repair and mend fix instead of benchmark runs" },
    runs: { value: "DIR", help: `folder of the runs (default ${RUNS_FOLDER})` },
    json: { help: "print the address as one JSON document on stdout" },
  },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const port = args.number("port", { min: 0, max: 65_535, integer: true }) ?? 4747;
  if (args.flag("repairs") && args.text("runs") !== undefined)
    throw new UserError("Use --runs or --repairs, not both.");
  const runs = args.flag("repairs") ? repairsFolder() : args.text("runs");
  if (runs !== undefined && !isFolder(runs)) {
    throw new UserError(
      `${runs}: there is no such folder${args.flag("repairs") ? ": mend has kept no repair yet" : ""}.`,
    );
  }
  const stop = new AbortController();
  using _interrupt = listenForInterrupt(() => stop.abort());
  const server = await startViewServer({ runsFolder: runs ?? RUNS_FOLDER, port });
  console.error("Open this address in a browser. Ctrl-C stops the server.");
  if (args.flag("json")) printDocument({ url: server.url });
  else console.log(server.url);
  await once(stop.signal, "abort");
  await server.close();
  return EXIT.ok;
}
