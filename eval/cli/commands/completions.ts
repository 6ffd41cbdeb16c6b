/** `mend completions SHELL`: a script that completes commands and options as they are now. */

import { basename } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import {
  type Arguments,
  type CommandFile,
  type CommandRow,
  EXIT,
  type ExitCode,
  printDocument,
} from "../../../utils/program/cli.ts";
import { SHELLS } from "../shells.ts";

const command = {
  usage: "[bash|zsh|fish]",
  summary:
    "Prints a script that completes mend's commands and options (default: for the shell of SHELL). To " +
    "have it always:\n" +
    "  bash  echo 'eval \"$(mend completions bash)\"' >> ~/.bashrc\n" +
    "  zsh   mend completions zsh > ~/.zfunc/_mend    (with ~/.zfunc in fpath, before compinit)\n" +
    "  fish  mend completions fish > ~/.config/fish/completions/mend.fish",
  options: { json: { help: "print all commands and options as one JSON document on stdout, for another shell" } },
  positionals: [0, 1] satisfies [number, number],
  printsOnly: true as const,
};

/** The command that completes all commands in the table. */
export const completionsOf = (commands: Readonly<Record<string, CommandRow>>): CommandFile => ({
  command,
  main: (args) => main(args, commands),
});

async function main(args: Arguments<string>, commands: Readonly<Record<string, CommandRow>>): Promise<ExitCode> {
  if (args.flag("json")) {
    printDocument(await describeCommands(commands));
    return EXIT.ok;
  }
  const [asked] = args.positionals;
  const shell = asked ?? basename(process.env.SHELL ?? "");
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  const known = Object.keys(SHELLS).join(", ");
  if (shell === "") throw new UserError(`Name a shell, one of ${known}: SHELL is not set.`);
  if (!script) throw new UserError(`Completions are for ${known}, not "${shell}".`);
  console.log(script(await describeCommands(commands)));
  return EXIT.ok;
}

/** Every command with its options, which only its own file knows. */
async function describeCommands(commands: Readonly<Record<string, CommandRow>>) {
  const files = Object.entries(commands).map(async ([name, { summary, load }]) => {
    const { options } = (await load()).command;
    const rows = Object.entries(options).map(([option, { value, help }]) => ({ name: option, value, help }));
    return { name, summary, options: [...rows, { name: "help", value: undefined, help: "what it does" }] };
  });
  return Promise.all(files);
}
