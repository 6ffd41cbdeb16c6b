import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { firstOutput } from "../testing/command.ts";

const PROGRAM = `
  import { atExit } from ${JSON.stringify(new URL("../base/host/at_exit.ts", import.meta.url).href)};
  import { runCommand } from ${JSON.stringify(new URL("./cli.ts", import.meta.url).href)};
  atExit(() => console.error("what it started ends"));
  await runCommand({ usage: "", summary: "", options: {} }, async () => {
    setInterval(() => {}, 1000);
    console.log("it works");
    return await new Promise(() => {});
  }, { name: "it", args: [] });`;

test.each(["SIGINT", "SIGTERM"] as const)(
  "where a command does not listen for %s, what it started ends too",
  async (signal) => {
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", PROGRAM]);
    const said: Buffer[] = [];
    child.stderr.on("data", (piece: Buffer) => said.push(piece));
    await firstOutput(child);
    child.kill(signal);
    await new Promise((closed) => child.once("close", closed));
    expect([child.exitCode, Buffer.concat(said).toString()]).toEqual([130, "what it started ends\n"]);
  },
);
