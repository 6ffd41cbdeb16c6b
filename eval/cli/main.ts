#!/usr/bin/env node
/** `mend COMMAND …`: each command file is loaded only when it is asked for. */

import "../../utils/program/own_tsconfig.ts";
import { CommanderError, Command as Parser } from "commander";
import { ownVersion } from "../../utils/base/host/version.ts";
import { callAsMend } from "../../utils/program/called_as.ts";
import { EXIT, runCommand, sayError, sentenceOf } from "../../utils/program/cli.ts";
import { keepCompiledCode } from "../../utils/program/compile_cache.ts";
import { COMMANDS } from "./table.ts";

/** @param argv the words after `mend` */
function parserOf(argv: readonly string[]): Parser {
  const mend = new Parser("mend")
    .description("Repairs buggy code, measures how well models do it, and improves its own agent.")
    .usage("COMMAND [options]")
    .helpOption("-h, --help", "show this text; `mend COMMAND --help` explains a command")
    .version(ownVersion(), "--version", "show the version")
    .helpCommand(false)
    .configureOutput({ writeErr: () => {} })
    .exitOverride();
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const words = name.split(" ");
    const last = words.pop() ?? name;
    const parent = words.reduce((group, word) => groupOf(group, word), mend);
    parent
      .command(last)
      .summary(summary)
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(async () => {
        const { command, main } = await load();
        await runCommand(command, main, { name: `mend ${name}`, args: argv.slice(words.length + 1) });
      });
  }
  return mend;
}

/** The command `word` that only has commands of its own, such as `models`; the first of them speaks for it. */
function groupOf(parent: Parser, word: string): Parser {
  const known = parent.commands.find((command) => command.name() === word);
  const [first, { summary } = { summary: "" }] =
    Object.entries(COMMANDS).find(([name]) => name.startsWith(`${word} `)) ?? [];
  return known ?? parent.command(word).summary(`\`mend ${first}\`: ${summary}`).usage("COMMAND [options]");
}

/** `mend`, `mend models` and `mend help view` ask for help. */
function normalised(argv: readonly string[]): readonly string[] {
  if (argv[0] === "help") return [...argv.slice(1), "--help"];
  const isGroup = Object.keys(COMMANDS).some((name) => name.startsWith(`${argv.join(" ")} `));
  return argv.length === 0 || isGroup ? [...argv, "--help"] : argv;
}

/** Commands whose name or summary contains a word that is no command, also with its letters swapped. */
function commandsAbout(word: string): string {
  const letters = (text: string) => [...text.toLowerCase()].sort().join("");
  const isLike = (known: string) =>
    known.length > 3 && (word.startsWith(known) || known.startsWith(word) || letters(known) === letters(word));
  const found = Object.entries(COMMANDS).filter(([name, { summary }]) =>
    `${name} ${summary}`.split(/\W+/).some(isLike),
  );
  return found.map(([name, { summary }]) => `\n  mend ${name}: ${summary}`).join("");
}

async function main(words: readonly string[]): Promise<void> {
  const argv = normalised(words);
  try {
    await parserOf(argv).parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const [, unknown] = /unknown command '([^']+)'$/.exec(error.message) ?? [];
    sayError(`${sentenceOf(error)}${unknown === undefined ? "" : commandsAbout(unknown)}`);
    process.exitCode = EXIT.usage;
  }
}

keepCompiledCode();
callAsMend();
await main(process.argv.slice(2));
