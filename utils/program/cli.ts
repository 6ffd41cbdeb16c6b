/** The one way every command reads its arguments, stops on Ctrl-C, reports errors and exits. */

import { CommanderError, Command as Parser, Option as ParserOption } from "commander";
import { errorCode, messageOf, refusedWrite, UserError, writeError } from "../base/data/errors.ts";
import { removeStaleFolders } from "../base/files/temporary.ts";
import { flushTraces } from "../base/host/flush_traces.ts";
import { startNothingOf } from "../base/host/host_programs.ts";
import { projectAround } from "../base/host/project_root.ts";
import { printedJson } from "../base/text/json.ts";
import { inLine } from "../base/text/text.ts";
import { Arguments, type Call } from "./arguments.ts";
import { ownCall } from "./called_as.ts";
import { requireProcesses } from "./process_limit.ts";
import { guardConsole, styled } from "./status.ts";

export { Arguments, countArgument, MOST_AT_ONCE, MOST_HOURS } from "./arguments.ts";

/**
 * 0 done, 1 the harness failed, 2 usage or input, 3 a budget is used up, 100 below `--min-pass`, 130 stopped by Ctrl-C.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, budget: 3, belowMinPass: 100, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
/** What a code means; empty for one that a command does not end with. */
type Exits = Partial<Record<keyof typeof EXIT, string>>;

const USUAL: Exits = {
  ok: "done",
  failed: "incomplete, or mend itself failed",
  usage: "wrong options or input",
  interrupted: "stopped by Ctrl-C",
};

/** What a first Ctrl-C is answered with. */
export const FINISHING = "finishing the work in progress; press Ctrl-C again to stop at once";

export interface Option {
  /** Shown after the name in `--help`, e.g. `N`; an option without a value is a switch. */
  value?: string;
  help: string;
  /** Heading in `--help`. Without one it is among the few that people need first. */
  group?: string;
}

/** The same options under a heading of their own in `--help`. */
export const grouped = <Options extends Record<string, Option>>(group: string, options: Options): Options => {
  for (const option of Object.values(options)) option.group ??= group;
  return options;
};

export interface Command<Name extends string = string> {
  /** What follows its name, e.g. `SAMPLES.jsonl [options]`. */
  usage: string;
  summary: string;
  options: Record<Name, Option>;
  /** Least and most positional arguments. Default none. */
  positionals?: [least: number, most: number];
  /** What its exit codes mean where that is not what they usually do. */
  exits?: Exits;
  /** It only prints, so it ends quietly when its reader does, as in `… | head`. Others go on and keep their results. */
  printsOnly?: true;
}

/** What every command file exports. */
export interface CommandFile {
  command: Command;
  main(args: Arguments<string>): Promise<ExitCode>;
}

/** A row of a table of commands. */
export interface CommandRow {
  summary: string;
  /** Loaded only when it is asked for: most of a start is the loading of libraries. */
  load: () => Promise<CommandFile>;
}

/**
 * Parses the command line and runs `main`, then exits with its code. A UserError is printed as one sentence (exit 2),
 * anything else that is thrown is the harness's failure (exit 1, with its stack: it is for the one who will mend it).
 */
export async function runCommand<Name extends string>(
  command: Command<Name>,
  main: (args: Arguments<Name>) => Promise<ExitCode>,
  call: Call = { name: ownCall(), args: process.argv.slice(2) },
): Promise<void> {
  guardConsole();
  process.on("SIGINT", exitOnSignal).on("SIGTERM", exitOnSignal);
  const project = projectAround(process.cwd());
  if (project !== null) startNothingOf(project);
  const output = watchOutput();
  const code = await start(command, main, call, output).catch((thrown: unknown) => {
    const error = refusedWrite(thrown);
    const isUsers = error instanceof UserError;
    const message = isUsers ? shortened(error.message) : String(error);
    if (call.args.includes("--json") && !hasPrinted) printDocument({ outcome: "error", error: message });
    if (isUsers) sayError(message);
    else console.error(error);
    return isUsers ? EXIT.usage : EXIT.failed;
  });
  process.exitCode = output.isLost && code === EXIT.ok ? EXIT.failed : code;
  const lost = await flushTraces();
  if (lost.length === 0) return;
  console.error(lost.join("\n"));
  // What a tracing server still owes would hold the process for a minute.
  await new Promise((written) => process.stdout.write("", written));
  process.exit();
}

/** A sentence without names and values that fill the screen. What stands below it, such as a patch, is whole. */
function shortened(message: string): string {
  const [sentence = "", ...rest] = message.split("\n");
  return [sentence.replace(/\S{300,}/g, (word) => inLine(word)), ...rest].join("\n");
}

let hasPrinted = false;

/** What `--json` prints: one document on stdout; `{"outcome": "error", "error": …}` where there is no other. */
export function printDocument(document: unknown): void {
  hasPrinted = true;
  console.log(printedJson(document, 2));
}

/** Prints a line of JSON on stdout. */
export const printLine = (value: unknown): void => console.log(printedJson(value));

/** The same for other programs alone: a person at a terminal reads it in words on stderr. */
export function printForPrograms(value: unknown): void {
  if (!process.stdout.isTTY) printLine(value);
}

export const sayError = (message: string): void =>
  console.error(`${styled("red", "error:", process.stderr)} ${message}`);

interface Output {
  /** Set once the command has work to do beside printing. */
  goesOn: boolean;
  /** What was printed could not be written, as on a full disk. */
  isLost: boolean;
}

/**
 * Keeps a broken output stream from ending the work with an exception. A broken stdout is reported once, on stderr; a
 * broken stderr is ignored.
 */
function watchOutput(): Output {
  const output = { goesOn: false, isLost: false };
  process.stderr.on("error", () => {});
  process.stdout.once("error", (error) => {
    process.stdout.on("error", () => {});
    if (!/^(EPIPE|ECONNRESET)$/.test(String(errorCode(error)))) {
      const refused = writeError(error, "stdout");
      sayError(messageOf(refused));
      output.isLost = true;
      if (process.exitCode === EXIT.ok) process.exitCode = EXIT.failed;
    } else if (output.goesOn)
      console.error("note: stdout was closed; the work goes on, and nothing more is printed there");
    else process.exit(EXIT.ok);
  });
  return output;
}

async function start<Name extends string>(
  command: Command<Name>,
  main: (args: Arguments<Name>) => Promise<ExitCode>,
  call: Call,
  output: Output,
): Promise<ExitCode> {
  const args = parse(command, call);
  if (!args) return EXIT.ok;
  const [least, most] = command.positionals ?? [0, 0];
  if (args.positionals.length < least || args.positionals.length > most) {
    const [count, more] = [args.positionals.length, args.positionals[most]];
    const missing = command.usage.match(/[A-Z][\w-]*/g)?.[count] ?? "an argument";
    const what = more === undefined ? `${missing} is missing` : `"${more}" is one argument too many`;
    throw new UserError(`${what}. usage: ${call.name} ${command.usage}\nSee --help.`);
  }
  requireProcesses();
  output.goesOn = command.printsOnly !== true;
  removeStaleFolders();
  return main(args);
}

/** Null where help was asked for, and printed. @throws UserError for what is no option, with the likeliest one */
function parse<Name extends string>(command: Command<Name>, { name, args }: Call): Arguments<Name> | null {
  const parser = new Parser(name)
    .usage(command.usage)
    .description(command.summary)
    .helpOption("-h, --help", "show this text")
    .allowExcessArguments()
    .addHelpText("after", exitsOf(command.exits))
    .configureOutput({ writeErr: () => {} })
    .exitOverride();
  const options = Object.entries<Option>(command.options);
  // The headings stand in the order of their first options: what has none comes first.
  for (const [option, { value, help, group }] of options.toSorted(
    (a, b) => Number(!!a[1].group) - Number(!!b[1].group),
  )) {
    const row = new ParserOption(`--${option}${value === undefined ? "" : ` <${value}>`}`, help);
    parser.addOption(group ? row.helpGroup(`${group}:`) : row);
  }
  try {
    parser.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return null;
    throw new UserError(sentenceOf(error));
  }
  const values = Object.fromEntries(
    parser.options.map((option) => {
      const value = parser.getOptionValue(option.attributeName());
      return [option.name(), option.negate ? value === false : value];
    }),
  );
  for (const [option, value] of Object.entries(values)) requireNoOption(option, value, args);
  return new Arguments(values, parser.args, { name, args });
}

/** For the help of a command. */
export function exitsOf(own: Exits = {}): string {
  const told: Exits = { ...USUAL, ...own };
  const lines = Object.entries(EXIT).flatMap(([name, code]) => {
    const meaning = Object.entries(told).find(([known]) => known === name)?.[1];
    return meaning ? `  ${String(code).padEnd(5)}${meaning}` : [];
  });
  return `\nExit codes:\n${lines.join("\n")}`;
}

/** `error: unknown option '--modle'\n(Did you mean --model?)` as two sentences. */
export function sentenceOf({ message }: CommanderError): string {
  const [fault = "", hint = ""] = message.replace(/^error: /, "").split("\n");
  const suggestion = hint.replace(/^\((.*)\)$/, " $1");
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.${suggestion} See --help.`;
}

/** `--model --json` forgot a value: `--json` is none. `--model=--json` says that it is. */
function requireNoOption(option: string, value: unknown, args: readonly string[]): void {
  if (typeof value !== "string" || !value.startsWith("--") || args.includes(`--${option}=${value}`)) return;
  throw new UserError(
    `--${option} needs a value, but ${value} looks like an option. If it is the value, write --${option}=${value}.`,
  );
}

/** How many listen for Ctrl-C at the time. */
let listening = 0;

/** Without a listener a signal skips the exit event, which ends the child processes. */
function exitOnSignal(): void {
  if (listening === 0) process.exit(EXIT.interrupted);
}

/** Ctrl-C, and SIGTERM, stop at once. Dispose to give the signals back. */
export function listenForStop(onStop: () => void) {
  const abort = new AbortController();
  const listening = listenForInterrupt(() => {
    onStop();
    abort.abort(new Error("interrupted"));
  });
  return { signal: abort.signal, [Symbol.dispose]: () => listening[Symbol.dispose]() };
}

/**
 * Ctrl-C: the first asks to drain (finish what has begun), the second aborts. SIGTERM drains too.
 * Dispose to give the signals back.
 */
export function listenForInterrupt(onDrain: () => void) {
  const abort = new AbortController();
  let draining = false;
  const onSignal = () => {
    if (draining) return abort.abort(new Error("interrupted"));
    draining = true;
    onDrain();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  listening += 1;
  return {
    signal: abort.signal,
    get draining() {
      return draining;
    },
    [Symbol.dispose]() {
      listening -= 1;
      process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    },
  };
}
